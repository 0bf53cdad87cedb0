import AacornCodec
import AacornContainers
import AacornRecording
import AacornStreaming
import AacornSystem

/// An event of a stream, for display and JSON.
enum LiveEvent: Sendable {
  case sound(RecorderEvent)
  /// An output has changed its state.
  case output(Int, OutputStatus.State)
  /// An output has dropped `count` frames or segments since its last report.
  case dropped(Int, count: Int)
  /// The bitrate was adapted to the network.
  case bitrate(BitrateChange)
  /// The title has changed.
  case metadata(LiveMetadata)
  /// A server of the program listens at a URL.
  case listening(Service, url: String)
  case warning(String)

  enum Service: String, Sendable {
    case hls, status
  }

  /// Returns the event as JSON, or nil if another event reports it.
  ///
  /// `outputs` are the outputs of a stream, `file` is the file that a recording has completed.
  func json(
    wallTime: Int64, _ plan: LivePlan, outputs: [OutputStatus], file: LiveTally.File? = nil
  ) -> JSONValue? {
    switch self {
    case .sound(let event):
      switch event {
      // Outputs report these events themselves.
      case .outputOpened where !plan.isRecording, .outputClosed where !plan.isRecording,
        .outputFailed where !plan.isRecording:
        return nil
      default: return event.json(wallTime: wallTime, plan: plan, file: file)
      }
    case .output(let index, let state):
      return .event("output", at: wallTime, outputs[index].identity + state.json)
    case .dropped(let index, let count):
      let output = outputs[index]
      return .event(
        "dropped", at: wallTime,
        output.identity + [
          "frames": .optional(output.dropsSegments ? nil : count),
          "segments": .optional(output.dropsSegments ? count : nil),
        ])
    case .bitrate(let change):
      return .event(
        "bitrate-changed", at: wallTime,
        [
          "from": .integer(change.from), "to": .integer(change.to),
          "because": .text(change.because.rawValue),
        ])
    case .metadata(let metadata):
      return .event(
        "metadata", at: wallTime,
        ["title": .optional(metadata.title), "artist": .optional(metadata.artist)])
    case .listening(let service, let url):
      return .event(
        "listening", at: wallTime,
        ["service": .text(service.rawValue), "url": .text(url)])
    case .warning where plan.isRecording && plan.report.isQuiet: return nil
    case .warning(let message):
      return .event("warning", at: wallTime, ["message": .text(message)])
    }
  }
}

extension LiveEvent {
  /// Returns the event as a human-readable message, if it is reported during the stream.
  func message(
    wallTime: Int64, _ plan: LivePlan, outputs: [OutputStatus], previous: OutputReports?
  ) -> (text: String, weight: RecorderEvent.Weight)? {
    switch self {
    case .sound(.outputOpened) where !plan.isRecording,
      .sound(.outputFailed) where !plan.isRecording:
      return nil
    case .sound(let event):
      return event.commandMessage(sampleRate: plan.configuration.sampleRate)
    case .output(let index, let state):
      let output = outputs[index]
      let message = Self.message(
        output, state, previous ?? OutputReports(), wallTime,
        rate: plan.configuration.sampleRate)
      guard let message, state == .live, previous?.wasLive != true,
        let playlist = plan.playlistPath(of: output)
      else { return message }
      return (message.0 + " The playlist is \(displayed(playlist)).", message.1)
    case .dropped(let index, let count):
      let output = outputs[index]
      let seconds = Double(count) * plan.unitSeconds(of: output)
      return (
        "\(Self.subject(output)): \(QuantityText.count(count, output.droppedUnit)) "
          + "(\(QuantityText.length(seconds))) could not be sent and "
          + "\(count == 1 ? "was" : "were") dropped.", .always
      )
    case .bitrate(let change):
      let reason =
        switch change.because {
        case .queueGrew: "the send queue is growing"
        case .framesDropped: "frames were dropped"
        case .queueEmpty: "the send queue is empty"
        }
      return (
        "The bitrate is now \(QuantityText.bitrate(Double(change.to))) instead of "
          + "\(QuantityText.bitrate(Double(change.from))), because \(reason).", .always
      )
    case .metadata(let metadata):
      return (
        metadata.line.map { "Now playing “\(displayed($0))”." }
          ?? "No title is set now.",
        .verbose
      )
    case .listening(.hls, let url): return ("HLS is served at \(Self.usableAddress(url)).", .always)
    case .listening(.status, let url):
      return ("The status is at \(Self.usableAddress(url + "/status")).", .always)
    case .warning(let message): return ("Warning: " + message, .always)
    }
  }

  /// Returns a URL that a listener can open: an address of this machine replaces a wildcard.
  private static func usableAddress(_ url: String) -> String {
    for host in ["http://0.0.0.0:", "http://[::]:"] where url.hasPrefix(host) {
      let address = System.addresses.first ?? "127.0.0.1"
      let name = address.contains(":") ? "[\(address)]" : address
      return "http://\(name):\(url.dropFirst(host.count))"
    }
    return url
  }

  private static func message(
    _ output: OutputStatus, _ state: OutputStatus.State, _ previous: OutputReports,
    _ wallTime: Int64, rate: Int
  ) -> (String, RecorderEvent.Weight)? {
    let subject = subject(output)
    switch state {
    case .ready, .connecting: return ("\(subject): connecting.", .verbose)
    case .live where !output.kind.isServer && previous.lossTime == nil:
      return ("\(subject): started.", .always)
    case .live:
      guard previous.wasLive, let lossTime = previous.lossTime else {
        return ("\(subject): live.", .always)
      }
      let seconds = Double(max(0, wallTime - lossTime)) / 1e9
      return ("\(subject): live again after \(QuantityText.length(seconds)).", .always)
    case .reconnecting(let problem, let attempt):
      let words = displayed(problem.message)
      // A repeated problem is reported once; the bottom line shows the attempts.
      let weight = attempt <= 1 || previous.reportedProblem != problem.keyword
      return ("\(subject): \(words) Trying again.", weight ? .always : .verbose)
    case .stopped: return ("\(subject): closed.", .verbose)
    case .failed(let problem):
      return ("Gave up on \(subject): \(displayed(problem.message))", .always)
    }
  }

  /// Returns the subject of a message, such as “icecast (radio.example.org)”.
  private static func subject(_ output: OutputStatus) -> String {
    "\(output.id) (\(displayed(output.name)))"
  }
}

extension LivePlan {
  /// Returns the path or the URL of the playlist that players open, in an HLS folder or on an upload
  /// server.
  fileprivate func playlistPath(of output: OutputStatus) -> String? {
    guard output.kind == .hls else { return nil }
    for case .hls(let hls) in outputs {
      let isKnown =
        hls.folders.contains(output.name) || hls.uploads.contains { $0.address == output.name }
      if isKnown { return FileName.joined(output.name, hls.configuration.name + ".m3u8") }
    }
    return nil
  }

  /// Returns the duration in seconds of a frame or segment that an output may drop.
  fileprivate func unitSeconds(of output: OutputStatus) -> Double {
    if output.dropsSegments {
      for case .hls(let hls) in outputs {
        return Double(hls.configuration.segmentDuration.milliseconds) / 1000
      }
    }
    let timing = self.timing(for: output.kind)
    return timing.seconds(timing.samplesPerUnit)
  }
}
