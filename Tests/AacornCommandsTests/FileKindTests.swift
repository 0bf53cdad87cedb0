import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSoundFiles
import TestSignals
import Testing

@testable import AacornCommands

/// The agreement of all commands about the kind of a file.
@Suite struct FileKindTests {
  /// Bytes before a file, and the changed name of its first box.
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    var format = CodedFileWriter.Format.adts()
    var name = "a.bin"
    var box: String?
    var before: [UInt8] = []
  }

  private static let emptyTag = tag(byteCount: 0)
  /// An APE tag with a header and 40 bytes after it.
  private static let apeTag =
    Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20]
    + [UInt8](repeating: 0, count: 48)

  private static let changes: [Change] = {
    var list: [Change] = []
    for box in ["ftyp", "free", "skip", "wide"] {
      list.append(Change(testDescription: "M4A after \(box)", format: .m4a, box: box))
    }
    for count in [20_000, 70_000, 300_000, 1_200_000] {
      let zeros = [UInt8](repeating: 0, count: count)
      list.append(Change(testDescription: "\(count) zeros", before: zeros))
      var numbers = SeededNumbers(seed: count)
      list.append(Change(testDescription: "\(count) of noise", before: numbers.bytes(count)))
      list.append(
        Change(
          testDescription: "\(count) of noise before LATM", format: .latm,
          before: numbers.bytes(count)))
    }
    let tags = [
      ("3000 empty tags", [[UInt8]](repeating: emptyTag, count: 3000).flatMap(\.self)),
      ("a long tag", tag(byteCount: 100_000)), ("an APE tag", apeTag),
      ("tags of both kinds", emptyTag + apeTag + tag(byteCount: 3000) + apeTag + emptyTag),
    ]
    for (name, bytes) in tags {
      list.append(Change(testDescription: name, before: bytes))
      list.append(Change(testDescription: "\(name) before LATM", format: .latm, before: bytes))
      list.append(
        Change(testDescription: "\(name) before zeros", before: bytes + [0, 0, 0, 0, 0, 0, 0, 0]))
    }
    list.append(Change(testDescription: "M4A named like MP3", format: .m4a, name: "a.mp3"))
    list.append(Change(testDescription: "ADTS named like WAV", name: "a.wav"))
    return list
  }()

  private let folder = TemporaryFolder()

  @Test(arguments: changes)
  func everyCommandGivesTheSameAnswer(change: Change) throws {
    var file = try Self.file(change.format)
    if let box = change.box { file.replaceSubrange(4..<8, with: box.utf8) }
    let path = try folder.write(change.before + file, to: change.name)
    let answers = answers(path)
    for (command, isAAC) in answers { #expect(isAAC, "\(command)") }
  }

  @Test func searchForTheFirstFrameHasOneLimit() throws {
    let zeros = [UInt8](repeating: 0, count: FrameSource.searchByteLimit() + 200_000)
    let path = try folder.write(zeros + Self.file(.adts()), to: "a.aac")
    for (command, isAAC) in answers(path) { #expect(!isAAC, "\(command)") }
  }

  @Test func repairOfAMovieAfterATagIsProposed() throws {
    let path = try folder.write(tag(byteCount: 5000) + Self.file(.m4a), to: "a.m4a")
    for command in [["decode", path], ["encode", path, "-o", path + ".m4a"], ["inspect", path]] {
      let captured = CapturedConsole()
      #expect(captured.run(command) != .success)
      captured.expectErrors("has a tag before its MP4 boxes", "“aacorn repair” may find them")
    }
    CapturedConsole().aacorn("repair", path)
    CapturedConsole().aacorn("inspect", folder.path("a-repaired.m4a"))
  }

  /// Returns the commands, and whether each of them finds AAC in a file.
  private func answers(_ path: String) -> [(command: String, isAAC: Bool)] {
    func makes(_ name: String, _ arguments: [String]) -> Bool {
      let output = folder.path(name)
      _ = CapturedConsole().run(arguments + [path, "-q", "-o", output])
      return folder.names.contains(name)
    }
    func prints(_ texts: [String], _ arguments: [String]) -> Bool {
      let captured = CapturedConsole()
      _ = captured.run(arguments + [path])
      return texts.contains { captured.output.contains($0) }
    }
    return [
      ("encode", makes("encoded.m4a", ["encode"])), ("decode", makes("decoded.wav", ["decode"])),
      ("cut", makes("cut.m4a", ["cut", "--start", "0.1"])),
      ("inspect", prints(["Container"], ["inspect"])),
      ("repair", prints(["nothing to repair", "can be saved"], ["repair", "--check"])),
      ("play", (try? SoundFileReader(path))?.info.isAAC == true),
    ]
  }

  private static func file(_ format: CodedFileWriter.Format) throws -> [UInt8] {
    let signal = try CodedSignal(rate: 48_000)
    var bytes: [UInt8] = []
    var writer = try CodedFileWriter(.init(format, stream: signal.stream))
    for unit in signal.units { try writer.append(unit, to: &bytes) }
    if var finish = try writer.finish(signal.trim, to: &bytes) {
      while let write = finish.next() { write.apply(to: &bytes) }
    }
    return bytes
  }
}
