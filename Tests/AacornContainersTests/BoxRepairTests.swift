import AacornSignal
import TestSignals
import Testing

@testable import AacornContainers

struct BoxRepairTests {
  private static let file: [UInt8] = {
    var writer = BoxWriter()
    writer.putFileType(isFragmented: false)
    writer.box(.movie) { $0.box(.movieHeader) { $0.putZeros(40) } }
    writer.box(.free) { $0.putZeros(30) }
    writer.box(.mediaData) { $0.put([UInt8](1...200)) }
    return writer.bytes
  }()

  private func patches(_ file: [UInt8]) -> [FileWrite] {
    BoxRepair.patches(byteCount: UInt64(file.count)) { (offset, count) in
      Array(file[Int(offset)..<Int(offset) + count])
    }
  }

  private func repaired(_ file: [UInt8]) -> [UInt8] {
    var file = file
    for patch in patches(file) { patch.apply(to: &file) }
    return file
  }

  private func start(_ name: String) throws -> Int {
    try #require(Self.file.indices.first { Self.file[$0...].starts(with: name.utf8) }) - 4
  }

  @Test func intactFileNeedsNoRepair() throws {
    #expect(patches(Self.file).isEmpty)
    #expect(patches([]).isEmpty)
    // In a truncated file, there is nothing to repair.
    for length in try start("mdat") + 8..<Self.file.count {
      #expect(patches(Array(Self.file[..<length])).isEmpty)
    }
  }

  @Test(arguments: ["ftyp", "moov", "free", "mdat"])
  func lengthsAreFoundAgain(name: String) throws {
    let start = try start(name)
    for (index, change) in [(0, 0x7F), (1, 1), (2, 3), (3, 0x15), (3, 0x04)] as [(Int, UInt8)] {
      var damaged = Self.file
      damaged[start + index] ^= change
      // A last box that is too long looks like a truncated file.
      if name == "mdat" && damaged[start..<start + 4].contains(where: { $0 > Self.file[start + 3] })
        || name == "mdat" && index < 3
      {
        continue
      }
      #expect(repaired(damaged) == Self.file, "\(name) \(index)")
    }
  }

  @Test func namesOfMoviesAndFragmentsAreKnownByTheirContent() throws {
    var damaged = Self.file
    damaged[try start("moov") + 5] ^= 0x20
    #expect(repaired(damaged) == Self.file)
  }

  @Test func noiseIsPassedOver() {
    var random = SeededNumbers(seed: 1)
    for _ in 0..<300 {
      let file = random.bytes(100) + Self.file
      let new = repaired(file)
      #expect(
        new.count == file.count && new.suffix(Self.file.count) == file.suffix(Self.file.count))
      #expect(patches(new).isEmpty)
    }
  }
}
