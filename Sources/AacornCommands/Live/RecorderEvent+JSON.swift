import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem

extension RecorderEvent {
  /// Returns the event as JSON.
  ///
  /// `wallTime` is the time of the event, `file` the properties of a completed file.
  func json(wallTime: Int64, plan: LivePlan, file: LiveTally.File?) -> JSONValue? {
    let rate = plan.configuration.sampleRate
    func seconds(_ samples: Int) -> JSONValue { .decimal(Double(samples) / Double(rate), 6) }
    func device(_ device: Device?) -> [JSONValue.Member] {
      [.init("device", device?.json ?? .null)]
    }
    switch self {
    case .started(let source, let time):
      return .event(
        "started", at: time,
        device(source) + [
          .init("sampleRate", .integer(rate)),
          .init("channels", .integer(plan.configuration.channelCount)),
          .init("format", .text(plan.format.rawValue)),
          .init("profile", .optional(plan.configuration.coding.profile?.keyword)),
        ])
    case .gap(let gap):
      let members: [JSONValue.Member] = [
        .init("position", .integer(gap.position)), .init("length", .integer(gap.length)),
        .init("seconds", seconds(gap.length)), .init("cause", .text(gap.cause.rawValue)),
        .init("filled", .flag(gap.isFilled)),
      ]
      return .event("gap", at: gap.wallTime, members + Self.owner(gap.track))
    case .deviceLost: return .event("device-lost", at: wallTime)
    case .deviceReturned(let source): return .event("device-returned", at: wallTime, device(source))
    case .deviceChanged(let source): return .event("device-changed", at: wallTime, device(source))
    case .sourceRefused(let error):
      let message = error.commandMessage(for: .capture)
      return .event("source-refused", at: wallTime, [.init("message", .text(message))])
    case .suspended: return .event("suspended", at: wallTime)
    case .resumed: return .event("resumed", at: wallTime)
    case .formatChanged(let sampleRate, let channelCount):
      return .event(
        "format-changed", at: wallTime,
        [
          .init("sampleRate", .integer(sampleRate)), .init("channels", .integer(channelCount)),
        ])
    case .track(let name, let event):
      let json = event.json(wallTime: wallTime, plan: plan, file: file)
      guard case .object(let members)? = json else { return nil }
      return .object(members + Self.owner(name))
    case .trackStarted(let name): return .event("track-started", at: wallTime, Self.owner(name))
    case .trackStopped(let name): return .event("track-stopped", at: wallTime, Self.owner(name))
    case .trackEnded(let name): return .event("track-ended", at: wallTime, Self.owner(name))
    case .trackFailed(let name, let error):
      let members: [JSONValue.Member] = [
        .init("error", .text(error.keyword)), .init("message", .text(error.commandMessage)),
      ]
      return .event("track-failed", at: wallTime, Self.owner(name) + members)
    case .paused(let isPaused): return .event(isPaused ? "paused" : "continued", at: wallTime)
    case .muted(let isMuted): return .event(isMuted ? "muted" : "unmuted", at: wallTime)
    case .monitor(let event):
      return .event(
        "monitor", at: wallTime,
        [
          .init("state", .text(event.keyword)), .init("message", .optional(event.commandMessage)),
        ])
    case .outputOpened(let name):
      return .event("opened", at: wallTime, [.init("file", .text(name))])
    case .outputClosed:
      return file.map { JSONValue.event("closed", at: wallTime, $0.members(sampleRate: rate)) }
    case .outputMoved(let old, let new):
      return .event(
        "output-moved", at: wallTime, [.init("file", .text(old)), .init("to", .text(new))])
    case .outputLost(let name, let error):
      return .event("output-lost", at: wallTime, Self.failure(of: name, error))
    case .outputsMissing(let names):
      return .event(
        "outputs-away", at: wallTime,
        [
          .init("files", .texts(names)),
          .init("message", .optional(commandMessage(sampleRate: rate)?.text)),
        ])
    case .outputFailed(let name, let error):
      return .event("output-failed", at: wallTime, Self.failure(of: name, error))
    // The report at the end contains the result, so this event is not printed.
    case .stopped: return nil
    }
  }

  /// Returns a member with the event's track, if there are several.
  private static func owner(_ track: String?) -> [JSONValue.Member] {
    guard let track else { return [] }
    return [JSONValue.Member("track", .text(track))]
  }

  private static func failure(of name: String, _ error: OutputError) -> [JSONValue.Member] {
    [
      .init("file", .text(name)), .init("error", .text(error.kind.rawValue)),
      .init("message", .text(error.commandMessage)),
    ]
  }

  /// Returns a JSON object with the levels of a recording: for each channel the peak in dBFS since
  /// the previous call, then the loudness, then the peaks of each track.
  static func levelJSON(_ status: RecordingStatus) -> JSONValue {
    let seconds = Double(status.sampleCount) / Double(max(1, status.sampleRate))
    let tracks = status.tracks.map { track -> JSONValue in
      .object([
        .init("track", .text(track.name)),
        .init("peak", .decimal(Double(Decibels.of(amplitude: track.peak)), 1)),
      ])
    }
    let levels: [JSONValue.Member] = tracks.isEmpty ? [] : [.init("tracks", .list(tracks))]
    let members: [JSONValue.Member] = [
      .init("event", .text("level")), .init("position", .integer(status.sampleCount)),
      .init("seconds", .decimal(seconds, 3)),
      // Silence is −∞ dBFS, which JSON cannot represent, so the value is null.
      .init("peak", .list(status.peaks.map { .decimal(Double(Decibels.of(amplitude: $0)), 1) })),
      .init("clipped", .integer(status.clippedSampleCount)),
    ]
    return .object(members + status.loudness.members + levels)
  }
}

extension LiveTally.File {
  func members(sampleRate: Int) -> [JSONValue.Member] {
    func seconds(_ samples: Int) -> JSONValue { .decimal(Double(samples) / Double(sampleRate), 6) }
    return [
      .init("file", .text(name)), .init("samples", .integer(sampleCount)),
      .init("duration", seconds(sampleCount)), .init("bytes", .integer(byteCount)),
      .init("gaps", .integer(gapCount)), .init("lostSamples", .integer(lostSampleCount)),
    ]
  }

  /// Returns a human-readable line about the file.
  func line(sampleRate: Int) -> String {
    let rate = Double(max(1, sampleRate))
    let gaps =
      gapCount == 0
      ? "no gaps"
      : QuantityText.count(gapCount, "gap") + " of "
        + QuantityText.length(Double(lostSampleCount) / rate)
    var facts = [
      QuantityText.duration(Double(sampleCount) / rate), QuantityText.size(byteCount), gaps,
    ]
    if unsavedSampleCount > 0 {
      facts.append(QuantityText.length(Double(unsavedSampleCount) / rate) + " after it not saved")
    }
    return displayed(name) + ": " + facts.joined(separator: ", ")
  }
}

extension Device {
  /// A capture device as JSON.
  var json: JSONValue { .object(members) }

  /// A playback device as JSON.
  var outputJSON: JSONValue { .object(outputMembers) }

  /// A capture device as JSON members.
  var members: [JSONValue.Member] { outputMembers + [.init("monitor", .flag(isMonitor))] }

  /// A playback device as JSON members; properties that are unknown until it is opened are null.
  var outputMembers: [JSONValue.Member] {
    [
      .init("backend", .text(backend.rawValue)), .init("id", .text(id)), .init("name", .text(name)),
      .init("details", .text(details)),
      .init("channels", channelCount > 0 ? .integer(channelCount) : .null),
      .init("sampleRate", sampleRate > 0 ? .integer(sampleRate) : .null),
      .init("default", .flag(isDefault)),
    ]
  }
}

// Loudness as human-readable text and as JSON.
extension RecordingLoudness {
  /// The current loudness, such as “-23.1 LUFS”; nil during silence.
  var currentText: String? { current.map { QuantityText.decibels($0) + " LUFS" } }

  /// The total loudness, such as “-18.3 LUFS, range 5.2 LU, true peak -1.2 dBTP”; nil for silence.
  var totalText: String? {
    guard let integrated else { return nil }
    var text = QuantityText.decibels(integrated) + " LUFS"
    if let range { text += ", range \(QuantityText.decibels(range)) LU" }
    return text + ", true peak \(QuantityText.decibels(truePeak)) dBTP"
  }

  /// The current measurements as JSON.
  var members: [JSONValue.Member] {
    [
      .init("momentary", .level(momentary)), .init("shortTerm", .level(shortTerm)),
      .init("integrated", .level(integrated)), .init("truePeak", .level(truePeak)),
    ]
  }

  var totalMembers: [JSONValue.Member] {
    [
      .init("loudness", .level(integrated)), .init("loudnessRange", .level(range)),
      .init("truePeak", .level(truePeak)),
    ]
  }
}
