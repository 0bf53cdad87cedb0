import Foundation
import SoundRigs
import TestSignals
import Testing

/// `aacorn batch`, run from a shell.
@Suite struct BatchProcessTests {
  private let folder = WorkFolder()

  init() throws {
    let sound = Sound.music(frames: 20_000, rate: 44_100, channels: 1)
    for name in ["a.wav", "b.wav"] { try folder.write(sound.wav, to: name) }
  }

  @Test func batchReadsLinesFromStandardInput() throws {
    var reported: [[String]] = []
    for manifest in ["--stdin-manifest", "-"] {
      let lines = "printf 'a.wav\\nb.wav\\nno.wav\\n'"
      let outcome = try folder.shell(
        "\(lines) | $AACORN batch \(manifest) -q -j 1 --retries 0", status: 1)
      // The text after the status contains times, which differ between runs.
      reported.append(
        outcome.text.split(separator: "\n").map { $0.components(separatedBy: ",\"status\"")[0] })
    }
    #expect(reported.first?.count == 3)
    #expect(reported.first?.first == #"{"line":1,"input":"a.wav","output":"a.m4a""#)
    #expect(reported.first == reported.last)
    #expect(try folder.read("a.m4a") == folder.read("b.m4a"))
  }

  // MARK: Files that crash the program

  private static let journal = "all.jsonl.ledger.begun"

  private func start() throws -> Program.Run {
    try folder.start(["batch", "all.jsonl", "-q", "-j", "3", "--trust-manifest"])
  }

  private func lines(of name: String) -> [String] {
    let bytes = (try? folder.read(name)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Makes a WAV file of three hours that needs no space on the disk.
  private func makeLongFile(_ name: String) throws {
    let byteCount: UInt32 = 2_000_000_000
    func bytes(_ numbers: UInt32...) -> [UInt8] {
      numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }
    let format = bytes(16, 2 << 16 | 1, 48_000, 192_000, 16 << 16 | 4)
    let header =
      Array("RIFF".utf8) + bytes(byteCount + 36) + Array("WAVEfmt ".utf8) + format
      + Array("data".utf8) + bytes(byteCount)
    try folder.write(header, to: name)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path(name)))
    try file.truncate(atOffset: UInt64(byteCount) + 44)
    try file.close()
  }

  /// The number of outputs in progress, from the journal.
  private var workCount: Int {
    lines(of: Self.journal).count(where: { $0.hasSuffix(" 000") && $0 != "0000000000000000 000" })
  }

  @Test func inputThatCrashesProgramFailsOnlyItsLine() throws {
    // Hours of silence represent files on which a library hangs.
    for name in ["never.wav", "late.wav"] { try makeLongFile(name) }
    let manifest = """
      {"input": "never.wav", "output": "bad.m4a"}
      {"input": "late.wav", "output": "near.m4a"}
      a.wav
      b.wav

      """
    try folder.write(manifest.utf8, to: "all.jsonl")
    for ending in 0..<3 {
      let run = try start()
      let isMidway = eventually {
        // Each run writes the number of earlier crashes to the journal.
        ending == 0
          ? workCount == 2 && lines(of: "all.jsonl.ledger").count == 2
          : workCount == 1 && lines(of: Self.journal).contains { $0.hasSuffix(" 00\(ending)") }
      }
      #expect(isMidway, "\(lines(of: Self.journal))")
      try run.end(SIGKILL, status: -SIGKILL)
      #expect(lines(of: "all.jsonl.ledger").count == 2)
      if ending == 0 {
        try FileManager.default.removeItem(atPath: folder.path("late.wav"))
        try folder.write(folder.read("b.wav"), to: "late.wav")
      }
    }
    let outcome = try start().wait()
    #expect(outcome.status == 1 && !outcome.wasKilled)
    #expect(outcome.errors.contains("Line 1: “never.wav” crashed the program 3 times"))
    let ledger = lines(of: "all.jsonl.ledger")
    #expect(ledger.count == 4)
    #expect(ledger.count(where: { $0.contains(#""error":"ended-program""#) }) == 1)
    #expect(ledger.count(where: { $0.contains(#""status":"done""#) }) == 3)
    #expect(folder.names.filter { $0.hasSuffix(".m4a") } == ["a.m4a", "b.m4a", "near.m4a"])
    #expect(!folder.names.contains(Self.journal))
    // Later runs skip the line.
    #expect(try start().wait().status == 1)
    #expect(lines(of: "all.jsonl.ledger") == ledger)
  }
}
