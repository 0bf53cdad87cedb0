import AacornCodec
import AacornContainers
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
    func device(_ device: Device?) -> JSONValue {
      ["device": device?.json ?? .null]
    }
    switch self {
    case .started(let source, let time):
      return .event(
        "started", at: time,
        device(source) + [
          "sampleRate": .integer(rate), "channels": .integer(plan.configuration.channelCount),
          "format": .text(plan.format.rawValue),
          "profile": .optional(plan.configuration.coding.profile?.keyword),
        ])
    case .gap(let gap):
      let members: JSONValue = [
        "position": .integer(gap.position), "length": .integer(gap.length),
        "seconds": seconds(gap.length), "cause": .text(gap.cause.rawValue),
        "filled": .flag(gap.isFilled),
      ]
      return .event("gap", at: gap.wallTime, members + Self.owner(gap.track))
    case .deviceLost: return .event("device-lost", at: wallTime)
    case .deviceReturned(let source): return .event("device-returned", at: wallTime, device(source))
    case .deviceChanged(let source): return .event("device-changed", at: wallTime, device(source))
    case .sourceRefused(let error):
      let message = error.commandMessage(for: .capture)
      return .event("source-refused", at: wallTime, ["message": .text(message)])
    case .suspended: return .event("suspended", at: wallTime)
    case .resumed: return .event("resumed", at: wallTime)
    case .stalled: return .event("stalled", at: wallTime)
    case .signal(let event):
      return .event(
        event.keyword, at: wallTime,
        device(event.device) + [
          "length": .integer(event.length), "seconds": seconds(event.length),
        ])
    case .formatChanged(let sampleRate, let channelCount):
      return .event(
        "format-changed", at: wallTime,
        ["sampleRate": .integer(sampleRate), "channels": .integer(channelCount)])
    case .track(let name, let event):
      return event.json(wallTime: wallTime, plan: plan, file: file).map { $0 + Self.owner(name) }
    case .trackStarted(let name): return .event("track-started", at: wallTime, Self.owner(name))
    case .trackStopped(let name): return .event("track-stopped", at: wallTime, Self.owner(name))
    case .trackEnded(let name): return .event("track-ended", at: wallTime, Self.owner(name))
    case .trackFailed(let name, let error):
      let members: JSONValue = [
        "error": .text(error.keyword), "message": .text(error.commandMessage),
      ]
      return .event("track-failed", at: wallTime, Self.owner(name) + members)
    case .paused(let isPaused): return .event(isPaused ? "paused" : "continued", at: wallTime)
    case .muted(let isMuted): return .event(isMuted ? "muted" : "unmuted", at: wallTime)
    case .monitor(let event):
      return .event(
        "monitor", at: wallTime,
        ["state": .text(event.keyword), "message": .optional(event.commandMessage)])
    case .outputOpened(let name):
      return .event("opened", at: wallTime, ["file": .text(name)])
    case .outputClosed:
      return file.map { JSONValue.event("closed", at: wallTime, $0.json(sampleRate: rate)) }
    case .outputMoved(let old, let new):
      return .event(
        "output-moved", at: wallTime, ["file": .text(old), "to": .text(new)])
    case .outputLost(let name, let error):
      return .event("output-lost", at: wallTime, Self.failure(of: name, error))
    case .outputsMissing(let names):
      return .event(
        "outputs-away", at: wallTime,
        ["files": .texts(names), "message": .optional(commandMessage(sampleRate: rate)?.text)])
    case .outputFailed(let name, let error):
      return .event("output-failed", at: wallTime, Self.failure(of: name, error))
    // The report at the end contains the result, so this event is not printed.
    case .stopped: return nil
    }
  }

  /// Returns a member with the event's track, if there are several.
  private static func owner(_ track: String?) -> JSONValue {
    track.map { ["track": .text($0)] } ?? [:]
  }

  private static func failure(of name: String, _ error: OutputError) -> JSONValue {
    [
      "file": .text(name), "error": .text(error.kind.rawValue),
      "message": .text(error.commandMessage),
    ]
  }

  /// Returns a JSON object with the levels of a recording: for each channel the peak in dBFS since
  /// the previous call, then the loudness, then the peaks of each track.
  static func levelJSON(_ status: RecordingStatus) -> JSONValue {
    let seconds = Double(status.sampleCount) / Double(max(1, status.sampleRate))
    let tracks = status.tracks.map { track -> JSONValue in
      ["track": .text(track.name), "peak": .decimal(Double(Decibels.of(amplitude: track.peak)), 1)]
    }
    let levels: JSONValue = tracks.isEmpty ? [:] : ["tracks": .list(tracks)]
    let members: JSONValue = [
      "event": .text("level"), "position": .integer(status.sampleCount),
      "seconds": .decimal(seconds, 3),
      // Silence is −∞ dBFS, which JSON cannot represent, so the value is null.
      "peak": .list(status.peaks.map { .decimal(Double(Decibels.of(amplitude: $0)), 1) }),
      "clipped": .integer(status.clippedSampleCount),
    ]
    return members + status.loudness.json + levels
  }
}

extension SignalEvent {
  /// The name of the event in JSON.
  fileprivate var keyword: String {
    switch problem {
    case .silent: isActive ? "silent" : "audible"
    }
  }
}

extension LiveTally.File {
  func json(sampleRate: Int) -> JSONValue {
    func seconds(_ samples: Int) -> JSONValue { .decimal(Double(samples) / Double(sampleRate), 6) }
    return [
      "file": .text(name), "samples": .integer(sampleCount), "duration": seconds(sampleCount),
      "bytes": .integer(byteCount), "gaps": .integer(gapCount),
      "lostSamples": .integer(lostSampleCount),
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
  var json: JSONValue { outputJSON + ["monitor": .flag(isMonitor)] }

  /// A playback device as JSON; properties that are unknown until it is opened are null.
  var outputJSON: JSONValue {
    [
      "backend": .text(backend.rawValue), "id": .text(id), "name": .text(name),
      "details": .text(details), "channels": channelCount > 0 ? .integer(channelCount) : .null,
      "sampleRate": sampleRate > 0 ? .integer(sampleRate) : .null, "default": .flag(isDefault),
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
  var json: JSONValue {
    [
      "momentary": .level(momentary), "shortTerm": .level(shortTerm),
      "integrated": .level(integrated), "truePeak": .level(truePeak),
    ]
  }

  var totalJSON: JSONValue {
    ["loudness": .level(integrated), "loudnessRange": .level(range), "truePeak": .level(truePeak)]
  }
}
