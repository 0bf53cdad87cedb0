import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// Lines that are read from standard input.
@Suite struct BatchInputTests {
  private let folder = TemporaryFolder()

  /// Runs a session, and returns its status and the printed lines.
  private func session(
    _ lines: [String]
  ) throws -> (AacornCommands.ExitStatus, [LedgerEntry], outputLines: [String]) {
    let captured = CapturedConsole()
    let console = captured.console
    let pipe = try #require(System.makePipe())
    defer { try? System.close(pipe.reading) }
    _ = try System.write(pipe.writing, Array(lines.map { $0 + "\n" }.joined().utf8), from: 0)
    try System.close(pipe.writing)
    let ledger = try Ledger(folder.path("ledger"))
    let run = BatchRun(BatchCommand(jobCount: 1), ledger: ledger, total: nil, in: console)
    let status = run.run(try LineReader("/dev/fd/\(pipe.reading)", captured.interruption))
    console.output.flush()
    let outputLines = captured.output.split(separator: "\n").map(String.init)
    return (status, outputLines.compactMap { LedgerEntry(Array($0.utf8)[...]) }, outputLines)
  }

  private func line(_ input: String, id: Int, _ more: String = "") -> String {
    "{\"input\": \"\(folder.path(input))\", \"id\": \(id)\(more)}"
  }

  @Test func invalidLineDoesNotAffectOthers() throws {
    try folder.write(wavFile(frames: 3000), to: "a.wav")
    let (status, entries, outputLines) = try session([
      "{\"inp", line("a.wav", id: 1, #", "output": "-""#), line("a.wav", id: 2),
      String(repeating: "x", count: 20_000),
    ])
    #expect(status == .failed)
    #expect(outputLines.count == 4)
    #expect(
      outputLines[0].contains(#""line":1,"#)
        && outputLines[0].contains("The line is not a JSON object"))
    #expect(outputLines[1].contains("names “-”"))
    #expect(entries.first?.id == "2" && entries.first?.outcome == .done)
    // Lines without a file are not added to the ledger.
    let kept = try folder.read("ledger").split(separator: UInt8(ascii: "\n"))
    #expect(kept.count == 2)
  }

  @Test func everyLineGetsAResult() throws {
    try folder.write(wavFile(frames: 3000), to: "a.wav")
    try folder.write([1, 2, 3], to: "b.wav")
    let lines = [line("a.wav", id: 1), line("b.wav", id: 2)]
    #expect(try session(lines).1.count == 2)
    let (status, entries, _) = try session(["", line("b.wav", id: 3), line("a.wav", id: 4)])
    #expect(status == .failed)
    #expect(entries.map(\.line) == [2, 3])
    #expect(entries.map(\.id) == ["3", "4"])
    #expect(entries.map(\.outcome) == [.failed, .done])
  }

  @Test func repeatedLineInSessionReusesOutput() throws {
    try folder.write(wavFile(frames: 3000), to: "a.wav")
    let (status, entries, _) = try session([
      line("a.wav", id: 1), line("a.wav", id: 2), line("a.wav", id: 3, #", "bitrate": "48k""#),
    ])
    #expect(status == .success)
    #expect(entries.map(\.outcome) == [.done, .done, .done])
    #expect(entries[0].product == entries[1].product)
    #expect(entries[1].product != entries[2].product)
    #expect(try folder.read("ledger").split(separator: UInt8(ascii: "\n")).count == 2)
  }
}
