import AacornContainers
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// Audio that is being recorded, or only listened to, from when its device is opened.
final class ActiveRecording: Sendable {
  let plan: RecordingPlan
  /// The name of the file; nil if nothing is recorded.
  let name: String?
  let session: RecordingSession
  let monitor: SoundMonitor
  let outputs: OutputNews
  /// The source for listeners of the studio's own server, if there is such an output.
  let hls: HLSPlace?
  private let packetOutputs: [any PacketOutput]

  /// Creates a recording into a file in this folder, or listening if there is no name.
  init(
    _ plan: RecordingPlan, folder: String, name: String?, outputs: OutputNews,
    streamPath: String, events: @escaping @Sendable (RecorderEvent) -> Void
  ) {
    self.plan = plan
    self.name = name
    self.outputs = outputs
    let monitor = SoundMonitor(plan.configuration)
    self.monitor = monitor
    session = RecordingSession(
      plan.configuration, events: events, packets: { monitor.take($0) },
      sound: { monitor.take($0) })
    var made: [any PacketOutput] = []
    var hls: HLSPlace?
    if let name {
      let file = FileOutput(Self.path(folder, name), plan.wish.format, plan.fileOptions)
      let list = outputs.list
      made.append(WatchedOutput(file, list.add(.save, name: name), on: list))
    }
    for output in plan.outputs {
      switch output {
      case .server(let server):
        made.append(outputs.list.connect(to: server, metadata: plan.metadata))
      case .hls(let configuration):
        let place = HLSPlace(configuration, title: plan.wish.title, below: streamPath)
        let index = outputs.list.add(.hls, name: "HLS", url: place.path)
        let output = HLSOutput(configuration, stores: [place.store], name: "HLS")
        made.append(WatchedOutput(output, index, on: outputs.list))
        hls = place
      }
    }
    self.hls = hls
    packetOutputs = made
  }

  /// Whether nothing is being recorded.
  var isListening: Bool { name == nil }

  /// Opens the device and the outputs, and starts recording.
  func start(_ source: any CaptureSource) throws(RecordingError) {
    try session.start(source, outputs: packetOutputs)
  }

  /// Ends it with everything that was captured, and waits until its outputs are complete.
  func stop() -> RecordingSummary {
    session.stop()
    while true {
      if let summary = session.waitForEnd(for: .seconds(1)) { return summary }
    }
  }

  /// The path of a file in a folder.
  static func path(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }
}

extension RecordingPlan {
  fileprivate var fileOptions: FileOutput.Options {
    var options = FileOutput.Options()
    options.tags.title = wish.title.isEmpty ? nil : wish.title
    options.tags.artist = wish.artist.isEmpty ? nil : wish.artist
    return options
  }

  /// What servers say is played.
  fileprivate var metadata: LiveMetadata {
    LiveMetadata(
      title: wish.title.isEmpty ? nil : wish.title, artist: wish.artist.isEmpty ? nil : wish.artist)
  }
}
