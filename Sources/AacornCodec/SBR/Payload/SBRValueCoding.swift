/// The coding of one kind of scalefactor: its books, and the field of the first value.
///
/// ISO/IEC 14496-3, 4.6.18.3.5.
struct SBRValueCoding {
  /// The books of differences.
  private let inTime, inFrequency: PrefixCode
  /// The bits of the lowest band's value, if differences are in frequency.
  private let firstWidth: Int
  /// The number of times that values are halved in the stream: once for a balance.
  private let halvings: Int
  /// The maximum scalefactor that is valid in a stream.
  private let maximum: Int

  /// The bits of a difference that is not in its book: more than any real sum.
  static let impossibleBitCount = 1 << 16

  private init(
    _ inTime: PrefixCode, _ inFrequency: PrefixCode, firstWidth: Int, isBalance: Bool, maximum: Int
  ) {
    (self.inTime, self.inFrequency) = (inTime, inFrequency)
    self.firstWidth = firstWidth
    halvings = isBalance ? 1 : 0
    self.maximum = maximum
  }

  /// Returns the coding of the envelopes of a channel.
  @inline(__always)
  static func ofEnvelopes(isBalance: Bool, isCoarse: Bool) -> SBRValueCoding {
    envelopes[(isBalance ? 2 : 0) + (isCoarse ? 1 : 0)]
  }

  /// Returns the coding of the noise floors of a channel.
  @inline(__always)
  static func ofNoise(isBalance: Bool) -> SBRValueCoding { noise[isBalance ? 1 : 0] }

  /// The codings of levels in fine and coarse steps, and then of balances.
  private static let envelopes = [
    envelope(SBRBooks.levelInTime, SBRBooks.levelInFrequency, firstWidth: 7, isBalance: false),
    envelope(
      SBRBooks.coarseLevelInTime, SBRBooks.coarseLevelInFrequency, firstWidth: 6,
      isBalance: false),
    envelope(SBRBooks.balanceInTime, SBRBooks.balanceInFrequency, firstWidth: 6, isBalance: true),
    envelope(
      SBRBooks.coarseBalanceInTime, SBRBooks.coarseBalanceInFrequency, firstWidth: 5,
      isBalance: true),
  ]

  private static func envelope(
    _ inTime: PrefixCode, _ inFrequency: PrefixCode, firstWidth: Int, isBalance: Bool
  ) -> SBRValueCoding {
    // Sums of differences may exceed the field of the first value.
    SBRValueCoding(
      inTime, inFrequency, firstWidth: firstWidth, isBalance: isBalance,
      maximum: maxLevel(isCoarse: false))
  }

  /// The codings of levels and balances of noise.
  private static let noise = [
    SBRValueCoding(
      SBRBooks.noiseInTime, SBRBooks.coarseLevelInFrequency, firstWidth: 5, isBalance: false,
      maximum: maxNoiseLevel),
    SBRValueCoding(
      SBRBooks.noiseBalanceInTime, SBRBooks.coarseBalanceInFrequency, firstWidth: 5,
      isBalance: true, maximum: maxNoiseLevel),
  ]

  /// Returns the maximum scalefactor of an envelope, which fits the field of the first value.
  @inline(__always)
  static func maxLevel(isCoarse: Bool) -> Int { isCoarse ? 63 : 127 }

  /// The maximum scalefactor of a noise floor.
  @inline(__always)
  static var maxNoiseLevel: Int { 30 }

  /// Returns the largest difference in the books of envelopes, in units of scalefactors.
  ///
  /// Tables 4.A.79 to 4.A.86.
  static func maxStep(isBalance: Bool, isCoarse: Bool) -> Int {
    // A balance is twice the coded value.
    if isBalance { return 2 * (isCoarse ? 12 : 24) }
    return isCoarse ? 31 : 60
  }

  /// Returns whether differences to `last` need fewer bits than differences to the bands below.
  ///
  /// - Parameters:
  ///   - count: The number of bands.
  ///   - value: Returns a band's scalefactor.
  ///   - last: Returns the reference of a difference in time.
  /// - Returns: False as well if a difference in time is not in its book.
  @inline(__always)
  func isCheaperInTime(
    count: Int, value: (Int) -> UInt8, last: (Int) -> UInt8
  ) -> Bool {
    var bitsInTime = 0
    for band in 0..<count { bitsInTime += bitCount(value(band), after: last(band), in: inTime) }
    return bitsInTime < bitCountInFrequency(count: count, value: value)
  }

  /// Returns the bits of differences to the bands below.
  ///
  /// The result is at least `impossibleBitCount` if a difference is not in its book.
  @inline(__always)
  func bitCountInFrequency(count: Int, value: (Int) -> UInt8) -> Int {
    var sum = firstWidth
    for band in 1..<count { sum += bitCount(value(band), after: value(band - 1), in: inFrequency) }
    return sum
  }

  /// Writes the scalefactors of an envelope or a noise floor; see `isCheaperInTime`.
  @inline(__always)
  func put(
    to bits: inout some BitSink, isInTime: Bool, count: Int, value: (Int) -> UInt8,
    last: (Int) -> UInt8
  ) {
    if isInTime {
      for band in 0..<count {
        inTime.put(difference(value(band), last(band)), to: &bits)
      }
    } else {
      bits.put(UInt32(value(0)) >> UInt32(halvings), count: firstWidth)
      for band in 1..<count {
        inFrequency.put(difference(value(band), value(band - 1)), to: &bits)
      }
    }
  }

  /// Reads the scalefactors of an envelope or a noise floor.
  ///
  /// - Parameters:
  ///   - bits: The source.
  ///   - isInTime: Whether differences are in time.
  ///   - count: The number of bands.
  ///   - fade: The decrease of each band, instead of the coded difference in time; nil if the
  ///     references are valid.
  ///   - last: Returns the reference of a difference in time.
  ///   - store: Stores a band's scalefactor.
  /// - Returns: False if a scalefactor is out of range.
  @inline(__always)
  func read(
    _ bits: inout BitReader, isInTime: Bool, count: Int, fade: Int?, last: (Int) -> UInt8,
    store: (Int, UInt8) -> Void
  ) -> Bool {
    let book = isInTime ? inTime : inFrequency
    var value = 0
    for band in 0..<count {
      if !isInTime && band == 0 {
        value = bits.readInt(firstWidth) << halvings
      } else {
        let difference = book.read(&bits) << halvings
        if isInTime { value = Int(last(band)) }
        if isInTime, let fade { value = max(0, value - fade) } else { value += difference }
      }
      guard 0...maximum ~= value else { return false }
      store(band, UInt8(value))
    }
    return true
  }

  /// Returns the bits of a difference, or `impossibleBitCount`.
  @inline(__always)
  private func bitCount(_ value: UInt8, after last: UInt8, in book: PrefixCode) -> Int {
    let number = difference(value, last)
    return book.contains(number) ? book.bitCount(of: number) : Self.impossibleBitCount
  }

  @inline(__always)
  private func difference(_ value: UInt8, _ last: UInt8) -> Int {
    (Int(value) - Int(last)) >> halvings
  }
}
