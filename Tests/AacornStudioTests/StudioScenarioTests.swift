import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import TestSignals
import Testing

@testable import AacornStudio

/// Random requests of several clients to one studio, in all orders of threads.
@Suite("Scenarios of the studio", .simulated(seeds: 12), .needsSimulation)
struct StudioScenarioTests {
  @Test func answersAreTrueAndNoRecordingIsLost() throws {
    var numbers = Simulation.numbers
    let folder = try StudioFolderRig()
    let outside = folder.path + "/../" + RandomRequest.outsideName
    try Data(LibrarySound.aac).write(to: URL(fileURLWithPath: outside))
    for client in 0..<3 {
      try folder.put(LibrarySound.killed, "\(client)-killed.m4a")
      try folder.put(LibrarySound.aac, "\(client)-fine.aac")
    }
    let studio = try StudioServer(in: folder.path)
    // A page that listens makes the library read its folder at any time.
    let page = Bool.random(using: &numbers) ? try StudioClient(studio) : nil
    page?.ask("/api/events")
    let stopsEarly = Int.random(in: 0..<4, using: &numbers) == 0
    let ends = Lock<[Result<StudioScenarioClient, any Error>]>([])
    let threads = try (0..<3).map { client in
      let numbers = SeededNumbers(seed: numbers.next())
      return try #require(
        WorkerThread("test") {
          var client = StudioScenarioClient(client, studio, folder, numbers)
          let end = Result { try client.run(mayStop: stopsEarly) }
          ends.withLock { $0.append(end.map { client }) }
        })
    }
    if stopsEarly {
      System.sleep(milliseconds: Int.random(in: 0...2000, using: &numbers))
    } else {
      for thread in threads { thread.join() }
      try expectSameList(studio, folder)
      try sendRandomRequests(to: studio, folder, &numbers)
    }
    let result = expectDuration(0...1) { studio.stop() }
    if stopsEarly { for thread in threads { thread.join() } }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/..")
    #expect(names.sorted() == [RandomRequest.outsideName, "recordings"])
    #expect(FileManager.default.contents(atPath: outside) == Data(LibrarySound.aac))
    if let recording = result?.recording {
      #expect(FileManager.default.contents(atPath: folder.path + "/" + recording.name) != nil)
    }
    let clients = try ends.withLock { $0 }.map { try $0.get() }

    // The contents of all files, including deleted ones.
    var contents: [[UInt8]: Int] = [:]
    for path in FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [] {
      let data = (path as? String).flatMap {
        FileManager.default.contents(atPath: folder.path + "/" + $0)
      }
      if let data { contents[Array(data), default: 0] += 1 }
    }
    for client in clients {
      for bytes in client.recordings.values + client.deleted.map(\.bytes) {
        contents[bytes, default: 0] -= 1
      }
    }
    #expect(contents.values.allSatisfy { $0 >= 0 }, "A recording is lost.")
    let next = try StudioServer(in: folder.path)
    try expectSameList(next, folder)
    next.stop()
  }

  /// Sends requests whose parts may be invalid, and expects that the studio still answers.
  private func sendRandomRequests(
    to studio: StudioServer, _ folder: StudioFolderRig, _ numbers: inout SeededNumbers
  ) throws {
    for _ in 0..<50 {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let name = names.filter { $0.first != "." }.sorted().randomElement(using: &numbers)
      let client = try StudioClient(studio)
      client.send(RandomRequest.bytes(to: studio, about: name ?? "a.m4a", &numbers))
      // Some clients wait for a response; the others disconnect immediately.
      if Bool.random(using: &numbers) { _ = client.hasBytes(milliseconds: 20) }
      client.close()
    }
    #expect(try studioAnswer(studio, "/").status == 200)
  }

  /// Expects that a studio lists the files in its folder, and its deleted files.
  private func expectSameList(_ studio: StudioServer, _ folder: StudioFolderRig) throws {
    let list = try studioAnswer(studio, "/api/recordings").json
    let recordings = try #require(list["recordings"] as? [[String: Any]])
    let deleted = try #require(list["deleted"] as? [[String: Any]])
    let files = FileManager.default
    let names = try files.contentsOfDirectory(atPath: folder.path).filter { $0.first != "." }
    let listed = recordings.filter { $0["status"] as? String != "uploading" }
    #expect(listed.compactMap { $0["name"] as? String }.sorted() == names.sorted())
    let ids = try? files.contentsOfDirectory(atPath: folder.path + "/.aacorn-deleted")
    #expect(deleted.compactMap { $0["id"] as? String }.sorted() == ids?.sorted() ?? [])
  }
}

/// A client that changes its own recordings, so that it knows the result of each request.
///
/// Clients compete only for the name “talk”, and for the recorder.
private struct StudioScenarioClient {
  /// A false answer, or one that cannot be read.
  struct Wrong: Error { let problem: String }

  /// The contents of the recordings of this client, by name.
  private(set) var recordings: [String: [UInt8]]
  /// In the order of their deletion, since a part of each id is random.
  private(set) var deleted: [(id: String, bytes: [UInt8])] = []
  private let number: Int
  private let studio: StudioServer
  private let folder: StudioFolderRig
  private var numbers: SeededNumbers
  private var nameCount = 0

  init(
    _ number: Int, _ studio: StudioServer, _ folder: StudioFolderRig, _ numbers: SeededNumbers
  ) {
    (self.number, self.studio, self.folder, self.numbers) = (number, studio, folder, numbers)
    recordings = [
      "\(number)-killed.m4a": LibrarySound.killed, "\(number)-fine.aac": LibrarySound.aac,
    ]
  }

  /// Sends random requests until the studio stops, if it may, or for a limited time.
  mutating func run(mayStop: Bool) throws {
    do {
      for _ in 0..<12 {
        try act()
        if Bool.random(using: &numbers) { try checkList() }
        let pause = [0, 0, 20, 300].randomElement(using: &numbers) ?? 0
        if pause > 0 { System.sleep(milliseconds: pause) }
      }
      try checkList()
    } catch let error as Wrong {
      throw error
    } catch {
      // The studio closed the connection.
      if !mayStop { throw error }
    }
  }

  private func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder.path + "/" + name).map { Array($0) }
  }

  private func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw Wrong(problem: problem()) }
  }

  /// Sends a request, and returns the answer, which must have one of these statuses.
  private func ask(
    _ path: String, method: String? = nil, body: [UInt8] = [], form: String? = nil,
    _ statuses: Int...
  ) throws -> StudioClient.Answer {
    let answer = try studioAnswer(studio, path, method: method, body: body, form: form)
    let words = "\(path) \(form ?? ""): \(answer.status) \(answer.text)"
    if answer.headers["content-type"] == "application/json" {
      try require(
        answer.text.hasSuffix("}\n") && !answer.json.isEmpty || answer.text == "{}\n", words)
      try require((answer.status == 200) == (answer.json["error"] == nil), words)
    }
    if answer.error.contains("shutting down") { throw RigFailure("The studio has stopped.") }
    try require(statuses.contains(answer.status), words)
    return answer
  }

  /// Expects a recording on the disk, and adds it to those of this client.
  private mutating func add(_ name: String, _ expected: [UInt8]?) throws {
    let found = bytes(name)
    try require(found != nil && found == expected ?? found, "“\(name)” is missing or different.")
    try require(recordings.updateValue(found ?? [], forKey: name) == nil, "“\(name)” is replaced.")
  }

  /// Removes a recording, which must not be on the disk, unless another client may use its name.
  private mutating func remove(_ name: String) throws {
    recordings[name] = nil
    if name.hasPrefix("\(number)-") { try require(bytes(name) == nil, "“\(name)” remains.") }
  }

  private mutating func newName() -> String {
    nameCount += 1
    return Int.random(in: 0..<3, using: &numbers) == 0 ? "talk" : "\(number)-\(nameCount)"
  }

  private mutating func act() throws {
    // The order of a dictionary differs between runs.
    let name = recordings.keys.sorted().randomElement(using: &numbers)
    let index = deleted.indices.randomElement(using: &numbers)
    switch (Int.random(in: 0..<10, using: &numbers), name, index) {
    case (0...1, let name?, _): try rename(name)
    case (2, let name?, _):
      let answer = try ask("/api/recordings/\(name)/delete", form: "", 200)
      deleted.append((answer.json["id"] as? String ?? "", recordings[name] ?? []))
      try remove(name)
    case (3...4, _, let index?):
      let answer = try ask("/api/deleted/\(deleted[index].id)/restore", form: "", 200)
      try add(answer.name, deleted.remove(at: index).bytes)
    case (5, _, let index?):
      let id = deleted.remove(at: index).id
      _ = try ask("/api/deleted/\(id)/erase", form: "", 200)
      _ = try ask("/api/deleted/\(id)/restore", form: "", 404)
    case (5...6, let name?, _): try repair(name)
    case (7, _, _): try record()
    case (8, _, _): try upload()
    case (_, let name?, _):
      let answer = try ask("/recordings/\(name)", 200)
      try require(answer.body == recordings[name], "“\(name)” is played differently.")
    default: break
    }
  }

  private mutating func rename(_ name: String) throws {
    let stem = newName()
    let answer =
      stem == "talk"
      ? try ask("/api/recordings/\(name)/rename", form: "to=talk", 200, 409)
      : try ask("/api/recordings/\(name)/rename", form: "to=\(stem)", 200)
    if answer.status == 409 {
      try require(answer.error.contains("already"), answer.error)
    } else if answer.name != name {
      let bytes = recordings[name]
      try remove(name)
      try add(answer.name, bytes)
    }
  }

  private mutating func repair(_ name: String) throws {
    let isDamaged = recordings[name] == LibrarySound.killed
    let path = "/api/recordings/\(name)/repair"
    let answer =
      isDamaged ? try ask(path, form: "", 200, 409) : try ask(path, form: "", 409, 422)
    try require(bytes(name) == recordings[name], "A repair changed “\(name)”.")
    if answer.status == 200 {
      try add(answer.name, nil)
    } else if isDamaged {
      // The file of another client may have the same size and time.
      try require(answer.error.contains("already repaired"), answer.error)
    }
    try require(!answer.error.contains("is being"), answer.error)
    // The repair is over.
    if Bool.random(using: &numbers) { try rename(name) }
  }

  private mutating func record() throws {
    let begun = try ask("/api/record", form: "device=tone&name=\(newName())", 200, 409)
    if begun.status == 409 { return }
    System.sleep(milliseconds: Int.random(in: 300...600, using: &numbers))
    for action in ["rename", "delete", "repair"] {
      _ = try ask("/api/recordings/\(begun.name)/\(action)", form: "to=x", 409)
    }
    let answer = try ask("/api/stop", form: "", 200)
    try require(answer.name == begun.name, "“\(begun.name)” became “\(answer.name)”.")
    try add(answer.name, nil)
    if Bool.random(using: &numbers) { try rename(answer.name) }
  }

  private mutating func upload() throws {
    let suffix = ["m4a", "aac"].randomElement(using: &numbers) ?? "aac"
    let begun = try ask("/api/uploads", form: "name=\(newName()).\(suffix)", 200)
    let path = "/api/uploads/\(begun.json["id"] as? String ?? "")"
    let bytes = numbers.bytes(Int.random(in: 2...3000, using: &numbers))
    let middle = Int.random(in: 1..<bytes.count, using: &numbers)
    for (start, end) in [(0, middle), (middle, bytes.count)] {
      let answer = try ask(
        "\(path)?at=\(start)", method: "PUT", body: Array(bytes[start..<end]), 200)
      try require(answer.json["bytes"] as? Int == end, "Bytes of an upload are missing.")
    }
    if Int.random(in: 0..<4, using: &numbers) == 0 {
      _ = try ask(path, method: "DELETE", 200)
      _ = try ask("\(path)/finish", form: "", 404)
    } else {
      try add(ask("\(path)/finish", form: "", 200).name, bytes)
    }
  }

  /// Expects that the list has the recordings of this client, and none that it has removed.
  private func checkList() throws {
    let list = try ask("/api/recordings", 200).json
    let listed = (list["recordings"] as? [[String: Any]] ?? [])
    let names = listed.compactMap { $0["name"] as? String }
    let own = recordings.keys.filter { $0.hasPrefix("\(number)-") }
    try require(
      names.filter { $0.hasPrefix("\(number)-") }.sorted() == own.sorted()
        && Set(recordings.keys).isSubset(of: names), "\(recordings.keys) are listed as \(names).")
    for entry in listed {
      guard let bytes = recordings[entry["name"] as? String ?? ""] else { continue }
      let status = entry["status"] as? String ?? ""
      try require(
        entry["bytes"] as? Int == bytes.count
          && !["recording", "uploading", "growing"].contains(status), "\(entry)")
    }
    let ids = (list["deleted"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    try require(Set(deleted.map(\.id)).isSubset(of: ids), "A deleted recording is not listed.")
  }
}
