import TestSignals
import Testing

@testable import AacornCodec

@Suite struct PrefixCodeTests {
  /// All books of consecutive numbers, with their ranges.
  static let books: [(PrefixCode, ClosedRange<Int>)] = [
    (ScaleFactorBook.code, -60...60),
    (SBRBooks.levelInTime, -60...60), (SBRBooks.levelInFrequency, -60...60),
    (SBRBooks.balanceInTime, -24...24),
    (SBRBooks.balanceInFrequency, -24...24),
    (SBRBooks.coarseLevelInTime, -31...31),
    (SBRBooks.coarseLevelInFrequency, -31...31),
    (SBRBooks.coarseBalanceInTime, -12...12),
    (SBRBooks.coarseBalanceInFrequency, -12...12),
    (SBRBooks.noiseInTime, -31...31),
    (SBRBooks.noiseBalanceInTime, -12...12),
    (StereoBooks.level, -14...14), (StereoBooks.levelTime, -14...14),
    (StereoBooks.fineLevel, -30...30), (StereoBooks.fineLevelTime, -30...30),
    (StereoBooks.coherence, -7...7), (StereoBooks.coherenceTime, -7...7),
    (StereoBooks.phaseDifference, 0...7), (StereoBooks.phaseDifferenceTime, 0...7),
    (StereoBooks.overallPhase, 0...7), (StereoBooks.overallPhaseTime, 0...7),
  ]

  @Test func everyNumberIsReadAsWritten() {
    for (book, numbers) in Self.books {
      var writer = BitWriter()
      for number in numbers { book.put(number, to: &writer) }
      #expect(writer.bitCount == numbers.reduce(0) { $0 + book.bitCount(of: $1) })
      // A reader stops after the last codeword, whatever follows it.
      for filling: UInt32 in [0, 1] {
        var padded = writer
        for _ in 0..<32 { padded.put(filling, count: 1) }
        var reader = BitReader(padded.bytes)
        #expect(numbers.allSatisfy { book.read(&reader) == $0 })
        #expect(reader.position == writer.bitCount)
      }
      #expect(book.contains(numbers.lowerBound) && book.contains(numbers.upperBound))
      #expect(!book.contains(numbers.lowerBound - 1) && !book.contains(numbers.upperBound + 1))
    }
  }

  @Test func anyBitsAreCodewords() {
    var random = SeededNumbers(seed: 1)
    let bytes = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for (book, numbers) in Self.books {
      var reader = BitReader(bytes)
      var writer = BitWriter()
      while reader.remaining > 20 {
        let number = book.read(&reader)
        #expect(numbers.contains(number))
        book.put(number, to: &writer)
      }
      #expect(writer.bitCount == reader.position)
      #expect(writer.bytes.dropLast() == bytes[..<(writer.bytes.count - 1)])
    }
  }
}
