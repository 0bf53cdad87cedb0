import AacornDevices
import AacornNetwork
import AacornRecording
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

/// The tests of the recorder, which run serially because they share the devices of `RiggedSystem`.
@Suite("The recorder", .serialized, .simulated(seeds: 3)) enum RecorderSuites {}

/// A recorder with its own server, controlled over HTTP as from the page.
final class RecorderRig {
  let folder: StudioFolderRig
  let events = EventHub()
  let library: StudioLibrary
  let recorder: StudioRecorder
  let server: HTTPServer

  /// Creates a recorder that captures from `systems`, or from the built-in signals if there are
  /// none.
  init(
    _ systems: [any DeviceSystem.Type] = [], abandonTimeoutMilliseconds: Int = 10_000,
    in folder: StudioFolderRig? = nil,
    reportIncident: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    let folder = try folder ?? StudioFolderRig()
    self.folder = folder
    let library = StudioLibrary(folder: folder.path, events: events)
    let recorder = StudioRecorder(
      library: library, events: events, systems: systems,
      broadcaster: RecorderBroadcaster(abandonTimeoutMilliseconds: abandonTimeoutMilliseconds),
      reportIncident: reportIncident)
    let events = events
    (self.library, self.recorder) = (library, recorder)
    server = try HTTPServer(address: "127.0.0.1", port: 0) { request, responder in
      if request.components == ["api", "events"] {
        responder.respond(events.attach())
      } else if !recorder.handle(request.components, request, responder) {
        responder.respond(.notFound)
      }
    }
  }

  deinit {
    recorder.stop()
    library.stop()
    events.close()
    server.stop()
  }

  func get(_ path: String) throws -> StudioClient.Answer {
    try studioAnswer(port: server.port, path)
  }

  /// Sends a command; the fields may repeat.
  @discardableResult
  func post(_ command: String, _ fields: [(String, String)] = []) throws -> StudioClient.Answer {
    let form = fields.map { "\($0.0)=\(LibraryRig.escaped($0.1))" }.joined(separator: "&")
    return try studioAnswer(port: server.port, "/api/\(command)", form: form)
  }

  var state: [String: Any] { (try? get("/api/state").json) ?? [:] }
  var phase: String { state["phase"] as? String ?? "" }
  var settings: [String: Any] { state["settings"] as? [String: Any] ?? [:] }
  var recording: [String: Any]? { state["recording"] as? [String: Any] }
  var outputs: [[String: Any]] { recording?["outputs"] as? [[String: Any]] ?? [] }
  var devices: [String: Any] { (try? get("/api/devices").json) ?? [:] }

  var deviceIDs: [String] {
    (devices["devices"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  var messages: [String] {
    (state["messages"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
  }

  /// The names of the files in the folder, without hidden files.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  func bytes(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: path(name)).map { Array($0) } ?? []
  }

  /// Waits until the session has captured `seconds` of audio.
  func waitForSound(_ seconds: Double) -> Bool {
    eventually { recordedSeconds >= seconds }
  }

  private var recordedSeconds: Double {
    guard let status = recorder.active.withLock({ $0 })?.session.takeStatus() else { return 0 }
    return Double(status.sampleCount) / Double(max(1, status.sampleRate))
  }
}

/// The event stream of a page, read with its own client.
final class RecorderPage {
  private let client: StudioClient

  init(_ rig: RecorderRig) throws {
    client = try StudioClient(port: rig.server.port)
    client.ask("/api/events")
    #expect(try client.head().status == 200)
  }

  deinit { client.close() }

  /// Returns the next event of a name, skipping events of other names.
  func next(_ name: String) throws -> [String: Any] { try next(name, where: { _ in true }) }

  /// Reads events until one of this name meets the condition.
  func next(
    _ name: String, where condition: ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    let deadline = System.seconds + TestTimeout.seconds
    while System.seconds < deadline {
      guard let event = try client.event(), event.name == name else { continue }
      let json = try JSONSerialization.jsonObject(with: Data(event.data.utf8))
      let fields = try #require(json as? [String: Any])
      if condition(fields) { return fields }
    }
    throw RigFailure("No event “\(name)” came as wanted.")
  }
}
