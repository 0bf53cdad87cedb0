import AacornSystem
import Foundation
import StreamRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming

struct HLSFolderStoreTests {
  /// A folder that is removed with this object.
  final class Folder: Sendable {
    let path: String

    init() throws {
      path = FileManager.default.temporaryDirectory.path + "/aacorn-hls-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func text(_ name: String) -> String {
      (try? String(contentsOfFile: path + "/" + name, encoding: .utf8)) ?? ""
    }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
    }
  }

  static func record(
    seconds: Int, wallTime: Int64, into path: String, kind: HLSConfiguration.Kind = .live,
    ends: Bool = true
  ) throws {
    var bench = HLSBench(kind)
    bench.wallTime = wallTime
    bench.stores = []
    var output = HLSOutput(
      bench.configuration, stores: [HLSFolderStore(path)], name: path)
    try output.open()
    try bench.record(48_000 * seconds, into: &output, ends: ends)
    // Without the end, the folder is as after a crash.
    if ends { _ = output.abandon() }
  }

  @Test func theFolderIsMadeAndHoldsWhatIsListed() throws {
    let folder = try Folder()
    let path = folder.path + "/live"
    try Self.record(seconds: 60, wallTime: HLSBench().wallTime, into: path)
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let text = try String(contentsOfFile: path + "/stream-0.m3u8", encoding: .utf8)
    #expect(HLSRules.faults(inMedia: text) == [])
    let playlist = HLSPlaylistText(text)
    for file in playlist.files { #expect(names.contains(file)) }
    #expect(names.filter { $0.hasSuffix(".m4s") }.count == 13)
    #expect(names.contains("stream.m3u8"))
    #expect(!names.contains { $0.hasPrefix(".") || $0.contains("partial") })
  }

  @Test func aRestartReplacesWhatACrashLeftAndNothingElse() throws {
    let folder = try Folder()
    let wallTime = HLSBench().wallTime
    try Self.record(seconds: 30, wallTime: wallTime, into: folder.path, ends: false)
    let old = HLSPlaylistText(folder.text("stream-0.m3u8"))
    #expect(!old.isEnded && old.segments.count == 6)
    let foreign = [
      "index.html", "stream.html", "stream-1-live-\(HLSBench.session)-1.m4s",
      "stream-0-live-\(HLSBench.session)-1.m4s.bak", "stream-0-live-\(HLSBench.session)-x.m4s",
      "stream-0-live-2026-1.m4s", "other-0-live-\(HLSBench.session)-1.m4s", "stream-0-1.m4s",
      "stream-0-vod-\(HLSBench.session)-1.m4s", "stream-0-event-\(HLSBench.session)-1.m4s",
    ]
    for name in foreign { try folder.write("keep", to: name) }
    let leftovers = [
      ".stream-0-live-\(HLSBench.session)-77.m4s.partial",
      "stream-0-live-\(HLSBench.session)-7.3.m4s",
      "stream-0-live-\(HLSBench.session)-7.aac",
    ]
    for name in leftovers { try folder.write("old", to: name) }
    try Self.record(seconds: 5, wallTime: wallTime + 40_000_000_000, into: folder.path)
    let new = HLSPlaylistText(folder.text("stream-0.m3u8"))
    // A player that kept playing must see increasing numbers.
    #expect((new.mediaSequence ?? 0) >= (old.mediaSequence ?? 0) + old.segments.count)
    #expect((new.discontinuitySequence ?? 0) > (old.discontinuitySequence ?? 0))
    #expect(
      folder.names
        == (foreign + new.files + ["stream.m3u8", "stream-0.m3u8"]).reduce(into: Set()) {
          $0.insert($1)
        }.sorted())
    for name in foreign { #expect(folder.text(name) == "keep") }
  }

  @Test(arguments: [HLSConfiguration.Kind.vod, .event])
  func retainedSegmentsSurviveNextRun(kind: HLSConfiguration.Kind) throws {
    let folder = try Folder()
    let wallTime = HLSBench().wallTime
    try Self.record(seconds: 10, wallTime: wallTime, into: folder.path, kind: kind)
    let old = HLSPlaylistText(folder.text("stream-0.m3u8"))
    try Self.record(seconds: 10, wallTime: wallTime + 40_000_000_000, into: folder.path)
    try Self.record(
      seconds: 10, wallTime: wallTime + 80_000_000_000, into: folder.path, kind: kind)
    for file in old.files { #expect(folder.names.contains(file)) }
    let new = HLSPlaylistText(folder.text("stream-0.m3u8"))
    #expect(Set(new.files).isDisjoint(with: old.files))
    #expect(new.mediaSequence == 0)
  }

  @Test func unwritableFolderErrorsStateReason() throws {
    let folder = try Folder()
    try folder.write("x", to: "file")
    for (path, words) in [
      ("\(folder.path)/file", "something else has that name"),
      ("\(folder.path)/file/live", "something else has that name"),
      ("\(folder.path)/none/live", "does not exist"),
      ("/proc/live", "hoose another"),
    ] {
      let error = #expect(throws: OutputError.self) {
        try HLSFolderStore(path).prepare(for: HLSConfiguration())
      }
      #expect(error?.kind == .cannotWrite)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(error?.message.contains(path) == true)
    }
    let store = HLSFolderStore(folder.path + "/gone")
    #expect(throws: OutputError.self) { try store.put([1], as: "a.m4s") }
  }

  @Test func aFolderIsProbedWithoutHarmToWhatIsThere() throws {
    let folder = try Folder()
    for name in ["aacorn", ".aacorn", "partial"] { try folder.write("mine", to: name) }
    try HLSFolderStore(folder.path).prepare(for: HLSConfiguration())
    #expect(folder.names == [".aacorn", "aacorn", "partial"])
    for name in folder.names { #expect(folder.text(name) == "mine") }
  }

  @Test func aFolderTakesOneStreamAtATime() throws {
    let folder = try Folder()
    var first: HLSFolderStore? = HLSFolderStore(folder.path)
    try first?.prepare(for: HLSConfiguration())
    try first?.prepare(for: HLSConfiguration())
    let second = HLSFolderStore(folder.path)
    let error = #expect(throws: OutputError.self) { try second.prepare(for: HLSConfiguration()) }
    let message = try #require(error?.message)
    #expect(message.hasPrefix("The HLS folder “\(folder.path)” is being written to by “"))
    let end = " (process \(System.processNumber)). Stop that, or choose another folder."
    #expect(message.hasSuffix(end), "\(message)")
    first = nil
    try second.prepare(for: HLSConfiguration())
    #expect(folder.names == [])
  }

  @Test func aFileThatMayNotGrowIsNamedWithItsLimit() {
    let error = HLSFolderStore("/live").outputError(.fileTooLarge)
    #expect(error.message.contains("“/live” has reached the maximum file size"))
    #expect(error.message.contains("ulimit -f"))
  }

  @Test func filesRemovedByOthersAreReportedOnce() throws {
    let folder = try Folder()
    let live = folder.path + "/live"
    let store = HLSFolderStore(live)
    let contents = HLSPlaylistContents(edge: HLSEdge(segment: 0))
    try store.prepare(for: HLSConfiguration())
    // More files than one poll examines.
    for number in 0..<100 { try store.put([1, 2, 3], as: "\(number).m4s") }
    try store.publish("#EXTM3U\n", as: "a.m3u8", contents: contents)
    try store.publish("#EXTM3U\n#\n", as: "a.m3u8", contents: contents)
    store.remove("5.m4s")
    func reportedMessages() throws -> [String] {
      try (0..<10).flatMap { _ in try store.poll(isLast: false) }.map(\.message)
    }
    #expect(try reportedMessages() == [])
    try FileManager.default.removeItem(atPath: live + "/70.m4s")
    try Data([1]).write(to: URL(fileURLWithPath: live + "/71.m4s"))
    let messages = try reportedMessages()
    #expect(messages.count == 1 && messages[0].contains("“70.m4s” and 1 more were removed"))
    #expect(messages[0].contains(live))
    #expect(try reportedMessages() == [])
    // The last poll examines all files and restores the initialization section, which every segment
    // needs.
    let first = "stream-0-live-\(HLSBench.session)-init0.mp4"
    try store.put([9, 9], as: first)
    for name in ["3.m4s", "40.m4s", "90.m4s", first] {
      try FileManager.default.removeItem(atPath: live + "/" + name)
    }
    #expect(try store.poll(isLast: true).map(\.message)[0].contains("and 3 more were removed"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: live + "/" + first)) == Data([9, 9]))
    #expect(try store.poll(isLast: true).isEmpty)

    try FileManager.default.moveItem(atPath: live, toPath: folder.path + "/moved")
    let gone = #expect(throws: OutputError.self) { try store.poll(isLast: false) }
    #expect(
      gone?.kind == .lost && gone?.message.contains("“\(live)” was removed, renamed") == true)
    let refused = #expect(throws: OutputError.self) { try store.put([1], as: "x.m4s") }
    #expect(refused == gone)
    // A new folder with the same name belongs to another program.
    try FileManager.default.createDirectory(atPath: live, withIntermediateDirectories: false)
    #expect(throws: OutputError.self) { try store.poll(isLast: false) }
  }

  @Test func overwriteIsReportedButTimeChangeIsNot() throws {
    let folder = try Folder()
    let store = HLSFolderStore(folder.path)
    try store.prepare(for: HLSConfiguration())
    let names = ["a.m4s", "b.m4s", "c.m4s"]
    // More bytes than one read returns.
    let contents = [UInt8](repeating: 7, count: 100_000)
    for name in names { try store.put(contents, as: name) }
    func setTime(of name: String, to seconds: Double) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)],
        ofItemAtPath: "\(folder.path)/\(name)")
    }
    // Other file systems round times or use their own clock.
    for name in names { try setTime(of: name, to: 1_700_000_000) }
    #expect(try store.poll(isLast: false) == [])
    let file = try #require(FileHandle(forUpdatingAtPath: folder.path + "/b.m4s"))
    try file.seek(toOffset: 99_999)
    try file.write(contentsOf: Data([8]))
    try file.close()
    try setTime(of: "b.m4s", to: 1_700_000_002)
    let reported = try store.poll(isLast: true)
    #expect(reported.count == 1 && reported.first?.kind == .lost)
    #expect(reported.first?.message.hasPrefix("“b.m4s” was removed from the HLS folder") == true)
    #expect(try store.poll(isLast: true) == [])
  }

  @Test func aFileIsReplacedInOneStep() throws {
    let folder = try Folder()
    let store = HLSFolderStore(folder.path)
    let contents = HLSPlaylistContents(edge: HLSEdge(segment: 0))
    try store.publish("#EXTM3U\n", as: "a.m3u8", contents: contents)
    let handle = try #require(FileHandle(forReadingAtPath: folder.path + "/a.m3u8"))
    try store.publish("#EXTM3U\n#EXT-X-ENDLIST\n", as: "a.m3u8", contents: contents)
    // A reader with the old file open still reads all of it.
    #expect(try handle.readToEnd() == Data("#EXTM3U\n".utf8))
    #expect(folder.text("a.m3u8") == "#EXTM3U\n#EXT-X-ENDLIST\n")
    #expect(folder.names == ["a.m3u8"])
    store.remove("a.m3u8")
    store.remove("a.m3u8")
    #expect(folder.names == [])
  }
}
