import AacornSystem

@testable import AacornCommands
@testable import AacornRecording

/// Fuzzes a file as a manifest and as a ledger, and its lines as parts of a manifest.
func fuzzManifest(_ bytes: [UInt8]) {
  let path = FuzzFile.write(bytes)
  let interruption = Interruption()
  let rejectedCount = readManifest(path, interruption, BatchCommand())
  _ = readManifest(path, interruption, BatchCommand(outputFolder: "out", outputSuffix: "aac"))
  if let check = try? ManifestCheck(path, BatchCommand(), interruption) {
    require(check.faultCount >= rejectedCount, "a rejected line that is not counted")
  }
  readLedger(path, interruption, bytes)
  let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(64).map { line in
    String(decoding: line, as: UTF8.self)
  }
  for text in lines {
    if let shard = Shard(text) {
      require((0..<shard.count).contains(shard.index), "an invalid part: \(text)")
    }
  }
}

/// Reads the lines of a manifest and returns the number of rejected lines.
private func readManifest(
  _ path: String, _ interruption: Interruption, _ settings: BatchCommand
) -> Int {
  guard let reader = try? LineReader(path, interruption) else { return 0 }
  var last = 0
  var rejectedCount = 0
  while let next = try? reader.next() {
    require(next.number > last, "line numbers do not increase")
    last = next.number
    do throws(ManifestLine.Fault) {
      let line = try ManifestLine(next.bytes, number: next.number, settings)
      require(!line.input.isEmpty && !line.output.isEmpty, "a line without a path")
      require(!line.input.utf8.contains(0), "a path with a zero byte")
      let isAbsolute = line.output.utf8.first == UInt8(ascii: "/")
      let again = isAbsolute ? line.output : "./" + line.output
      require(ManifestLine.number(of: again) == line.outputNumber, "one file has two numbers")
      _ = try? line.command()
    } catch {
      require(!error.text.isEmpty, "a rejection without a reason")
      rejectedCount += 1
    }
  }
  return rejectedCount
}

private func readLedger(_ path: String, _ interruption: Interruption, _ bytes: [UInt8]) {
  guard let lines = try? LineReader(path, interruption) else { return }
  while let next = try? lines.next() {
    require(bytes[next.offset...].starts(with: next.bytes), "a line with a wrong offset")
    guard let entry = LedgerEntry(next.bytes) else { continue }
    let again = LedgerEntry(Array(entry.text.utf8)[...])
    require(again == entry, "an entry changes in a round trip: \(entry.text)")
  }
}
