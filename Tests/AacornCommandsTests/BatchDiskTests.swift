import AacornSystem
import Simulation
import Testing

@testable import AacornCommands

/// Batches whose program is killed, whose machine loses power, or whose disk fails, on a simulated disk.
@Suite(.simulated(seeds: 1), .needsSimulation) struct BatchDiskTests {
  private let folder = TemporaryFolder()
  private let manifest: String
  private let outputs = ["in/0.m4a", "in/1.m4a"]

  init() throws {
    let inputs = try (0..<2).map { [folder] number in
      try folder.write(wavFile(frames: 2000 + 500 * number), to: "in/\(number).wav")
    }
    manifest = try folder.write(lines: inputs)
  }

  /// Runs the batch; returns whether it succeeded, and its messages.
  private func run() -> (isSuccess: Bool, errors: String) {
    let captured = CapturedConsole()
    let status = captured.run(["batch", manifest, "--retries", "0", "-j", "2"])
    return (status == .success, captured.errors)
  }

  /// Expects that the ledger's last line of each output reports success.
  private func expectDone(_ words: @autoclosure () -> String) throws {
    var done: [String: Bool] = [:]
    for line in try folder.read("all.txt.ledger").split(separator: UInt8(ascii: "\n")) {
      if let entry = LedgerEntry(line) { done[entry.output] = entry.outcome == .done }
    }
    for output in outputs { #expect(done[folder.path(output)] == true, "\(words())") }
  }

  @Test func runAfterEachCrashCompletesTheBatch() throws {
    let disk = Disk(folder.path)
    #expect(run().isSuccess)
    let whole = try outputs.map { try folder.read($0) }
    var count = 0
    try disk.eachCrash { crash in
      count += 1
      for (output, bytes) in zip(outputs, whole) {
        if let found = crash.files[output] { #expect(found == bytes, "\(crash)") }
      }
      try crash.restore()
      let (isSuccess, errors) = run()
      #expect(isSuccess, "\(crash): \(errors)")
      for (output, bytes) in zip(outputs, whole) {
        #expect(try folder.read(output) == bytes, "\(crash)")
      }
      try expectDone("\(crash)")
    }
    #expect(count > 20)
  }

  /// A run reports each failing call, or has everything on the disk.
  ///
  /// The next run completes the batch.
  @Test func runOnFailingDiskIsResumed() throws {
    #expect(run().isSuccess)
    let whole = try outputs.map { try folder.read($0) }
    let callCount = try Disk.eachFailure { calls in
      for output in outputs { try System.remove(folder.path(output)) }
      try System.remove(manifest + ".ledger")
      let disk = Disk(folder.path)
      disk.failure = (calls, .device)
      let (isSuccess, errors) = run()
      if isSuccess {
        for (output, bytes) in zip(outputs, whole) {
          #expect(disk.stored[output] == bytes, "calls \(calls)")
        }
        let ledger = disk.stored["all.txt.ledger"] ?? []
        #expect(ledger.split(separator: UInt8(ascii: "\n")).count == 2, "calls \(calls)")
      } else {
        #expect(errors.contains("the device reports an error"), "calls \(calls): \(errors)")
      }
      disk.failure = nil
      let again = run()
      #expect(again.isSuccess, "calls \(calls): \(again.errors)")
      // The name of a new ledger is on the disk, even if the first run could not flush it.
      #expect(disk.stored["all.txt.ledger"] != nil, "calls \(calls)")
      for (output, bytes) in zip(outputs, whole) {
        #expect(try folder.read(output) == bytes, "calls \(calls)")
      }
      return disk
    }
    #expect(callCount >= 15)
  }
}
