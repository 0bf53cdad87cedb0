import AacornNetwork
import AacornRecording
import AacornSignal
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

@Suite("Listing of the library", .simulated(seeds: 2)) struct LibraryListingTests {
  @Test func soundIsListedWithWhatIsKnownAboutIt() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.m4a, "talk.m4a", secondsAgo: 100)
    try rig.put(LibrarySound.aac, "talk.aac", secondsAgo: 200)
    try rig.put(LibrarySound.wav, "talk.WAV", secondsAgo: 300)
    try rig.put(LibrarySound.caf, "talk.caf", secondsAgo: 400)
    #expect(rig.listedNames == ["talk.m4a", "talk.aac", "talk.WAV", "talk.caf"])
    for (name, format) in [
      ("talk.m4a", "m4a"), ("talk.aac", "aac"), ("talk.WAV", "wav"), ("talk.caf", "caf"),
    ] {
      let entry = rig.known(name)
      #expect(entry["status"] as? String == "fine", "\(name) \(entry)")
      #expect(entry["format"] as? String == format)
      #expect(entry["sampleRate"] as? Int == 44_100)
      #expect(entry["channels"] as? Int == 2)
      let seconds = try #require(entry["seconds"] as? Double)
      // ADTS does not store the priming and the padding.
      #expect(abs(seconds - 3) < (format == "aac" ? 0.08 : 0.001), "\(name) \(seconds)")
      let bitrate = try #require(entry["bitrate"] as? Int)
      #expect(
        format == "wav" || format == "caf" ? bitrate == 1_411_200 : (20_000..<400_000) ~= bitrate)
      #expect(entry["gapCount"] as? Int == 0)
      #expect(entry["problem"] is NSNull)
      let age = studioWallTime - Double(try #require(entry["modified"] as? Int)) / 1000
      #expect((90..<500) ~= age)
    }
    #expect(rig.list["folder"] as? String == rig.path)
    #expect((rig.list["freeBytes"] as? Int ?? 0) > 0)
  }

  @Test func otherFilesAreNotListed() throws {
    let rig = try LibraryRig()
    let outside = try StudioFolderRig()
    try Data([1]).write(to: URL(fileURLWithPath: outside.path + "/outside.wav"))
    try rig.put(LibrarySound.wav, "in.wav")
    for name in [".hidden.wav", "notes.txt", "wav", "x.", "a\\b.wav", "in.wav.gaps.json"] {
      try rig.put([1], name)
    }
    let files = FileManager.default
    try files.createDirectory(atPath: rig.file("folder.wav"), withIntermediateDirectories: false)
    try files.createSymbolicLink(
      atPath: rig.file("out.wav"), withDestinationPath: outside.path + "/outside.wav")
    try files.createSymbolicLink(atPath: rig.file("same.wav"), withDestinationPath: "in.wav")
    #expect(unsafe mkfifo(rig.file("pipe.wav"), 0o600) == 0)
    #expect(rig.listedNames == ["in.wav"])
    for name in ["out.wav", "same.wav", "pipe.wav", "folder.wav", ".hidden.wav", "notes.txt"] {
      let answer = rig.ask("GET", ["recordings", name])
      #expect(answer.status != 200, "\(name)")
      #expect(answer.error.hasSuffix("."), "\(name): \(answer.error)")
      #expect(rig.post(["recordings", name, "delete"]).status >= 400)
    }
  }

  @Test func soundOfOtherFormatsIsNamedAndNotListed() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "in.wav")
    #expect(rig.list["otherCount"] as? Int == 0)
    let revision = rig.revision
    for name in ["b.FLAC", "a.mp3", "notes.txt", "cover.jpg", ".c.mp3", "program.ts", "in.mov"] {
      try rig.put([1], name)
    }
    #expect(rig.listedNames == ["in.wav"])
    #expect(rig.list["others"] as? [String] == ["a.mp3", "b.FLAC", "in.mov"])
    #expect(rig.list["otherCount"] as? Int == 3)
    #expect(rig.revision > revision)
    for number in 1...30 { try rig.put([1], "\(number).ogg") }
    #expect(rig.list["otherCount"] as? Int == 33)
    #expect((rig.list["others"] as? [String])?.count == 20)
  }

  @Test func namesThatLookTheSameAreTwoFiles() throws {
    let rig = try LibraryRig()
    let composed = "\u{E9}.wav"
    let decomposed = "e\u{301}.wav"
    try rig.put(LibrarySound.wav, composed)
    try rig.put(LibrarySound.wav, decomposed)
    // Apple's file systems treat both names as the same file, also in requests.
    let count = rig.names.count
    #expect(rig.listedNames.count == count)
    #expect(rig.post(["recordings", decomposed, "rename"], [("to", "other")]).status == 200)
    #expect(rig.listedNames.count == count)
    #expect(rig.listedNames.contains("other.wav"))
  }

  @Test func nothingLeadsOutOfTheFolder() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    for name in [
      "..", ".", "../a.wav", "/etc/passwd", "a\u{0}.wav", "a\n.wav", "\u{10FEAF}.wav", "",
    ] {
      for path in [
        ["recordings", name, "waveform"], ["recordings", name, "rename"],
        ["recordings", name, "delete"], ["recordings", name, "repair"],
      ] {
        let method = path[2] == "waveform" ? "GET" : "POST"
        let answer = rig.ask(method, ["api"] + path, fields: method == "GET" ? nil : [("to", "b")])
        #expect((400..<500) ~= answer.status, "\(path)")
      }
      #expect(rig.ask("GET", ["recordings", name]).status == 404)
    }
    for id in ["..", "../x", "0-0", "", "1-0123456789abcdeg", String(repeating: "a", count: 32)] {
      #expect(rig.post(["deleted", id, "restore"]).status == 404)
      #expect(rig.post(["deleted", id, "erase"]).status == 404)
      #expect(rig.ask("DELETE", ["api", "uploads", id]).status == 404)
      #expect(rig.put([1], at: 0, to: id).status == 404)
      #expect(rig.post(["uploads", id, "finish"]).status == 404)
    }
    #expect(rig.names == ["a.wav"])
    #expect(rig.ask("PATCH", ["api", "recordings"]).status == 405)
    #expect(rig.ask("GET", ["api", "recordings", "a.wav"]).status == 404)
    #expect(!rig.library.handle(["api", "state"], .init()) { _ in })
    #expect(!rig.library.handle([], .init()) { _ in })
  }

  @Test(.realTime) func thousandsOfFilesAreListedAndExamined() throws {
    let rig = try LibraryRig()
    for number in 0..<3000 { try rig.put([], "\(number).wav", secondsAgo: Double(100 + number)) }
    let list = rig.recordings
    #expect(list.count == 3000)
    #expect(list.first?["name"] as? String == "0.wav")
    #expect(list.last?["name"] as? String == "2999.wav")
    #expect(rig.known("2999.wav")["status"] as? String == "unreadable")
    #expect(rig.known("0.wav")["problem"] as? String == "It is empty.")
  }

  @Test func revisionIncreasesOnlyOnChanges() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    #expect(rig.known("a.wav")["status"] as? String == "fine")
    let revision = rig.revision
    #expect(rig.revision == revision)
    try rig.put(LibrarySound.aac, "b.aac")
    #expect(rig.listedNames.count == 2)
    let later = rig.revision
    #expect(later > revision)
    try FileManager.default.removeItem(atPath: rig.file("a.wav"))
    #expect(rig.listedNames == ["b.aac"])
    #expect(rig.revision > later)
  }

  @Test func listeningPagesAreNotifiedOfChanges() throws {
    var limits = StudioLibrary.Limits()
    limits.folderReadInterval = 50_000_000
    let rig = try LibraryRig(limits)
    let server = try HTTPServer { [events = rig.events] in $1.respond(events.attach()) }
    let client = try StudioClient(port: server.port)
    client.ask("/")
    #expect(try client.head().status == 200)
    var last = 0
    func next() throws -> Int {
      while true {
        guard let event = try client.event(), event.name == "library" else { continue }
        let number = try #require(Int(event.data.filter(\.isNumber)))
        #expect(number > last)
        last = number
        return number
      }
    }
    _ = try next()
    try rig.put(LibrarySound.wav, "a.wav")
    _ = try next()
    #expect(rig.listedNames == ["a.wav"])
    server.stop()
  }

  /// A file of a terabyte does not leave the others unknown, and neither do several.
  @Test func longFilesAreExaminedLast() throws {
    var catalog = LibraryCatalog()
    func item(_ name: String, _ size: Int, modified: Int64) throws -> LibraryFolder.Item {
      LibraryFolder.Item(
        name: try #require(RecordingName(name)), format: .aac, size: size, modified: modified)
    }
    let items = [
      try item("new-huge.aac", 1 << 40, modified: 5), try item("long.aac", 1 << 29, modified: 4),
      try item("old.aac", 9, modified: 1), try item("huge.aac", 1 << 40, modified: 2),
      try item("new.aac", 1 << 27, modified: 3),
    ]
    let wallTime = 10 * LibraryCatalog.growthTime
    catalog.update(items, now: 0, wallTime: wallTime)
    #expect(
      catalog.unexamined(9, now: 0, wallTime: wallTime).map(\.name.text)
        == ["new.aac", "old.aac", "long.aac", "new-huge.aac", "huge.aac"])
  }

  @Test func temporarilyUnreadableFileIsExaminedAgain() throws {
    var catalog = LibraryCatalog()
    let name = try #require(RecordingName("a.wav"))
    let item = LibraryFolder.Item(name: name, format: .wav, size: 1, modified: 0)
    let long = 10 * LibraryCatalog.growthTime
    func unexaminedCount(at now: Int64) -> Int {
      catalog.update([item], now: now, wallTime: long)
      return catalog.unexamined(10, now: now, wallTime: long).count
    }
    #expect(unexaminedCount(at: 0) == 1)
    var facts = RecordingFacts.unreadable("Permission denied.")
    facts.mayBeTemporary = true
    catalog.setFacts(facts, of: item, now: 0, wallTime: long)
    let revision = catalog.revision
    #expect(unexaminedCount(at: LibraryCatalog.retryDelay - 1) == 0)
    #expect(unexaminedCount(at: LibraryCatalog.retryDelay) == 1)
    // An unchanged result does not notify pages.
    catalog.setFacts(facts, of: item, now: LibraryCatalog.retryDelay, wallTime: long)
    #expect(catalog.revision == revision)
    #expect(unexaminedCount(at: LibraryCatalog.retryDelay + 1) == 0)
    catalog.setFacts(RecordingFacts(), of: item, now: 2 * LibraryCatalog.retryDelay, wallTime: long)
    #expect(catalog.revision > revision)
    #expect(unexaminedCount(at: 9 * LibraryCatalog.retryDelay) == 0)
  }

  @Test func aRecordingIsListedBeforeItsFileIsMade() throws {
    let rig = try LibraryRig()
    let revision = rig.revision
    rig.library.setRecording("now.m4a", true)
    #expect(rig.status("now.m4a") == "recording")
    let begun = rig.revision
    #expect(begun > revision)
    // Then the recorder fails to start.
    rig.library.setRecording("now.m4a", false)
    #expect(rig.listedNames.isEmpty)
    #expect(rig.revision > begun)
  }

  @Test func activeRecordingRejectsChanges() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.killed, "now.m4a")
    rig.library.setRecording("now.m4a", true)
    try rig.put(LibrarySound.m4a, "other.m4a")
    #expect(rig.status("now.m4a") == "recording")
    #expect(rig.known("other.m4a")["status"] as? String == "fine")
    #expect(rig.recording("now.m4a")?["seconds"] is NSNull)
    for action in ["rename", "delete", "repair"] {
      let answer = rig.post(["recordings", "now.m4a", action], [("to", "x")])
      #expect(answer.status == 409, "\(action)")
      #expect(answer.error.contains("now.m4a"))
    }
    #expect(rig.post(["recordings", "other.m4a", "rename"], [("to", "now")]).status == 409)
    #expect(rig.ask("GET", ["recordings", "now.m4a"]).status == 200)
    #expect(rig.ask("GET", ["api", "recordings", "now.m4a", "waveform"]).status == 409)
    #expect(rig.library.freeName(requestedName: "now", suffix: "m4a").text == "now-2.m4a")
    // The recording counts as complete immediately, although its file is recent.
    try rig.put(LibrarySound.m4a, "now.m4a", secondsAgo: 0)
    rig.library.setRecording("now.m4a", false)
    #expect(rig.known("now.m4a")["status"] as? String == "fine")
    #expect(rig.post(["recordings", "now.m4a", "delete"]).status == 200)
  }

  @Test func newNamesAreFree() throws {
    let rig = try LibraryRig()
    let name = rig.library.freeName(requestedName: nil, suffix: "m4a").text
    #expect(name.wholeMatch(of: /recording-\d{8}-\d{6}\.m4a/) != nil)
    for (requested, start) in [
      ("a/b\\c\n.m4a", "a-b-c.m4a"), ("../../etc/passwd", "-..-etc-passwd.m4a"),
      ("  ...  ", "recording-"), ("\u{2066}\u{FEFF}", "recording-"), ("Talk.M4A", "Talk.m4a"),
      ("Ta\u{200B}lk\u{202E}a4m", "Talka4m.m4a"),
    ] {
      let name = rig.library.freeName(requestedName: requested, suffix: "m4a").text
      #expect(name == start || start == "recording-" && name.hasPrefix(start), "\(name)")
    }
    try rig.put([], "Talk.m4a")
    try rig.put([], "Talk-2.m4a")
    try rig.put([], "Talk-3.m4a.gaps.json")
    #expect(rig.library.freeName(requestedName: "Talk", suffix: "m4a").text == "Talk-4.m4a")
    let long = String(repeating: "🎙️", count: 100)
    let longName = rig.library.freeName(requestedName: long, suffix: "m4a").text
    #expect(longName.utf8.count <= 255 && longName.hasSuffix("🎙️.m4a"))
    try rig.put([], longName)
    let next = rig.library.freeName(requestedName: long, suffix: "m4a").text
    #expect(next.utf8.count <= 255 && next.hasSuffix("🎙️-2.m4a"))
  }

  @Test func aFolderThatCannotBeUsedIsExplained() throws {
    let rig = try StudioFolderRig()
    let file = rig.path + "/file"
    try Data().write(to: URL(fileURLWithPath: file))
    let onFile = try LibraryRig(folder: file)
    let below = try LibraryRig(folder: file + "/below")
    for library in [onFile, below] {
      let answer = library.ask("GET", ["api", "recordings"])
      #expect(answer.status == 500)
      #expect(answer.error.contains(file) && answer.error.contains("a file"), "\(answer.error)")
      #expect(library.upload([1], as: "a.wav").status >= 400)
    }
    let made = try LibraryRig(folder: rig.path + "/a/b/c/")
    #expect(made.ask("GET", ["api", "recordings"]).status == 200)
    let gone = try LibraryRig()
    #expect(gone.recordings.isEmpty)
    try FileManager.default.removeItem(atPath: gone.path)
    let answer = gone.ask("GET", ["api", "recordings"])
    #expect(answer.status == 500)
    #expect(answer.error.contains("no longer exists"))
    #expect(gone.names.isEmpty)
  }
}
