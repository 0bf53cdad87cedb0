import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem

extension PlayerEvent {
  /// Returns the event as JSON.
  ///
  /// Returns nil for the end, about which the report contains more.
  func json(wallTime: Int64, _ plan: PlayPlan) -> JSONValue? {
    func file(_ index: Int) -> [JSONValue.Member] {
      [.init("index", .integer(index)), .init("file", .text(plan.items[index].path))]
    }
    func seconds(_ duration: Duration?) -> JSONValue {
      duration.map { .decimal($0 / .seconds(1), 3) } ?? .null
    }
    func device(_ device: Device?) -> [JSONValue.Member] {
      [.init("device", device?.outputJSON ?? .null)]
    }
    switch self {
    case .opened(let found): return .event("opened", at: wallTime, device(found))
    case .started(let item):
      return .event(
        "started", at: wallTime,
        file(item.index) + [
          .init("sampleRate", .integer(item.sampleRate)),
          .init("channels", .integer(item.channelCount)),
          .init("duration", seconds(item.duration)), .init("title", .optional(item.title)),
          .init("artist", .optional(item.artist)), .init("album", .optional(item.album)),
        ])
    case .position(let position):
      return .event(
        "position", at: wallTime, file(position.index) + [.init("seconds", seconds(position.time))])
    case .ended(let index): return .event("ended", at: wallTime, file(index))
    case .unreadable(let index, let error):
      return .event(
        "unreadable", at: wallTime,
        file(index) + [
          .init("error", .text(error.keyword)), .init("message", .text(error.playMessage)),
        ])
    case .damaged(let index, let message):
      return .event("damaged", at: wallTime, file(index) + [.init("message", .text(message))])
    case .fetching(let index, fetchedCount: let fetchedCount, byteCount: let byteCount):
      return .event(
        "fetching", at: wallTime,
        file(index) + [
          .init("bytes", .integer(fetchedCount)), .init("totalBytes", .integer(byteCount)),
        ])
    case .lost(let index, let duration):
      return .event("lost", at: wallTime, file(index) + [.init("seconds", seconds(duration))])
    case .title(let index, let title):
      return .event("title", at: wallTime, file(index) + [.init("title", .text(title))])
    case .unseekable(let index): return .event("unseekable", at: wallTime, file(index))
    case .paused(let isPaused): return .event(isPaused ? "paused" : "continued", at: wallTime)
    case .deviceLost: return .event("device-lost", at: wallTime)
    case .deviceReturned(let found): return .event("device-returned", at: wallTime, device(found))
    case .deviceChanged(let found): return .event("device-changed", at: wallTime, device(found))
    case .suspended: return .event("suspended", at: wallTime)
    case .resumed: return .event("resumed", at: wallTime)
    case .underrun(let count):
      return .event("underrun", at: wallTime, [.init("frames", .integer(count))])
    case .stopped: return nil
    }
  }

  /// The importance of an event to the user.
  enum Weight { case error, always, verbose }

  /// Returns the event as a human-readable message, if it is reported.
  func message(_ plan: PlayPlan) -> (text: String, weight: Weight)? {
    switch self {
    case .opened(let device):
      guard let device else { return nil }
      // The built-in device uses no sound system.
      let system = device.backend == .synthetic ? "" : " through \(device.backend.title)"
      return ("Playback uses \(displayed(device.name))\(system).", .verbose)
    case .started(let item):
      var facts = [
        QuantityText.frequency(item.sampleRate), QuantityText.count(item.channelCount, "channel"),
      ]
      if let duration = item.duration {
        facts.append(QuantityText.duration(duration / .seconds(1)))
      }
      return (
        "Playing “\(displayed(plan.name(of: item.index)))” (\(facts.joined(separator: ", "))).",
        .verbose
      )
    case .unreadable(_, let error): return (error.playMessage, .error)
    case .damaged(_, let message): return (message, .error)
    case .fetching(let index, fetchedCount: 0, byteCount: let byteCount):
      return (
        "The format of “\(displayed(plan.name(of: index)))” cannot be played during the download. "
          + "\(QuantityText.size(byteCount)) are downloaded first.", .always
      )
    case .lost(let index, let duration):
      return (
        "\(QuantityText.length(duration / .seconds(1))) of the live stream "
          + "“\(displayed(plan.name(of: index)))” were lost.", .always
      )
    case .title(_, let title): return ("Now on air: \(displayed(title))", .always)
    case .unseekable(let index):
      let name = "“\(displayed(plan.name(of: index)))”"
      let fact =
        plan.items[index].isAddress
        ? "is a live stream, so its position cannot be changed."
        : "is a pipe, so playback cannot jump back."
      return ("\(name) \(fact)", .always)
    case .deviceLost:
      return ("The device was disconnected. Playback resumes when it returns.", .always)
    case .deviceReturned(let device):
      return ("Playback resumes on \(Self.name(device)).", .always)
    case .deviceChanged(let device): return ("Playback now uses \(Self.name(device)).", .always)
    case .suspended:
      return ("The device was suspended. Playback resumes when it wakes.", .always)
    case .resumed: return ("The device was resumed.", .always)
    case .underrun(let count):
      return (
        "\(QuantityText.count(count, "frame")) of silence were played, because audio arrived too "
          + "late.", .verbose
      )
    case .position, .fetching, .ended, .paused, .stopped: return nil
    }
  }

  private static func name(_ device: Device?) -> String {
    device.map { displayed($0.name) } ?? "the device"
  }
}
