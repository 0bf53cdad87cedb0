import AacornRecording
import AacornSystem
import Foundation
import SoundRigs
import Testing

@Suite struct OutputFileTests {
  private let folder: Folder
  private let interruption = Interruption()

  init() throws { folder = try Folder() }

  @discardableResult
  private func output(
    _ name: String = "x", replacing: Bool = false
  ) throws(AACFileError) -> OutputFile {
    try OutputFile(folder.file(name), replacing: replacing, interruption: interruption)
  }

  @Test(arguments: [true, false]) func brokenLinkIsUnchanged(replacing: Bool) throws {
    try folder.link("x", to: "nothing")
    let error = #expect(throws: AACFileError.self) { try output(replacing: replacing) }
    #expect(error?.message.contains("a symbolic link whose target does not exist") == true)
    #expect(folder.names == ["x"])
  }

  @Test func aFileWithoutOwnerLeavesNothing() throws {
    do {
      let file = try output()
      try file.write([1])
      try file.flush()
      #expect(folder.names.count == 1 && folder.names != ["x"])
    }
    #expect(folder.names.isEmpty)
  }

  @Test func aNewFileDoesNotInheritAListOfGaps() throws {
    try folder.write(Array("[]".utf8), to: "x.gaps.json")
    let error = #expect(throws: AACFileError.self) { try output() }
    #expect(error?.kind == .exists && error?.message.contains("x.gaps.json") == true)
    let file = try output(replacing: true)
    try file.write([1])
    #expect(folder.names.contains("x.gaps.json"))
    try file.commit()
    #expect(folder.names == ["x"])
  }

  /// The next run removes the temporary files of a killed process, and nothing else.
  @Test func leftoversOfEndedProcessesAreRemoved() throws {
    // No process has this number (`/proc/sys/kernel/pid_max`).
    let ended = ".aacorn-2000000000-7.tmp"
    let held = ".aacorn-2000000000-8.tmp"
    let running = ".aacorn-1-7.tmp"
    let others = [
      "aacorn-2000000000-7.tmp", ".aacorn-2000000000-7.tmp.m4a", ".aacorn-2000000000-x.tmp",
      ".aacorn-2000000000.tmp", ".aacorn-x-7.tmp", ".aacorn--1-7.tmp", ".aacorn-0-7.tmp", "x.tmp",
      held, running,
    ]
    for name in [ended] + others { try folder.write([1], to: name) }
    try folder.link(".aacorn-2000000000-9.tmp", to: ended)
    let lock = try System.open(folder.file(held), for: .reading)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let file = try output()
    try file.commit()
    #expect(Set(folder.names) == Set(others + ["x", ".aacorn-2000000000-9.tmp"]))
    // A folder is searched once.
    try folder.write([1], to: ended)
    try output("y").commit()
    #expect(folder.names.contains(ended))
    System.removeLeftovers(inFolder: folder.file(""))
    #expect(!folder.names.contains(ended) && folder.names.contains(held))
    try System.close(lock)
    System.removeLeftovers(inFolder: folder.file(""))
    #expect(!folder.names.contains(held))
  }

  @Test func existingFileIsAcceptedOnlyWithEqualBytes() throws {
    let bytes = [UInt8](repeating: 3, count: 200_000)
    let old = try System.status(of: folder.write(bytes, to: "x")).identity
    for (content, isEqual) in [
      (bytes, true), (bytes + [3], false), (Array(bytes.dropLast()), false),
      (Array(bytes.dropLast()) + [4], false), ([], false),
    ] {
      let file = try OutputFile(
        folder.file("x"), replacing: false, acceptsEqual: true, interruption: interruption)
      try file.write(content)
      do throws(AACFileError) {
        try file.commit()
        #expect(isEqual)
      } catch {
        #expect(!isEqual && error.kind == .exists)
      }
      file.discard()
      #expect(try System.status(of: folder.file("x")).identity == old)
      #expect(folder.names == ["x"])
    }
    let file = try OutputFile(
      folder.file("y"), replacing: false, acceptsEqual: true, interruption: interruption)
    try file.commit()
    #expect(folder.names == ["x", "y"])
  }

  @Test func sharedLockOnlyDelaysTakingFile() throws {
    let path = try folder.write([1], to: "x")
    // A process that only checks the file holds a shared lock for an instant. Another process can
    // check the file at the same time.
    let reader = try System.open(path, for: .reading)
    #expect(flock(reader, LOCK_SH | LOCK_NB) == 0)
    #expect(!System.isTaken(path))
    // A writer waits for that instant, which ends here after the writer's third attempt.
    var attemptCount = 0
    let timeoutNanoseconds = Int64(TestTimeout.milliseconds) * 1_000_000
    let writer = try #require(
      try System.takeFile(path, timeout: timeoutNanoseconds) {
        attemptCount += 1
        if attemptCount == 3 { try? System.close(reader) }
      })
    #expect(attemptCount == 3)
    #expect(System.isTaken(path))
    try System.close(writer)
  }

  @Test func aFileHasItsNameOnlyWhenItIsComplete() throws {
    let file = try output()
    try file.write([1, 2, 3])
    try file.flush()
    #expect(folder.names.count == 1)
    #expect(folder.names.first?.hasPrefix(".aacorn-") == true)
    try file.commit()
    #expect(folder.names == ["x"])
    #expect(try folder.bytes("x") == [1, 2, 3])
  }

  @Test func abandonedFileLeavesNothing() throws {
    var file: OutputFile? = try output()
    try file?.write([UInt8](repeating: 7, count: 100_000))
    #expect(folder.names.count == 1)
    file = nil
    #expect(folder.names.isEmpty)
  }

  @Test func aSignalPreventsTheName() throws {
    let file = try output()
    try file.write([1])
    interruption.raise(System.interruptSignal)
    let failure = #expect(throws: AACFileError.self) { try file.commit() }
    #expect(failure?.signal == System.interruptSignal)
    file.discard()
    #expect(folder.names.isEmpty)
  }

  @Test func anExistingFileIsReplacedOnlyOnRequest() throws {
    try folder.write([9], to: "x")
    let error = #expect(throws: AACFileError.self) { try output() }
    #expect(error?.kind == .exists)
    #expect(error?.recoverySuggestion == .recoveryAction(.replaceOrRename))
    let file = try output(replacing: true)
    try file.write([1])
    #expect(try folder.bytes("x") == [9])
    try file.commit()
    #expect(try folder.bytes("x") == [1])
  }

  @Test(arguments: [false, true]) func fileCreatedOrLockedDuringWriteIsKept(isLocked: Bool) throws {
    let file = try output(replacing: isLocked)
    try file.write([1])
    let path = try folder.write([9], to: "x")
    let writer = isLocked ? try System.takeFile(path) : nil
    #expect((writer != nil) == isLocked)
    let error = #expect(throws: AACFileError.self) { try file.commit() }
    #expect(error?.kind == (isLocked ? .busy : .exists))
    file.discard()
    if let writer { try System.close(writer) }
    #expect(folder.names == ["x"])
    #expect(try folder.bytes("x") == [9])
  }

  @Test func earlierBytesCanBeOverwrittenAndMoved() throws {
    let file = try output()
    try file.write([0, 1, 2, 3, 4])
    try file.write([9, 8], at: 0)
    try file.move(2..<5, by: 2)
    try file.write([5])
    try file.commit()
    #expect(try folder.bytes("x") == [9, 8, 2, 3, 2, 3, 4, 5])
    #expect(file.byteCount == 8)
  }

  @Test func manyBytesMoveInPieces() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7 >> 3) }
    let file = try output()
    try file.write(content)
    try file.move(0..<200_000, by: 10)
    try file.commit()
    #expect(Array(try folder.bytes("x")[10...]) == content)
  }

  @Test func failuresSayWhatAndWhere() throws {
    let missing = #expect(throws: AACFileError.self) { try output("no/x") }
    #expect(missing?.kind == .cannotWrite)
    #expect(missing?.message.contains("no/x”: its folder does not exist.") == true)
    let isFolder = #expect(throws: AACFileError.self) {
      _ = try OutputFile(folder.path, replacing: true, interruption: interruption)
    }
    #expect(isFolder?.message.contains("it is a folder. Name a file.") == true)
    let full = AACFileError(.write, "x", because: .diskFull)
    #expect(full.message.hasPrefix("Cannot write “x”: the disk is full."))
    let unreadable = #expect(throws: AACFileError.self) {
      _ = try InputFile(folder.file("none"), interruption: interruption)
    }
    #expect(unreadable?.kind == .cannotRead)
  }

  @Test func brokenPipeIsReportedAsPipeSignal() {
    let error = AACFileError(.write, "x", because: .brokenPipe)
    #expect(error.kind == .interrupted && error.signal == System.pipeSignal)
  }

  @Test func pathWithZeroByteCannotBeRead() {
    let failure = #expect(throws: AACFileError.self) {
      _ = try InputFile("/dev/null\0.wav", interruption: interruption)
    }
    #expect(failure?.kind == .cannotRead)
  }

  @Test(arguments: [0o600, 0o640, 0o444])
  func aFileThatIsReplacedHandsOnItsPermissions(permissions: Int) throws {
    try folder.write([9], to: "x")
    try folder.setPermissions(permissions, of: "x")
    let file = try output(replacing: true)
    try file.write([1])
    try file.flush()
    // The unfinished file has the same permissions.
    let hidden = try #require(folder.names.first { $0.hasPrefix(".aacorn-") })
    #expect(try folder.permissions(of: hidden) == permissions)
    try file.commit()
    #expect(try folder.permissions(of: "x") == permissions)
    #expect(try folder.bytes("x") == [1])
  }

  @Test func aNewFileMayBeAsOpenAsAnother() throws {
    let model = try folder.write([9], to: "model")
    try folder.setPermissions(0o640, of: "model")
    let file = try OutputFile(
      folder.file("x"), replacing: false, like: System.status(of: model),
      interruption: interruption)
    try file.commit()
    #expect(try folder.permissions(of: "x") == 0o640)
  }

  @Test func fileBeingWrittenStaysLocked() throws {
    let path = try folder.write([9], to: "x")
    let writer = try #require(try System.takeFile(path))
    for isReplacing in [false, true] {
      let error = #expect(throws: AACFileError.self) { try output(replacing: isReplacing) }
      #expect(error?.kind == .busy)
      #expect(error?.message.contains("process \(System.processNumber)") == true)
    }
    try System.close(writer)
    let file = try output(replacing: true)
    // Until the commit, the lock prevents other programs from replacing the file.
    #expect(System.isTaken(path))
    try file.commit()
    #expect(!System.isTaken(path))
    #expect(folder.names == ["x"])
  }

  /// Interference of other programs with the hidden file.
  enum Spoiling: CaseIterable { case removed, emptied, emptiedBeforeMore, replaced }

  @Test(arguments: Spoiling.allCases)
  func commitRejectsSpoiledTemporaryFile(spoiling: Spoiling) throws {
    let file = try output()
    try file.write([1, 2, 3])
    try file.flush()
    let hidden = try #require(folder.names.first)
    switch spoiling {
    case .removed: try folder.remove(hidden)
    case .emptied, .emptiedBeforeMore: #expect(unsafe truncate(folder.file(hidden), 0) == 0)
    case .replaced:
      try folder.remove(hidden)
      try folder.write([1, 2, 3], to: hidden)
    }
    let error = #expect(throws: AACFileError.self) {
      // Bytes that are written after the emptied part would restore the length of the file.
      if spoiling == .emptiedBeforeMore { try file.write([4, 5]) }
      try file.commit()
    }
    #expect(error?.kind == .cannotWrite)
    file.discard()
    #expect(!folder.names.contains("x"))
  }

  @Test func signalInterruptsOpeningPipeWithoutReader() throws {
    #expect(unsafe mkfifo(folder.file("x"), 0o600) == 0)
    interruption.raise(System.interruptSignal)
    let failure = #expect(throws: AACFileError.self) { try output() }
    #expect(failure?.signal == System.interruptSignal)
  }

  @Test func pipeWithoutReaderIsReported() throws {
    #expect(unsafe mkfifo(folder.file("x"), 0o600) == 0)
    let error = #expect(throws: SystemError.self) {
      try System.openPipe(folder.file("x"), timeout: 0, isCancelled: { false })
    }
    #expect(error == .noReader)
    #expect(
      AACFileError(.write, "x", because: .noReader).message
        == "Cannot write “x”: no program reads this pipe. Start its reader first.")
  }

  @Test func numberedNameFitsMaximumLength() {
    let long = String(repeating: "y", count: 255)
    #expect(FileOutput.numbered("/a/\(long)", 2) == "/a/\(long.dropLast(4))-002")
    #expect(
      FileOutput.numbered("\(long.dropLast(4)).m4a", 10_000) == "\(long.dropLast(10))-10000.m4a")
    // A name that is short enough is not truncated.
    #expect(FileOutput.numbered("\(long.dropLast(8)).m4a", 2) == "\(long.dropLast(8))-002.m4a")
    // A suffix as long as the whole name is not treated as a suffix.
    #expect(FileOutput.numbered("x.\(long)", 2) == "x.\(long.dropLast(6))-002")
    // The length of names that are not UTF-8 is counted in bytes.
    let raw = PathText.decode([UInt8](repeating: 0xFF, count: 251))
    #expect(
      PathText.encode(FileOutput.numbered(raw + ".m4a", 2))
        == [UInt8](repeating: 0xFF, count: 247) + Array("-002.m4a".utf8))
  }
}
