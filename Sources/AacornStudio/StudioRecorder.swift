import AacornDevices
import AacornRecording
import AacornSystem
import AacornWeb

/// Records in the studio: carries out the commands of pages, and keeps them informed.
///
///     server's thread: handle(…) ─► worker: one command after the other ─► answer
///     session's thread: sound, events ─► board, monitor ─► pulse: state and meters for pages
///     a thread that watches devices ─► list of devices for pages
final class StudioRecorder: Sendable {
  let library: StudioLibrary
  let systems: [any CaptureSystem.Type]
  let board: RecorderBoard
  let worker = StudioWorker()
  let pulse: RecorderPulse
  private let events: EventHub
  private let devices: DeviceWatch
  /// Where recordings go.
  let folder: KeptFolder
  /// The current recording or listening; changed only by the worker.
  let active = Lock<ActiveRecording?>(nil)
  /// Where listeners find the current recording, or the last one for a while.
  let hls = Lock<HLSPlace?>(nil)
  /// How the last recording has ended; nil while one is in progress, and before the first.
  let ending = Lock<StudioEnding?>(nil)
  /// Told at once what others remove or damage of a recording, in a sentence.
  let tellMishap: @Sendable (String) -> Void
  /// The beginning of those listeners' paths.
  let streamPath: String

  /// Creates a recorder that captures from these systems, the preferred one first.
  init(
    library: StudioLibrary, events: EventHub, streamPath: String = "/hls/",
    systems: [any CaptureSystem.Type] = CaptureSystems.all, pulse: RecorderPulse = RecorderPulse(),
    tellMishap: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.library = library
    folder = KeptFolder(library.folder)
    self.events = events
    self.streamPath = streamPath
    self.systems = systems
    self.pulse = pulse
    self.tellMishap = tellMishap
    board = RecorderBoard(folder: library.folder) { pulse.touch() }
    devices = DeviceWatch(systems, events)
    pulse.start(events, board) { [weak self] in
      guard let self else { return }
      worker.run {
        // A page may have connected since.
        if events.listenerCount == 0 { self.endListening() }
      }
    }
  }

  /// Whether a recording is in progress.
  var isRecording: Bool { active.withLock { $0?.isListening == false } }

  /// The last completed recording; nil if there was none since the studio started.
  var lastRecording: StudioRecording? { board.last }

  /// Ends everything in order, and returns when it has ended: how the recording that was in progress
  /// has, or nil if none was.
  @discardableResult
  func stop() -> StudioEnding? {
    // A page, or a failure, may be ending it just now.
    let wasRecording = Lock(isRecording || board.phase == .stopping)
    worker.stop { [self] in
      endListening()
      guard let recording = active.withLock({ $0 }) else { return }
      wasRecording.withLock { $0 = true }
      _ = end(recording)
    }
    devices.stop()
    pulse.stop()
    return wasRecording.withLock { $0 } ? ending.withLock { $0 } : nil
  }

  // MARK: - Requests

  /// Handles a request whose path is `api/…` or `hls/…`; false if it is not about recording.
  ///
  /// It is called on the server's thread, so nothing here may wait.
  func handle(_ path: [String], _ request: HTTPRequest, _ responder: HTTPResponder) -> Bool {
    if path.first == "hls" { return serveStream(request, responder) }
    guard path.count == 2, path[0] == "api" else { return false }
    switch path[1] {
    case "state": get(request, responder) { board.json }
    case "devices": get(request, responder) { devices.list.json }
    default:
      guard let command = Command(rawValue: path[1]) else { return false }
      post(command, request, responder)
    }
    return true
  }

  private func serveStream(_ request: HTTPRequest, _ responder: HTTPResponder) -> Bool {
    let place = hls.withLock { place in
      if place?.isOver == true { place = nil }
      return place
    }
    place?.handle(request, responder)
    return place != nil
  }

  private func get(
    _ request: HTTPRequest, _ responder: HTTPResponder, _ json: () -> String
  ) {
    guard request.method == "GET" || request.method == "HEAD" else {
      responder.respond(StudioAnswer.methodNotAllowed(["GET", "HEAD"], for: request))
      return
    }
    responder.respond(StudioAnswer.json(json()))
  }

  private func post(_ command: Command, _ request: HTTPRequest, _ responder: HTTPResponder) {
    guard request.method == "POST" else {
      responder.respond(StudioAnswer.methodNotAllowed(["POST"], for: request))
      return
    }
    let isTaken = worker.run { [self] in
      do throws(StudioRefusal) {
        let answer = try obey(command, FormFields(request))
        pulse.tell(events, board)
        responder.respond(StudioAnswer.json(answer.encoded))
      } catch {
        pulse.tell(events, board)
        responder.respond(
          StudioAnswer.failure(error.sentence, status: error.status, field: error.field))
      }
    }
    if isTaken { return }
    responder.respond(
      StudioAnswer.failure("The studio is shutting down.", status: 503, for: request))
  }
}
