import Foundation
import SoundRigs
import TestSignals
import Testing

/// `aacorn batch`, run from a shell.
@Suite struct BatchProcessTests {
  private let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
    let sound = Sound.music(frames: 20_000, rate: 44_100, channels: 1)
    for name in ["a.wav", "b.wav"] { try folder.write(sound.wav, to: name) }
  }

  /// Runs a shell line in which `$AACORN` is the program.
  private func shell(_ line: String) throws -> Program.Outcome {
    let program = try Program.aacorn.get().path
    return try Program.shell().run(["-c", "AACORN='\(program)'; \(line)"], in: folder)
  }

  @Test func batchReadsLinesFromStandardInput() throws {
    var reported: [[String]] = []
    for manifest in ["--stdin-manifest", "-"] {
      let lines = "printf 'a.wav\\nb.wav\\nno.wav\\n'"
      let outcome = try shell("\(lines) | $AACORN batch \(manifest) -q -j 1 --retries 0")
      #expect(outcome.status == 1)
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

  /// Writes a manifest whose first two lines block on covers in pipes without a writer.
  ///
  /// The two lines represent files on which a library hangs.
  private func writeHangingManifest(_ more: String...) throws {
    #expect(try shell("mkfifo never late").status == 0)
    let lines = [
      #"{"input": "a.wav", "output": "bad.m4a", "cover": "never"}"#,
      #"{"input": "b.wav", "output": "near.m4a", "cover": "late"}"#,
    ]
    try folder.write(Array((lines + more).map { $0 + "\n" }.joined().utf8), to: "all.jsonl")
  }

  private func start() throws -> Program.Run {
    try Program.aacorn.get().start(
      ["batch", "all.jsonl", "-q", "-j", "3", "--trust-manifest"], in: folder)
  }

  private func lines(of name: String) -> [String] {
    let bytes = (try? folder.read(name)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The number of outputs in progress, from the journal.
  private var workCount: Int {
    lines(of: Self.journal).count(where: { $0.hasSuffix(" 000") && $0 != "0000000000000000 000" })
  }

  @Test func inputThatCrashesProgramFailsOnlyItsLine() throws {
    try writeHangingManifest("a.wav", "b.wav")
    for ending in 0..<3 {
      let run = try start()
      let isMidway = eventually {
        // Each run writes the number of earlier crashes to the journal.
        ending == 0
          ? workCount == 2 && lines(of: "all.jsonl.ledger").count == 2
          : workCount == 1 && lines(of: Self.journal).contains { $0.hasSuffix(" 00\(ending)") }
      }
      #expect(isMidway, "\(lines(of: Self.journal))")
      run.signal(SIGKILL)
      #expect(try run.wait().status == -SIGKILL)
      #expect(lines(of: "all.jsonl.ledger").count == 2)
      if ending == 0 {
        #expect(try shell("rm late").status == 0)
        try folder.write([0xFF, 0xD8, 0xFF, 1], to: "late")
      }
    }
    let outcome = try start().wait()
    #expect(outcome.status == 1 && !outcome.wasKilled)
    #expect(outcome.errors.contains("Line 1: “a.wav” crashed the program 3 times"))
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

  @Test func handledSignalCountsNoCrash() throws {
    try writeHangingManifest()
    for _ in 0..<4 {
      let run = try start()
      #expect(eventually { workCount == 2 })
      run.terminate()
      #expect(try run.wait().status == 143)
      #expect(!folder.names.contains(Self.journal))
    }
    #expect(lines(of: "all.jsonl.ledger").isEmpty)
  }

  /// A line that waits for exclusive access is not in progress.
  @Test func signalKeepsCountsOfWaitingCandidates() throws {
    try writeHangingManifest()
    let killed = try start()
    #expect(eventually { workCount == 2 })
    killed.signal(SIGKILL)
    #expect(try killed.wait().status == -SIGKILL)
    let candidates = lines(of: Self.journal).map { String($0.prefix(16)) + " 001" }.sorted()
    let first = #"{"input": "a.wav", "output": "first.m4a", "cover": "never"}"#
    let old = lines(of: "all.jsonl")
    try folder.write(Array(([first] + old).map { $0 + "\n" }.joined().utf8), to: "all.jsonl")
    let run = try start()
    #expect(eventually { workCount == 1 })
    run.terminate()
    #expect(try run.wait().status == 143)
    let kept = lines(of: Self.journal).filter { $0 != "0000000000000000 000" }
    #expect(kept.sorted() == candidates.filter { !$0.hasPrefix("0000000000000000") })
    #expect(lines(of: "all.jsonl.ledger").isEmpty)
  }

  /// The batch receives the lines one by one.
  ///
  /// The first output is damaged before the last line arrives.
  @Test(arguments: [
    ("rm a.m4a", "removed"), ("echo >> a.m4a", "replaced or changed"),
    ("cp b.wav c; mv c a.m4a", "replaced or changed"),
  ])
  func removedOrChangedOutputsAreLost(misfortune: String, words: String) throws {
    let lines =
      "{ echo a.wav; for i in $(seq 2400); do grep -q a.wav l && break; sleep 0.05; done;"
      + " \(misfortune); echo b.wav; } 2> /dev/null"
    let outcome = try shell("\(lines) | $AACORN batch - --ledger l")
    #expect(outcome.status == 5, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("Line 1: Another program \(words) “a.m4a” after this run"),
      "\(outcome.errors)")
    let ledger = String(decoding: try folder.read("l"), as: UTF8.self).split(separator: "\n")
    #expect(ledger.count == 3)
    #expect(ledger[1].contains("\"output\":\"b.m4a\",\"status\":\"done\""))
    #expect(ledger[2].contains("\"output\":\"a.m4a\",\"status\":\"postponed\",\"error\":\"lost\""))
    let report = try shell("$AACORN batch --merge --json l")
    #expect(report.text.contains("\"lost\":1,"), "\(report.text)")
    let merged = try shell("$AACORN batch --merge l")
    #expect(merged.status == 1 && merged.text.contains("1 lost"), "\(merged.text)")
    // A later run encodes the file again, whatever the current output is.
    let again = try shell("echo a.wav | $AACORN batch - --ledger l")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.read("a.m4a") == folder.read("b.m4a"))
  }

  @Test func runSucceedsDespiteTouchedOutput() throws {
    let lines =
      "{ echo a.wav; for i in $(seq 2400); do grep -q a.wav l && break; sleep 0.05; done;"
      + " touch -d 2001-02-03 a.m4a; echo b.wav; } 2> /dev/null"
    let outcome = try shell("\(lines) | $AACORN batch - --ledger l")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try folder.read("l").count { $0 == UInt8(ascii: "\n") } == 2)
  }

  /// A later line may replace the output of an earlier line.
  @Test func runSucceedsAfterRewritingItsOutput() throws {
    let lines =
      "{ echo a.wav; for i in $(seq 2400); do grep -q a.wav l && break; sleep 0.05; done;"
      + " echo '{\"input\": \"a.wav\", \"output\": \"a.m4a\", \"bitrate\": 32000}'; } 2> /dev/null"
    let outcome = try shell("\(lines) | $AACORN batch - -j 1 -b 128k --ledger l")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try folder.read("l").count { $0 == UInt8(ascii: "\n") } == 2)
  }
}
