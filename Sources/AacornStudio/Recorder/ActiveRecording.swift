import AacornContainers
import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// A recording, or monitoring without a recording, from the opening of its device on.
final class ActiveRecording: Sendable {
  let plan: RecordingPlan
  /// The name of the file; nil while only monitoring.
  let name: String?
  let session: RecordingSession
  let monitor: SoundMonitor
  let outputs: OutputMessages
  /// The HLS stream on the studio's own server; nil if it is not one of the outputs.
  let hls: RecordingHLSServer?
  private let packetOutputs: [any PacketOutput]

  /// Creates a recording into a file `name` in `folder`, or monitoring without a file if `name` is
  /// nil.
  init(
    _ plan: RecordingPlan, folder: LibraryFolder, name: String?, outputs: OutputMessages,
    streamPath: String, events: @escaping @Sendable (RecorderEvent) -> Void
  ) {
    self.plan = plan
    self.name = name
    self.outputs = outputs
    let monitor = SoundMonitor(plan.configuration)
    self.monitor = monitor
    session = RecordingSession(
      plan.configuration, events: events, packets: { monitor.append($0) }, sound: monitor)
    var made: [any PacketOutput] = []
    var hls: RecordingHLSServer?
    if let name {
      let file = FileOutput(folder.path(of: name), plan.request.format, options: plan.fileOptions)
      let list = outputs.list
      made.append(WatchedOutput(file, list.add(.save, name: name), on: list))
    }
    for output in plan.outputs {
      switch output {
      case .server(let server):
        made.append(outputs.list.connect(to: server, metadata: plan.metadata))
      case .hls(let configuration):
        let hlsServer = RecordingHLSServer(
          configuration, title: plan.request.title, below: streamPath)
        let index = outputs.list.add(.hls, name: "HLS", url: hlsServer.path)
        let output = HLSOutput(configuration, stores: [hlsServer.store], name: "HLS")
        made.append(WatchedOutput(output, index, on: outputs.list))
        hls = hlsServer
      }
    }
    self.hls = hls
    packetOutputs = made
  }

  /// Whether the audio is only monitored, without a recording.
  var isListening: Bool { name == nil }

  /// Opens the device and the outputs, and starts recording.
  func start(_ source: any CaptureSource) throws(RecordingError) {
    try session.start(source, outputs: packetOutputs)
  }

  /// Ends the recording, which keeps all captured audio, and waits until its outputs are complete.
  func stop() -> RecordingSummary {
    session.stop()
    while true {
      // If the system had no thread for the recorder's worker, the handler of the event `stopped`
      // calls this method. It must not wait for itself.
      if let summary = session.summary ?? session.wait(for: .seconds(1)) { return summary }
    }
  }
}

extension RecordingPlan {
  fileprivate var fileOptions: FileOutput.Options {
    var options = FileOutput.Options()
    options.tags.title = request.title
    options.tags.artist = request.artist
    return options
  }

  /// The title and artist that servers display.
  fileprivate var metadata: LiveMetadata {
    LiveMetadata(title: request.title, artist: request.artist)
  }
}

/// A live stream that serves a recording over HLS to listeners during the recording and for a
/// minute after.
final class RecordingHLSServer: Sendable {
  let store = HLSMemoryStore()
  /// The path of the playlist for players.
  let path: String
  private let handler: HLSHandler
  private let endTime = Lock<Int64?>(nil)

  /// Nanoseconds after the end during which listeners can still fetch the last segments.
  private static let drainTime: Int64 = 60_000_000_000

  /// Creates a stream for players that request paths beginning with `folder`, which ends in a
  /// slash.
  init(_ configuration: HLSConfiguration, title: String?, below folder: String) {
    let playlist = configuration.name + ".m3u8"
    path = folder + playlist
    handler = HLSHandler(
      store, playlistName: playlist, title: title ?? "Live")
  }

  /// Starts the drain period at the end of the recording.
  func end() { endTime.withLock { $0 = System.nanoseconds } }

  /// Whether the drain period has ended.
  var isFinished: Bool {
    endTime.withLock { $0 }.map { System.nanoseconds - $0 > Self.drainTime } ?? false
  }

  /// Handles a request whose path begins with `hls`.
  func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
    var request = request
    request.components.removeFirst()
    handler.handle(request, responder)
  }
}
