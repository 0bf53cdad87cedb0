import TestSignals
import Testing

@testable import AacornCodec

@Suite struct BitTests {
  struct Field {
    var value: UInt32
    var count: Int
  }

  static func randomFields(_ count: Int, seed: UInt64) -> [Field] {
    var random = SeededNumbers(seed: seed)
    return (0..<count).map { _ in
      let width = Int.random(in: 0...32, using: &random)
      let mask = width == 32 ? UInt32.max : (1 << UInt32(width)) - 1
      return Field(value: UInt32.random(in: 0...UInt32.max, using: &random) & mask, count: width)
    }
  }

  @Test(arguments: 1...40)
  func randomBitFieldsRoundTrip(seed: UInt64) {
    let fields = Self.randomFields(Int(seed) * 13, seed: seed)
    var writer = BitWriter()
    var counter = BitCounter()
    for field in fields {
      writer.put(field.value, count: field.count)
      counter.put(field.value, count: field.count)
    }
    #expect(writer.bitCount == counter.bitCount)
    #expect(writer.bitCount == fields.reduce(0) { $0 + $1.count })
    #expect(writer.bytes.count == (writer.bitCount + 7) / 8)
    var reader = BitReader(writer.bytes)
    for field in fields {
      #expect(reader.peek(field.count) == field.value)
      #expect(reader.read(field.count) == field.value)
    }
    #expect(reader.position == writer.bitCount)
    #expect(reader.remaining < 8)
    let filling = reader.read(reader.remaining)
    #expect(filling == 0)
    #expect(!reader.isOverrun)
  }

  /// Writes runs of fields through a cursor that has room for exactly the fields of the run, and
  /// single fields between the runs.
  @Test(arguments: 1...40)
  func uncheckedCursorWritesSameBytesAsPut(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    var plain = BitWriter()
    var writer = BitWriter(byteCapacity: seed % 2 == 0 ? 0 : 200)
    for round in 0..<20 {
      // Some runs need more than twice the capacity, so that doubling the storage is not enough.
      let count = round % 7 == 6 ? 2000 : Int.random(in: 0...60, using: &random)
      let fields = Self.randomFields(count, seed: random.next())
      let single = Self.randomFields(1, seed: random.next())[0]
      for field in fields { plain.put(field.value, count: field.count) }
      plain.put(single.value, count: single.count)
      unsafe writer.withUncheckedCursor(fieldCount: fields.count) { cursor in
        for field in fields { unsafe cursor.put(field.value, count: field.count) }
      }
      writer.put(single.value, count: single.count)
      #expect(writer.bitCount == plain.bitCount)
    }
    #expect(writer.bytes == plain.bytes)
  }

  @Test(arguments: 0...32)
  func uncheckedCursorResumesAtAnyBit(before: Int) {
    for width in 0...32 {
      let ones = width == 0 ? 0 : UInt32.max >> UInt32(32 - width)
      var plain = BitWriter()
      var writer = BitWriter()
      for _ in 0..<before {
        plain.put(0, count: 1)
        writer.put(0, count: 1)
      }
      for value in [ones, 0, ones] { plain.put(value, count: width) }
      unsafe writer.withUncheckedCursor(fieldCount: 3) { cursor in
        for value in [ones, 0, ones] { unsafe cursor.put(value, count: width) }
      }
      #expect(writer.bitCount == before + 3 * width)
      #expect(writer.bytes == plain.bytes)
    }
  }

  @Test func uncheckedCursorKeepsCopiesAndUnwrittenBits() {
    var writer = BitWriter()
    writer.put(0xABCDE, count: 20)
    let copy = writer
    unsafe writer.withUncheckedCursor(fieldCount: 25) { _ in }
    #expect(writer.bytes == [0xAB, 0xCD, 0xE0])
    unsafe writer.withUncheckedCursor(fieldCount: 1) { unsafe $0.put(0xFFFF_FFFF, count: 32) }
    #expect(writer.bytes == [0xAB, 0xCD, 0xEF, 0xFF, 0xFF, 0xFF, 0xF0])
    #expect(copy.bytes == [0xAB, 0xCD, 0xE0])
    writer.removeAll()
    unsafe writer.withUncheckedCursor(fieldCount: 1) { unsafe $0.put(0x1234, count: 16) }
    #expect(writer.bytes == [0x12, 0x34])
  }

  /// A field that begins just before, at and just after the word boundaries of the writer's cache.
  @Test(arguments: [31, 32, 33, 63, 64, 65, 95, 96, 97])
  func fieldsAreWholeAcrossWordBoundaries(before: Int) {
    for width in 0...32 {
      var writer = BitWriter()
      for _ in 0..<before { writer.put(0, count: 1) }
      let ones = width == 0 ? 0 : UInt32.max >> UInt32(32 - width)
      writer.put(ones, count: width)
      writer.put(0, count: 1)
      var expected = [UInt8](repeating: 0, count: (before + width + 8) / 8)
      for bit in before..<before + width { expected[bit / 8] |= 0x80 >> UInt8(bit % 8) }
      #expect(writer.bytes == expected)
      #expect(writer.bitCount == before + width + 1)
      var reader = BitReader(writer.bytes)
      reader.skip(before)
      #expect(reader.read(width) == ones)
    }
  }

  @Test(arguments: 0...40)
  func alignmentFillsUpToAByte(count: Int) {
    var writer = BitWriter()
    var counter = BitCounter()
    for _ in 0..<count {
      writer.put(1, count: 1)
      counter.put(1, count: 1)
    }
    writer.alignToByte()
    counter.alignToByte()
    #expect(writer.bitCount == (count + 7) / 8 * 8)
    #expect(counter.bitCount == writer.bitCount)
    var reader = BitReader(writer.bytes)
    reader.skip(count)
    reader.alignToByte()
    #expect(reader.position == writer.bitCount)
    #expect(!reader.isOverrun)
  }

  @Test func readingPastEndYieldsZeros() {
    var reader = BitReader([0xFF, 0xFF])
    reader.skip(12)
    #expect(reader.peek(8) == 0xF0)
    #expect(!reader.isOverrun)
    #expect(reader.read(8) == 0xF0)
    #expect(reader.isOverrun)
    #expect(reader.remaining == 0)
    #expect(reader.read(32) == 0)
    #expect(reader.readFlag() == false)
    #expect(reader.position == 16)
  }

  @Test func readerStaysWithinRange() {
    var reader = BitReader([0xFF, 0x12, 0x34, 0xFF, 0xFF, 0xFF], range: 1..<3)
    #expect(reader.remaining == 16)
    #expect(reader.position == 8)
    #expect(reader.peek(32) == 0x1234_0000)
    #expect(reader.readInt(16) == 0x1234)
    #expect(!reader.isOverrun)
    reader.skip(1)
    #expect(reader.isOverrun)
  }
}
