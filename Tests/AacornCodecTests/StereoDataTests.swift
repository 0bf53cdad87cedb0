import TestSignals
import Testing

@testable import AacornCodec

@Suite struct StereoDataTests {
  /// Sets random indices, some of them equal to the previous row's.
  private static func fill(
    _ rows: inout [Int8], _ row: Int, _ range: ClosedRange<Int8>, _ random: inout SeededNumbers
  ) {
    let isSteady = Bool.random(using: &random)
    for band in 0..<StereoData.stride {
      let index = row * StereoData.stride + band
      if isSteady && band % 5 > 0 {
        rows[index] = rows[index - StereoData.stride]
      } else {
        rows[index] = Int8.random(in: range, using: &random)
      }
    }
  }

  /// Copies the last row to the first, because the next frame refers to it.
  private static func finish(_ rows: inout [Int8], _ count: Int) {
    for band in 0..<StereoData.stride { rows[band] = rows[count * StereoData.stride + band] }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5], [0, 1, 5])
  func stereoDataRoundTrips(levelMode: Int, coherenceMode: Int) {
    var random = SeededNumbers(seed: UInt64(levelMode * 6 + coherenceMode))
    let header = ParametricStereoTests.header(levelMode, coherenceMode)
    let limit = Int8(header.levelLimit)
    let levelCount = header.levelResolution.bandCount
    let coherenceCount = header.coherenceResolution.bandCount
    var levels = [Int8](repeating: 0, count: 5 * StereoData.stride)
    var coherences = levels
    var parameters = StereoParameters()
    var timeCoded = 0
    for frame in 0..<60 {
      var data = StereoData()
      data.header = header
      data.hasHeader = frame % 7 == 0
      data.hasBorders = Bool.random(using: &random)
      data.envelopeCount =
        data.hasBorders ? Int.random(in: 1...4, using: &random) : [0, 1, 2, 4][frame % 4]
      let borders = (0..<4).map { _ in UInt8.random(in: 0...31, using: &random) }.sorted()
      data.borders = borders
      for envelope in 0..<data.envelopeCount {
        Self.fill(&levels, envelope + 1, -limit...limit, &random)
        Self.fill(&coherences, envelope + 1, 0...7, &random)
        let allowsTime = envelope > 0 || !data.hasHeader
        data.levels.code(
          envelope, of: levels, count: levelCount, book: header.levelBook,
          timeBook: header.levelTimeBook, allowsTime: allowsTime)
        data.coherences.code(
          envelope, of: coherences, count: coherenceCount, book: StereoBooks.coherence,
          timeBook: StereoBooks.coherenceTime, allowsTime: allowsTime)
        if data.levels.isTimeCoded[envelope] { timeCoded += 1 }
        #expect(allowsTime || !data.levels.isTimeCoded[envelope])
      }
      let (bytes, bitCount) = StereoSound.bits(data)
      var counter = BitCounter()
      data.put(to: &counter)
      #expect(counter.bitCount == bitCount)

      var read = StereoData()
      var bits = BitReader(bytes)
      let isRead = read.read(&bits, bitCount: bitCount, after: frame == 0 ? nil : header)
      #expect(isRead && bits.position == bitCount)
      #expect(read.hasHeader == data.hasHeader && read.header == header)
      #expect(read.hasBorders == data.hasBorders && read.envelopeCount == data.envelopeCount)
      if data.hasBorders {
        #expect(read.borders.prefix(data.envelopeCount) == borders.prefix(data.envelopeCount))
      }
      var next = StereoParameters()
      let isSound = next.update(after: parameters, with: read)
      #expect(isSound)
      for row in 1..<data.envelopeCount + 1 {
        let start = row * StereoData.stride
        #expect(next.levels[start..<start + levelCount] == levels[start..<start + levelCount])
        #expect(
          next.coherences[start..<start + coherenceCount]
            == coherences[start..<start + coherenceCount])
      }
      next.finish()
      parameters = next
      Self.finish(&levels, data.envelopeCount)
      Self.finish(&coherences, data.envelopeCount)
    }
    #expect(timeCoded > 10)
  }

  @Test func theShorterDifferencesAreTaken() {
    var rows = [Int8](repeating: 0, count: 5 * StereoData.stride)
    for band in 0..<20 {
      rows[band] = Int8(band % 2 * 6 - 3)
      rows[StereoData.stride + band] = rows[band]
      rows[2 * StereoData.stride + band] = 3
    }
    var values = StereoData.Values()
    for envelope in 0..<2 {
      values.code(
        envelope, of: rows, count: 20, book: StereoBooks.level, timeBook: StereoBooks.levelTime,
        allowsTime: true)
    }
    #expect(values.isTimeCoded[0] && !values.isTimeCoded[1])
    #expect(values.differences[..<20].allSatisfy { $0 == 0 })
    #expect(values.differences[StereoData.stride] == 3)
  }
}
