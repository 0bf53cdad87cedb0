import AacornDevices
import AacornNetwork
import AacornRecording
import AacornSignal
import AacornSystem
import Foundation
import SoundRigs

@testable import AacornStudio

/// A library in its own folder, with the requests of pages but without a connection.
final class LibraryRig: Sendable {
  let rig: StudioFolderRig
  let library: StudioLibrary
  let events = EventHub()

  init(_ limits: StudioLibrary.Limits = .init(), in rig: StudioFolderRig? = nil) throws {
    self.rig = try rig ?? StudioFolderRig()
    library = StudioLibrary(folder: self.rig.path, events: events, limits: limits)
  }

  /// Creates a library for `folder`, which need not be a folder.
  init(folder: String) throws {
    rig = try StudioFolderRig()
    library = StudioLibrary(folder: folder, events: events)
  }

  deinit {
    library.stop()
    events.close()
  }

  var path: String { rig.path }

  func file(_ name: String) -> String { rig.path + "/" + name }

  /// Writes a file; see ``StudioFolderRig/put(_:_:secondsAgo:)``.
  func put(_ bytes: [UInt8], _ name: String, secondsAgo: Double = 100) throws {
    try rig.put(bytes, name, secondsAgo: secondsAgo)
  }

  /// Sets the modification time of a file to the current time.
  func touch(_ name: String) throws { try StudioFolderRig.age(file(name), 0) }

  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: file(name)).map { Array($0) }
  }

  /// The names in the folder, including hidden ones but not the folder of work marks.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { $0 != WorkMarks.folderName }.sorted()
  }

  /// Returns the names in a hidden folder, or nil if the folder does not exist.
  func names(in folder: String) -> [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: file(folder))
  }

  // MARK: Requests

  /// A response of the library.
  struct Answer {
    var response: HTTPResponse
    var status: Int { response.status }

    var bytes: [UInt8] {
      switch response.body {
      case .bytes(let bytes): bytes
      case .file, .stream: []
      }
    }

    func header(_ name: String) -> String? { response.headers.first { $0.name == name }?.value }

    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }

    func text(_ name: String) -> String? { json[name] as? String }
    var error: String { text("error") ?? "" }
  }

  /// Sends a request and waits for the response.
  func ask(
    _ method: String, _ path: [String], fields: [(String, String)]? = nil,
    query: [(String, String)] = [], body: [UInt8] = []
  ) -> Answer {
    var request = HTTPRequest(
      method: method, components: path, query: query.map { HTTPField($0.0, $0.1) }, body: body)
    if let fields {
      request.headers.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
      request.body = Array(
        fields.map { "\($0.0)=\(Self.escaped($0.1))" }.joined(separator: "&").utf8)
    }
    let answer = Lock<HTTPResponse?>(nil)
    let answered = Semaphore()
    let isOurs = library.handle(path, request) { response in
      answer.withLock { $0 = response }
      answered.signal()
    }
    guard isOurs, answered.wait(milliseconds: TestTimeout.milliseconds),
      let response = answer.withLock({ $0 })
    else { return Answer(response: HTTPResponse(status: 0)) }
    return Answer(response: response)
  }

  static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }

  func post(_ path: [String], _ fields: [(String, String)]? = nil) -> Answer {
    ask("POST", ["api"] + path, fields: fields)
  }

  /// The library as listed for the page.
  var list: [String: Any] { ask("GET", ["api", "recordings"]).json }

  var recordings: [[String: Any]] { list["recordings"] as? [[String: Any]] ?? [] }
  var deleted: [[String: Any]] { list["deleted"] as? [[String: Any]] ?? [] }
  var revision: Int { list["revision"] as? Int ?? -1 }
  var listedNames: [String] { recordings.compactMap { $0["name"] as? String } }

  func recording(_ name: String) -> [String: Any]? {
    recordings.first { ($0["name"] as? String).map { Array($0.utf8) == Array(name.utf8) } ?? false }
  }

  func status(_ name: String) -> String? { recording(name)?["status"] as? String }

  /// Returns the entry of a recording after the library has examined it.
  func known(_ name: String) -> [String: Any] {
    var found: [String: Any] = [:]
    _ = eventually {
      found = recording(name) ?? [:]
      return !["unknown", "recording", "growing", nil].contains(found["status"] as? String)
    }
    return found
  }

  /// Uploads bytes in pieces, and returns the final response.
  func upload(_ bytes: [UInt8], as name: String, piece: Int = 10_000) -> Answer {
    let begun = post(["uploads"], [("name", name)])
    guard let id = begun.text("id") else { return begun }
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let part = Array(bytes[start..<min(bytes.count, start + piece)])
      let answer = put(part, at: start, to: id)
      if answer.status != 200 { return answer }
    }
    return post(["uploads", id, "finish"])
  }

  func put(_ bytes: [UInt8], at offset: Int, to id: String) -> Answer {
    ask("PUT", ["api", "uploads", id], query: [("at", "\(offset)")], body: bytes)
  }
}

/// Audio for the tests of the library.
enum LibrarySound {
  /// A tone whose middle third is silent.
  struct Signal: SyntheticSignal {
    let sampleRate = 44_100
    let channelCount = 2
    let frameCount: Int?
    private var position = 0

    init(frameCount: Int) { self.frameCount = frameCount }

    mutating func read(into samples: inout [Float], frameCount count: Int) -> Int {
      let total = frameCount ?? 0
      let read = min(count, total - position)
      for index in position..<position + read {
        let isSilent = index * 3 >= total && index * 3 < total * 2
        let sample = isSilent ? 0 : Float(0.5 * sin(Double(index) * 440 * 2 * .pi / 44_100))
        samples.append(sample)
        samples.append(sample)
      }
      position += read
      return read
    }
  }

  /// Forwards everything except the end of the recording, as if the program had been killed.
  struct BrokenOffOutput: PacketOutput {
    var base: FileOutput

    var name: String { base.name }
    var byteCount: Int { base.byteCount }
    mutating func open() throws(OutputError) { try base.open() }
    mutating func begin(_ segment: SegmentStart) throws(OutputError) { try base.begin(segment) }
    mutating func write(_ packet: EncodedPacket) throws(OutputError) { try base.write(packet) }
    mutating func record(_ gap: RecordingGap) throws(OutputError) { try base.record(gap) }
    mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
    mutating func abandon() -> OutputSummary? { nil }
  }

  /// A recording of three seconds.
  static let m4a = bytes(.m4a)
  static let aac = bytes(.aac)
  static let wav = bytes(.wav)
  static let caf = bytes(.caf)
  /// The file of a recorder that was killed.
  static let killed = bytes(.m4a, isBrokenOff: true)

  static func bytes(
    _ format: FileFormat, frameCount: Int = 3 * 44_100, isBrokenOff: Bool = false
  ) -> [UInt8] {
    let path = NSTemporaryDirectory() + "aacorn-sound-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var configuration = RecordingConfiguration(sampleRate: 44_100, channelCount: 2)
    if format.isPCM { configuration.coding = .int16 }
    let source = SyntheticSource(
      Device(backend: .synthetic, id: "test", name: "Test"),
      playing: Signal(frameCount: frameCount), pacing: .unpaced)
    let session = RecordingSession(configuration)
    let output = FileOutput(path, format)
    do {
      if isBrokenOff {
        try session.start(source, outputs: [BrokenOffOutput(base: output)])
      } else {
        try session.start(source, outputs: [output])
      }
    } catch {
      return []
    }
    while session.wait(for: .seconds(1)) == nil {}
    return FileManager.default.contents(atPath: path).map { Array($0) } ?? []
  }
}

extension LibraryRig {
  /// Requests a waveform until it is available, and returns the response.
  func waveform(_ name: String) -> Answer {
    var answer = ask("GET", ["api", "recordings", name, "waveform"])
    _ = eventually {
      answer = ask("GET", ["api", "recordings", name, "waveform"])
      return answer.status != 202
    }
    return answer
  }
}
