import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles

@testable import AacornInspection
@testable import AacornRecording

/// Repairs the input in memory, and checks the reported outcome.
///
/// The inspector must find no error in intact and in repaired files, and repaired files must need
/// no further repair.
func fuzzRepair(_ bytes: [UInt8]) {
  if work(on: bytes).holdsSamples() { return fuzzSampleRepair(bytes) }
  switch outcome(of: bytes) {
  case .intact: require(errorCount(bytes) == 0, "an intact file with errors")
  case .repairable(let plan): check(plan, bytes)
  case .needsConfiguration(let choices):
    guard let choice = choices.first else { return require(false, "a question without choices") }
    let hints = RepairHints(sampleRate: choice.sampleRate, channelCount: choice.channelCount)
    if case .repairable(let plan) = outcome(of: bytes, hints) { check(plan, bytes) }
  case .irreparable:
    require(errorCount(bytes) > 0, "a file without an error that cannot be repaired")
  }
  // An estimate has no result to check; it must only end. It shares most code with the repair, so
  // it runs for few inputs.
  if FuzzRandom(bytes).isRare { _ = work(on: bytes).estimate() }
}

/// Checks that a file of samples needs no second repair, after a repair in a new file or in place.
private func fuzzSampleRepair(_ bytes: [UInt8]) {
  guard case .repairable(let repair) = work(on: bytes).sampleOutcome() else { return }
  for file in [made(repair.newFile, from: bytes), healed(bytes, by: repair.inPlace)] {
    guard case .intact = work(on: file).sampleOutcome() else {
      return require(false, "repaired samples that need another repair")
    }
  }
}

private func check(_ plan: RepairPlan, _ bytes: [UInt8]) {
  let new = made(plan.newFile, from: bytes)
  require(errorCount(new) == 0, "a repaired file with errors")
  // A repair inserts short silent units, and must not fill the disk.
  require(new.count <= 16 * bytes.count + 4096, "\(bytes.count) bytes became \(new.count)")
  if FuzzRandom(bytes).isRare, case .repairable = outcome(of: new) {
    require(false, "a repaired file that needs another repair")
  }
  guard let inPlace = plan.inPlace else { return }
  require(errorCount(healed(bytes, by: inPlace)) == 0, "a file repaired in place with errors")
}

private func healed(_ bytes: [UInt8], by repair: InPlaceRepair) -> [UInt8] {
  var healed = bytes
  if let writes = repair.writes { for write in writes { write.apply(to: &healed) } }
  if let end = repair.truncation { healed.removeSubrange(Int(end)...) }
  return healed
}

private func work(on bytes: [UInt8]) -> RepairWork<Never> {
  RepairWork(byteCount: bytes.count) { (offset, count) in
    require(offset >= 0 && count >= 0 && count <= 1 << 20, "\(count) bytes are read at \(offset)")
    let start = min(offset, bytes.count)
    return Array(bytes[start..<min(start + count, bytes.count)])
  }
}

private func outcome(
  of bytes: [UInt8], _ hints: RepairHints = RepairHints()
) -> RepairOutcome {
  work(on: bytes).outcome(hints)
}

private func made(_ file: RepairedFile, from bytes: [UInt8]) -> [UInt8] {
  var new: [UInt8] = []
  for step in file {
    switch step {
    case .bytes(let bytes): new += bytes
    case .patch(let write): write.apply(to: &new)
    case .copy(let range):
      require(range.upperBound <= UInt64(bytes.count), "a plan reads beyond the end")
      new += bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }
  }
  return new
}

private func errorCount(_ bytes: [UInt8]) -> Int64 {
  FileInspection.report(byteCount: UInt64(bytes.count)) { (offset, count) in
    let start = min(Int(offset), bytes.count)
    return Array(bytes[start..<min(start + count, bytes.count)])
  }.faults.errorCount
}
