import AacornSystem
import Simulation
import TestSignals
import Testing

@testable import AacornCommands

/// Random batches on a disk that is full, fails, writes parts, or loses power, and the run after that.
@Suite(.simulated(seeds: 20, with: .starvation), .needsSimulation) struct BatchScenarioTests {
  private let folder = TemporaryFolder()
  private var numbers = Simulation.numbers
  private let manifest: String
  /// The outputs of inputs with sound, with their bytes.
  private var whole: [String: [UInt8]] = [:]
  /// The outputs of inputs without sound.
  private var refused: [String] = []

  init() throws {
    var inputs: [String] = []
    for number in 0..<Int.random(in: 1...5, using: &numbers) {
      let isSound = number == 0 || Int.random(in: 0..<4, using: &numbers) > 0
      let frameCount = Int.random(in: 500...6000, using: &numbers)
      let bytes = isSound ? wavFile(frames: frameCount) : Array("No sound".utf8)
      inputs.append(try folder.write(bytes, to: "in/\(number).wav"))
      if isSound { whole["in/\(number).m4a"] = [] } else { refused.append("in/\(number).m4a") }
    }
    manifest = try folder.write(lines: inputs)
    let complete = run()
    #expect(complete.isSuccess == refused.isEmpty, "\(complete.errors)")
    for output in whole.keys.sorted() {
      whole[output] = try folder.read(output)
      try System.remove(folder.path(output))
    }
    try System.remove(manifest + ".ledger")
  }

  /// Runs the batch; returns whether it succeeded, and its messages.
  private func run(jobCount: Int = 1, retryCount: Int = 0) -> (isSuccess: Bool, errors: String) {
    let captured = CapturedConsole()
    let status = captured.run(
      ["batch", manifest, "--retries", "\(retryCount)", "-j", "\(jobCount)"])
    return (status == .success, captured.errors)
  }

  /// Returns one of the crashes of the disk.
  private mutating func crash(of disk: Disk) throws -> Disk.Crash {
    var chosen: Disk.Crash?
    var count = 0
    var numbers = numbers
    try disk.eachCrash { crash in
      count += 1
      if Int.random(in: 0..<count, using: &numbers) == 0 { chosen = crash }
    }
    self.numbers = numbers
    return try #require(chosen)
  }

  /// Expects that each output that exists is whole.
  private func expectWhole(_ files: [String: [UInt8]], _ words: String) {
    for (output, bytes) in whole {
      if let found = files[output] { #expect(found == bytes, "\(output): \(words)") }
    }
    for output in refused { #expect(files[output] == nil, "\(words)") }
  }

  @Test mutating func theNextRunCompletesEachLineOrListsItsError() throws {
    var disk = Disk(folder.path)
    let error = [SystemError.device, .diskFull].randomElement(using: &numbers) ?? .device
    disk.chooseFaults(
      callCount: 40 + 30 * whole.count, room: 60_000, error: error, using: &numbers)
    let first = run(
      jobCount: Int.random(in: 1...4, using: &numbers),
      retryCount: Int.random(in: 0...2, using: &numbers))
    expectWhole(disk.files, first.errors)
    let isIntact = disk.failureTime == nil && disk.capacity == nil
    if first.isSuccess || isIntact {
      for (output, bytes) in whole { #expect(disk.stored[output] == bytes, "\(first.errors)") }
    } else {
      #expect(!first.errors.isEmpty)
    }
    var words = first.errors
    if Bool.random(using: &numbers) {
      let crash = try crash(of: disk)
      words = "\(crash): \(words)"
      expectWhole(crash.files, words)
      try crash.restore()
      disk = Disk(folder.path)
    }
    (disk.failure, disk.capacity) = (nil, nil)
    let second = run(jobCount: Int.random(in: 1...4, using: &numbers))
    words += ", then \(second.errors)"
    #expect(second.isSuccess == refused.isEmpty, "\(words)")
    for (output, bytes) in whole { #expect(disk.files[output] == bytes, "\(words)") }
    try expectListed(words)
  }

  /// Expects that the last entry of each line reports its output or its error.
  private func expectListed(_ words: String) throws {
    var entries: [String: LedgerEntry] = [:]
    for line in try folder.read("all.txt.ledger").split(separator: UInt8(ascii: "\n")) {
      if let entry = LedgerEntry(line) { entries[entry.output] = entry }
    }
    for output in whole.keys {
      #expect(entries[folder.path(output)]?.outcome == .done, "\(output): \(words)")
    }
    for output in refused {
      let entry = try #require(entries[folder.path(output)], "\(output): \(words)")
      #expect(entry.outcome == .failed && entry.error != nil, "\(output): \(words)")
    }
  }
}
