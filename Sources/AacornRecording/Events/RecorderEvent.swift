public import AacornDevices
import AacornSystem

/// An event of a recording.
public enum RecorderEvent: Sendable, Equatable {
  /// The first samples have arrived; the wall clock at the first one, in nanoseconds since 1970.
  case started(Device?, wallTime: Int64)
  /// Audio is missing or was omitted.
  case gap(RecordingGap)
  /// The device or the sound server was disconnected; silence is recorded until it returns.
  case deviceLost
  /// Audio is available again.
  case deviceReturned(Device?)
  /// Audio now comes from another device.
  case deviceChanged(Device?)
  /// Another source could not be opened; the recording continues with the old one.
  case sourceRefused(DeviceError)
  /// The device was suspended, or another program uses it, for example a call.
  ///
  /// Silence is recorded until the device returns, or until ``Recorder/resume()`` reconnects to it.
  case suspended
  /// The device was resumed, or delivers samples again.
  case resumed
  /// The device has delivered no samples for two seconds, although it is connected.
  ///
  /// Silence is recorded until it delivers samples again, which `resumed` reports. Before `started`,
  /// the recording waits for the first samples.
  case stalled
  /// A problem in the signal of the source, such as a muted microphone, has begun or ended.
  case signal(SignalEvent)
  /// The device has another rate or other channels; the recording keeps its own.
  case formatChanged(sampleRate: Int, channelCount: Int)
  /// An event of a further track, with the track's name; a gap of such a track is reported by
  /// `gap`, which has the track's name.
  indirect case track(String, RecorderEvent)
  /// The track with this name was started, by a client or at its start offset.
  case trackStarted(String)
  /// The track with this name was stopped, by a client or at its stop offset, and fades out.
  case trackStopped(String)
  /// The further track with this name has ended and is silent from here on.
  case trackEnded(String)
  /// The further track with this name has failed and is silent from here on, or its file is
  /// damaged, which is reported when the recording ends.
  ///
  /// The other tracks continue.
  case trackFailed(String, RecordingError)
  /// The recording was paused or resumed.
  case paused(Bool)
  /// The recording was muted or unmuted.
  case muted(Bool)
  /// An event of the monitor, which does not affect the recording.
  case monitor(MonitorEvent)
  /// A file, or another output, has begun.
  case outputOpened(String)
  /// An output, or one of its files, is complete.
  case outputClosed(OutputSummary)
  /// An output was renamed by another program; it continues under the new name.
  case outputMoved(from: String, to: String)
  /// A part of an output may be lost; the error describes the loss and names the file in which the
  /// recording continues.
  case outputLost(name: String, OutputError)
  /// When the recording ended, complete files were missing; another program may have moved them.
  case outputsMissing([String])
  /// An output failed; the others continue.
  case outputFailed(name: String, OutputError)
  /// The recording has ended.
  case stopped(RecordingSummary)
}

extension RecordingStatus {
  /// The current duration of the recording.
  public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
}

extension RecordingGap {
  /// Returns the start of the gap in a recording of this rate, from the recording's start.
  public func start(at sampleRate: Int) -> Duration { Duration(samples: position, at: sampleRate) }

  /// Returns the duration of the gap in a recording of this rate.
  public func duration(at sampleRate: Int) -> Duration { Duration(samples: length, at: sampleRate) }
}

extension EncodedPacket {
  /// Returns the start of the packet in a recording of this rate, from the recording's start.
  public func start(at sampleRate: Int) -> Duration { Duration(samples: position, at: sampleRate) }
}

extension RecorderEvent {
  /// The importance of an event to a user.
  package enum Weight { case always, verbose }

  /// Returns the event as text if it is reported during the recording; `sampleRate` is the
  /// recording's.
  ///
  /// `deviceMessage` and `outputMessage` return the program's texts for errors of devices and
  /// outputs.
  package func message(
    sampleRate: Int,
    deviceMessage: (DeviceError, DeviceDirection) -> String = { error, _ in error.message },
    outputMessage: (OutputError) -> String = { $0.message }
  ) -> (text: String, weight: Weight)? {
    func time(_ samples: Int) -> Double { Double(samples) / Double(max(1, sampleRate)) }
    switch self {
    case .started(let device, let wallTime):
      let form = device.flatMap(Self.form).map { " (\($0))" } ?? ""
      return (
        "Receiving audio from \(Self.name(device))\(form) since \(Timestamp.iso8601(wallTime)).",
        .verbose
      )
    case .gap(let gap) where gap.isFilled:
      let owner = gap.track.map { " of “\(displayed($0))”" } ?? ""
      return (
        "\(QuantityText.length(time(gap.length))) of audio\(owner) is missing at "
          + "\(QuantityText.duration(time(gap.position))) (\(gap.cause.description)) and was replaced by "
          + "silence.", .always
      )
    case .gap(let gap) where gap.cause == .paused:
      return ("A pause of \(QuantityText.length(time(gap.length))) was not recorded.", .verbose)
    case .gap(let gap):
      return (
        "\(QuantityText.length(time(gap.length))) of surplus audio arrived at "
          + "\(QuantityText.duration(time(gap.position))).", .verbose
      )
    case .deviceLost:
      return ("The device was disconnected. Silence is recorded until it returns.", .always)
    case .deviceReturned(let device):
      return ("Receiving audio again from \(Self.name(device)).", .always)
    case .deviceChanged(let device):
      return ("Now receiving audio from \(Self.name(device)).", .always)
    case .sourceRefused(let error):
      let words = deviceMessage(error, .capture)
      return ("The recording continues from the previous source. \(words)", .always)
    case .suspended:
      return (
        "The device was suspended, or another program uses it. Silence is recorded until it returns.",
        .always
      )
    case .resumed:
      return ("The device has resumed.", .always)
    case .stalled:
      return ("The device delivers no audio. Check that it is connected and turned on.", .always)
    case .signal(let event): return (Self.message(event, time(event.length)), .always)
    case .formatChanged(let rate, let channelCount):
      return (
        "The device changed to \(Self.form(rate, channelCount) ?? "another format"). The recording "
          + "keeps its format.", .always
      )
    case .track(let name, let event):
      guard
        let (text, weight) = event.message(
          sampleRate: sampleRate, deviceMessage: deviceMessage, outputMessage: outputMessage)
      else { return nil }
      return ("Track “\(displayed(name))”: \(text)", weight)
    case .trackStarted(let name): return ("The track “\(displayed(name))” starts.", .always)
    case .trackStopped(let name): return ("The track “\(displayed(name))” stops.", .always)
    case .trackEnded(let name):
      return ("The track “\(displayed(name))” has ended.", .verbose)
    case .trackFailed(let name, let error):
      var words = error.message
      if case .capture(let error) = error { words = deviceMessage(error, .capture) }
      if error.isInputDamage {
        return ("The track “\(displayed(name))” is incomplete: \(words)", .always)
      }
      return (
        "The track “\(displayed(name))” cannot continue and is silent from here on. \(words)",
        .always
      )
    case .paused(let isPaused): return (isPaused ? "Paused." : "The recording continues.", .always)
    case .muted(let isMuted): return (isMuted ? "Muted." : "Unmuted.", .always)
    case .monitor(let event):
      let text = event.message { deviceMessage($0, .playback) }
      return text.map { ($0, event.isVerboseOnly ? .verbose : .always) }
    case .outputOpened(let name):
      return ("Recording into \(Self.quoted(name)).", .always)
    case .outputMoved(let old, let new):
      return (
        "\(Self.quoted(old)) was moved or renamed. The recording continues in \(Self.quoted(new)).",
        .always
      )
    case .outputLost(_, let error): return (outputMessage(error), .always)
    case .outputsMissing(let names) where names.count == 1:
      return ("\(Self.quoted(names[0])) was moved or deleted by another program.", .always)
    case .outputsMissing(let names):
      let parts = QuantityText.count(names.count, "complete part")
      return ("\(parts) were moved or deleted by another program.", .always)
    case .outputClosed(let output):
      return output.compactFailure.map { (outputMessage($0), .always) }
    case .outputFailed, .stopped: return nil
    }
  }

  private static func message(_ event: SignalEvent, _ seconds: Double) -> String {
    switch event.problem {
    case .silent where event.isActive:
      let text =
        "No sound from \(name(event.device)) for \(QuantityText.count(Int(seconds), "second"))."
      // A file or a test signal has no mute switch.
      return event.device?.backend == .synthetic ? text : text + " Is it muted?"
    case .silent:
      return
        "Sound arrives again from \(name(event.device)), after \(QuantityText.length(seconds)) "
        + "of silence."
    }
  }

  private static func name(_ device: Device?) -> String {
    guard let device else { return "the device" }
    return "“\(displayed(device.name.isEmpty ? device.id : device.name))”"
  }

  private static func quoted(_ name: String) -> String {
    name == "standard output" ? name : "“\(displayed(name))”"
  }

  private static func form(_ device: Device) -> String? {
    form(device.sampleRate, device.channelCount)
  }

  /// Returns the format as “2 channels, 48 kHz”; nil if it is unknown.
  private static func form(_ sampleRate: Int, _ channelCount: Int) -> String? {
    var parts: [String] = []
    if channelCount > 0 { parts.append(QuantityText.count(channelCount, "channel")) }
    if sampleRate > 0 { parts.append(QuantityText.frequency(sampleRate)) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
