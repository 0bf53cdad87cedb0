import AacornContainers
import AacornDevices
import AacornNetwork
import AacornSystem

/// The recorder of the studio: executes the commands of pages, and keeps pages informed.
///
///     server's thread: handle(…) ─► worker: one command after the other ─► response
///     session's thread: audio, events ─► statusStore, monitor ─► broadcaster ─► pages
///     thread that watches devices ─► list of devices for pages
final class StudioRecorder: Sendable {
  let library: StudioLibrary
  let systems: [any DeviceSystem.Type]
  let statusStore: RecorderStatusStore
  let worker = SerialWork("recorder")
  let broadcaster: RecorderBroadcaster
  private let events: EventHub
  private let devices: DeviceWatch
  /// The current recording or monitoring session; changed only by the worker.
  let active = Lock<ActiveRecording?>(nil)
  /// The live stream of the current recording, or of the last one during its drain period.
  let hls = Lock<RecordingHLSServer?>(nil)
  /// The result of the last recording; nil while a recording is in progress, and before the first
  /// one.
  let ending = Lock<StudioShutdownResult?>(nil)
  /// A function that receives a message immediately when another program removes or damages a
  /// recording, or an error ends a recording or an output.
  let reportIncident: @Sendable (String) -> Void
  /// The prefix of the paths of live streams.
  let streamPath: String

  /// Creates a recorder that captures from `systems`, the preferred one first.
  init(
    library: StudioLibrary, events: EventHub, streamPath: String = "/hls/",
    systems: [any DeviceSystem.Type] = DeviceSystems.all,
    broadcaster: RecorderBroadcaster = RecorderBroadcaster(),
    reportIncident: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.library = library
    self.events = events
    self.streamPath = streamPath
    self.systems = systems
    self.broadcaster = broadcaster
    self.reportIncident = reportIncident
    statusStore = RecorderStatusStore(folder: library.disk.path) { broadcaster.markChanged() }
    devices = DeviceWatch(systems, events)
    broadcaster.start(events, statusStore) { [weak self] in
      guard let self else { return }
      worker.run {
        // A page may have connected since the timeout.
        if events.listenerCount == 0 { self.endListening() }
      }
    }
  }

  /// Whether a recording is in progress.
  var isRecording: Bool { active.withLock { $0?.isListening == false } }

  /// The last completed recording; nil if no recording was completed since the studio started.
  var lastRecording: StudioRecording? { statusStore.last }

  /// The maximum time in milliseconds to end a recording; outputs and devices have lower limits.
  private static let stopTime = 600_000

  /// Ends the recorder and its threads, and waits for their end.
  ///
  /// Returns the result of the recording that was in progress, or nil if none was.
  @discardableResult
  func stop() -> StudioShutdownResult? {
    // A page or a failure may already be ending the recording.
    let wasRecording = Lock(isRecording || statusStore.phase == .stopping)
    let hasEnded = worker.stop(milliseconds: Self.stopTime) { [self] in
      endListening()
      guard let recording = active.withLock({ $0 }) else { return }
      wasRecording.withLock { $0 = true }
      _ = end(recording)
    }
    devices.stop()
    broadcaster.stop()
    guard wasRecording.withLock({ $0 }) else { return nil }
    if hasEnded { return ending.withLock { $0 } }
    return StudioShutdownResult(nil, losses: [Self.abandonedMessage(library.disk.path)])
  }

  private static func abandonedMessage(_ folder: String) -> String {
    "The recording was not completed within 10 minutes: the folder “\(displayed(folder))” or a"
      + " device does not respond. Repair the file when the folder responds."
  }

  // MARK: - Requests

  /// Handles a request with a path `api/…` or `hls/…`; returns false if it does not belong to the
  /// recorder.
  ///
  /// The server calls this method on its own thread, so it must not wait.
  func handle(_ path: [String], _ request: HTTPRequest, _ responder: HTTPResponder) -> Bool {
    if path.first == "hls" { return serveStream(request, responder) }
    guard path.count == 2, path[0] == "api" else { return false }
    switch path[1] {
    case "state": get(request, responder) { statusStore.json }
    case "devices": get(request, responder) { devices.list.json }
    default:
      guard let command = Command(rawValue: path[1]) else { return false }
      post(command, request, responder)
    }
    return true
  }

  private func serveStream(_ request: HTTPRequest, _ responder: HTTPResponder) -> Bool {
    let hlsServer = hls.withLock { hlsServer in
      if hlsServer?.isFinished == true { hlsServer = nil }
      return hlsServer
    }
    hlsServer?.handle(request, responder)
    return hlsServer != nil
  }

  private func get(
    _ request: HTTPRequest, _ responder: HTTPResponder, _ json: () -> String
  ) {
    if request.hasMethod(["GET", "HEAD"], orRespond: responder.respond) {
      responder.respond(StudioResponse.json(json()))
    }
  }

  private func post(_ command: Command, _ request: HTTPRequest, _ responder: HTTPResponder) {
    guard request.hasMethod(["POST"], orRespond: responder.respond) else { return }
    let isTaken = worker.run { [self] in
      do throws(StudioError) {
        let answer = try execute(command, FormFields(request))
        broadcaster.publishState(events, statusStore)
        responder.respond(StudioResponse.json(answer.encoded))
      } catch {
        broadcaster.publishState(events, statusStore)
        responder.respond(error.response)
      }
    }
    if !isTaken { responder.respond(StudioError.shuttingDown.response) }
  }
}
