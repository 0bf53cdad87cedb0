import AacornRecording
import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornCommands

/// Interference of other programs with the outputs and the ledger of a run.
@Suite struct BatchLossTests {
  private let folder = TemporaryFolder()

  /// Encodes `o/a.m4a` and then `o/b.m4a`, and calls a closure after the first.
  ///
  /// Expects the exit status, and texts in the errors.
  private func run(
    in folder: TemporaryFolder, sound: [UInt8] = wavFile(frames: 3000),
    _ expectedStatus: AacornCommands.ExitStatus, _ texts: String...,
    sourceLocation: SourceLocation = #_sourceLocation, fault: @escaping @Sendable () -> Void
  ) throws {
    try folder.write(sound, to: "a.wav")
    try System.makeFolder(folder.path("o"))
    let manifest = try folder.write(
      lines: ["o/a.m4a", "o/b.m4a"].map { folder.line("a.wav", output: $0) })
    let (errors, lineCount) = (Lock(""), Lock(0))
    let console = Console(
      output: TextStream { bytes in
        guard String(decoding: bytes, as: UTF8.self).contains(#""status":"#) else { return }
        let isFirst = lineCount.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { fault() }
      },
      errors: TextStream { bytes in
        errors.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      },
      isLive: false, columns: 80, interruption: Interruption())
    let status = RootCommand.run(["batch", manifest, "--json", "-j", "1"], in: console)
    console.errors.flush()
    let found = errors.withLock { $0 }
    #expect(status == expectedStatus, "\(found)", sourceLocation: sourceLocation)
    for text in texts {
      #expect(found.contains(text), "\(text)\n\(found)", sourceLocation: sourceLocation)
    }
  }

  // MARK: Outputs

  @Test func symlinkLoopCountsAsMissingOutput() throws {
    try run(in: folder, .lost, "Another program removed “\(folder.path("o/a.m4a"))”") { [folder] in
      try? System.remove(folder.path("o/a.m4a"))
      _ = unsafe symlink("a.m4a", folder.path("o/a.m4a"))
    }
    let last = try #require(try folder.entries().last)
    #expect(last.outcome == .postponed && last.error?.keyword == LedgerEntry.lostKeyword)
    let captured = CapturedConsole(
      running: ["batch", "--merge", "--json", folder.path("all.txt.ledger")], status: .failed)
    captured.expectOutput(#""done":1,"damaged":0,"failed":0,"postponed":1,"lost":1,"#)
  }

  @Test func outputInInaccessibleFolderIsLost() throws {
    try asOrdinaryUser {
      let folder = TemporaryFolder()
      defer { _ = unsafe chmod(folder.path("o"), 0o700) }
      let words = "o/a.m4a” could not be checked"
      try run(in: folder, .lost, words, SystemError.accessDenied.text) {
        _ = unsafe chmod(folder.path("o"), 0)
      }
    }
  }

  /// The file has another modification time and is unreadable, so its bytes may have changed.
  @Test func touchedUnreadableOutputIsLost() throws {
    try asOrdinaryUser {
      let folder = TemporaryFolder()
      try run(in: folder, .lost, "o/a.m4a” was modified by another program", "ermission denied") {
        let output = folder.path("o/a.m4a")
        var times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
        _ = unsafe utimes(output, &times)
        _ = unsafe chmod(output, 0)
      }
    }
  }

  /// Overwrites the end of an output with equally many bytes until its file system reports a
  /// change, and restores its modification time.
  private func overwrite(_ output: String) throws {
    let old = try System.status(of: output)
    let time = timespec(
      tv_sec: time_t(old.modified / 1_000_000_000), tv_nsec: Int(old.modified % 1_000_000_000))
    let file = try System.open(output, for: .writing)
    defer { try? System.close(file) }
    let isMarkChanged = eventually {
      try? System.write(file, [UInt8](repeating: 7, count: 64), at: old.size - 64)
      _ = unsafe futimens(file, [time, time])
      return (try? System.status(of: output))?.mark != old.mark
    }
    #expect(isMarkChanged)
    let new = try System.status(of: output)
    #expect(new.modified == old.modified && new.size == old.size && new.identity == old.identity)
  }

  @Test func overwrittenOutputIsLostDespiteEqualSizeAndTime() throws {
    try run(in: folder, .lost, "Another program replaced or changed “") { [self] in
      #expect(throws: Never.self) { try overwrite(folder.path("o/a.m4a")) }
    }
  }

  @Test func anOutputThatIsTouchedOrCopiedBackIsTheSame() throws {
    try run(in: folder, .success) { [self] in
      _ = unsafe chmod(folder.path("o/a.m4a"), 0o600)
      #expect(throws: Never.self) {
        try folder.write(folder.read("o/a.m4a"), to: "copy")
        try System.rename(folder.path("copy"), to: folder.path("o/a.m4a"))
      }
    }
  }

  // MARK: The ledger

  /// Overwrites a part of the ledger without changing its size.
  private func overwrite(_ word: String, with other: String) {
    guard let bytes = try? folder.read("all.txt.ledger"),
      let offset = bytes.indices.first(where: { bytes[$0...].starts(with: word.utf8) }),
      let file = try? System.open(folder.path("all.txt.ledger"), for: .writing)
    else {
      Issue.record("The ledger has no “\(word)”.")
      return
    }
    defer { try? System.close(file) }
    #expect(throws: Never.self) { try System.write(file, Array(other.utf8), at: offset) }
  }

  /// The line differs from the reported one, whether it is still readable or not.
  @Test(arguments: [(#"{"line":1"#, "\0\0\0\0"), ("a.wav", "b.wav"), ("}\n", "} ")])
  func ledgerLineDamagedDuringRunFailsRun(word: String, other: String) throws {
    try run(
      in: folder, .cannotWrite, "all.txt.ledger” was changed by another program during the run"
    ) { [self] in
      overwrite(word, with: other)
      try? System.remove(folder.path("o/a.m4a"))
    }
  }

  @Test func changedLedgerOfFailuresIsDetected() throws {
    try run(
      in: folder, sound: [1, 2, 3], .cannotWrite, "was changed by another program during the run"
    ) { [self] in
      overwrite(#""failed""#, with: #""fooled""#)
    }
  }

  // MARK: Reports

  @Test func recheckAndLostOutputsAreReported() throws {
    let inputs = try ["a.wav", "b.wav"].map { try folder.write(wavFile(frames: 3000), to: $0) }
    let path = try folder.write(lines: inputs)
    let (output, metrics) = (folder.path("a.m4a"), folder.path("numbers.prom"))
    let (printed, shown, numbersMeanwhile) = (Lock(""), Lock(""), Lock<String?>(nil))
    @Sendable func numbers() -> String {
      String(decoding: (try? folder.read("numbers.prom")) ?? [], as: UTF8.self)
    }
    let console = Console(
      output: TextStream { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        printed.withLock { $0 += text }
        // Another program removes the first output as soon as it is complete.
        if text.contains(#""status":"done""#) { try? System.remove(output) }
      },
      errors: TextStream { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        shown.withLock { $0 += text }
        if text.contains("0 of 2 outputs checked again") {
          numbersMeanwhile.withLock { $0 = $0 ?? numbers() }
        }
      },
      isLive: true, columns: 200, interruption: Interruption())
    let arguments = ["batch", path, "--json", "-j", "1", "--metrics", metrics]
    #expect(RootCommand.run(arguments, in: console) == .lost)
    console.output.flush()
    console.errors.flush()

    let meanwhile = numbersMeanwhile.withLock { $0 } ?? ""
    for text in ["looking_back{shard=\"1/1\"} 1\n", "lost_outputs_total{shard=\"1/1\"} 0\n"] {
      #expect(meanwhile.contains("aacorn_batch_" + text), "\(meanwhile)")
    }
    let end = numbers()
    for text in [
      "looking_back{shard=\"1/1\"} 0\n", "lost_outputs_total{shard=\"1/1\"} 1\n",
      "checked_outputs_total{shard=\"1/1\"} 2\n", "lines_total{shard=\"1/1\",status=\"done\"} 2\n",
    ] { #expect(end.contains("aacorn_batch_" + text), "\(end)") }
    #expect(shown.withLock { $0 }.contains("Another program removed “"))
    // The lines of the ledger, and a summary object.
    let lines = printed.withLock { $0 }.split(separator: "\n")
    #expect(lines.compactMap { LedgerEntry(Array($0.utf8)[...]) }.count == 3)
    let last = try #require(lines.last)
    #expect(lines.count == 4 && last.hasPrefix(#"{"done":2,"#), "\(last)")
    #expect(last.contains(#""postponed":0,"lost":1,"retries":0,"#), "\(last)")
  }
}
