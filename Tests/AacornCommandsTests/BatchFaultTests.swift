import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// Interference of other programs with inputs and outputs while a line is processed.
@Suite struct BatchFaultTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(wavFile(frames: 3000), to: "a.wav")
  }

  private func work(replacing: Bool = false) throws -> BatchWork {
    var settings = BatchCommand()
    settings.replacesExisting = replacing
    return BatchWork(try ManifestLine(folder.line("a.wav", output: "a.m4a")), settings)
  }

  private func entry(of work: inout BatchWork) throws -> LedgerEntry {
    guard case .attempted(let entry, _) = try work.attempt() else {
      throw SystemError.notFound
    }
    return entry
  }

  /// `--force` does not apply to a recording that ended between two attempts.
  @Test func outputBusyInFirstAttemptIsKept() throws {
    var work = try work(replacing: true)
    try folder.write([1, 2, 3], to: "a.m4a")
    let holder = try #require(try System.takeFile(folder.path("a.m4a")))
    let taken = try entry(of: &work)
    #expect(taken.outcome == .postponed && taken.error?.keyword == "busy")
    try System.close(holder)
    let again = try entry(of: &work)
    #expect(again.outcome == .postponed && again.error?.keyword == "exists")
    #expect(try folder.read("a.m4a") == [1, 2, 3])
  }

  /// Identical bytes from another worker count as the worker's own output.
  @Test func identicalOutputOfAnotherWorkerIsDone() throws {
    var first = try work()
    #expect(try entry(of: &first).outcome == .done)
    var late = try work(replacing: true)
    late.outputWasBusy = true
    #expect(try entry(of: &late).outcome == .done)
  }

  @Test func inputChangedDuringEncodingThrows() throws {
    var work = try work()
    var entry = LedgerEntry()
    let status = try System.status(of: folder.path("a.wav"))
    entry.inputSize = status.size
    entry.inputTime = status.modified
    #expect(throws: Never.self) { try work.requireSameInput(as: entry) }
    entry.inputTime = status.modified - 1
    let failure = #expect(throws: CommandFailure.self) { try work.requireSameInput(as: entry) }
    #expect(failure?.kind == .cannotRead)
    #expect(failure?.message.contains("was changed by another program while it was read") == true)
    entry.inputTime = status.modified
    entry.inputSize = status.size + 1
    #expect(throws: CommandFailure.self) { try work.requireSameInput(as: entry) }
    // A program that changes tags may set the modification time back.
    entry.inputSize = status.size
    work.inputMark = status.mark
    #expect(throws: Never.self) { try work.requireSameInput(as: entry) }
    work.inputMark = "0-0"
    entry.inputDigest = try FileDigests.digest(of: folder.path("a.wav"), Interruption())
    #expect(throws: Never.self) { try work.requireSameInput(as: entry) }
    entry.inputDigest = ""
    #expect(throws: CommandFailure.self) { try work.requireSameInput(as: entry) }
  }

  /// An attempt may replace the output of an earlier attempt.
  @Test func theNextAttemptReplacesWhatWasMadeOfAChangedInput() throws {
    var work = try work()
    var first = try entry(of: &work)
    first.outcome = .postponed
    try folder.write(wavFile(frames: 5000), to: "a.wav")
    work.known = first
    let second = try entry(of: &work)
    #expect(second.outcome == .done && second.product.sampleCount == 5000)
  }
}
