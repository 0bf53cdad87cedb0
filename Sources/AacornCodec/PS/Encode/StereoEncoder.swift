/// Parametric stereo (ISO/IEC 14496-3, 8.6.4): a mono downmix and its stereo parameters.
///
/// It works between the QMF analysis of two channels and band replication, on rows as in a
/// `SBRSpectrum`: slot n, band k at (n + 8) · 64 + k for slots −8...55. A decoder makes the
/// frame of slots 0...31. The encoder needs the next frame as lookahead, so the mix ends at slot
/// 39.
struct StereoEncoder: SegmentStage {
  /// The number of slots before the frame, and of all slots in the rows.
  static let pastSlotCount = 8
  static let slotCount = 64
  /// The slots that each frame adds to the mix.
  static let mixed =
    StereoDownmix.firstSlot..<StereoDownmix.firstSlot + StereoEnergies.slots * StereoDownmix.blocks

  /// The first of slots 16...47, which a frame adds to energies and to the lowest bands.
  private static let firstAddedSlot = 16
  /// The maximum number of bits of the data, so that room remains for band replication.
  private static let maxBitCount = 1000
  /// The number of stored rows of the lowest bands: slots 8...15.
  private static let storedRowCount = firstAddedSlot - StereoDownmix.firstSlot

  private(set) var data = StereoData()
  /// The mix in slots −8...39, at (n + 8) · 64 + k.
  private(set) var real = [Float](repeating: 0, count: (pastSlotCount + mixed.upperBound) * 64 + 4)
  private(set) var imaginary = [Float](
    repeating: 0, count: (pastSlotCount + mixed.upperBound) * 64 + 4)

  private let settings: StereoSettings
  private let layout = HybridLayout(hasThirtyFourBands: false)
  private var filters = HybridFilterBank()
  /// The lanes of the lowest bands, from slot 8 in row 0.
  private var low = StereoPair(count: (storedRowCount + 32) * HybridFrame.stride)
  private var energies = StereoEnergies()
  private var downmix = StereoDownmix()
  private var indices = StereoIndices()
  /// Whether row 0 of the indices belongs to the previous frame.
  private var hasPrevious = false

  /// Creates an encoder for a stream with a bitrate in bits per second.
  init(bitrate: Int) {
    settings = StereoSettings(bitrate: bitrate)
    data.header = settings.header
  }

  /// The slots of a frame overlap with the neighboring frames' slots.
  static var lookBack: Int { 1 }

  /// Resets the previous frame's indices, to which a new segment must not refer.
  mutating func begin(atFrame index: Int) { hasPrevious = false }

  /// Advances by a frame: sets `data` and the downmix.
  ///
  /// With a header, `data` can be read without any earlier frame.
  mutating func encode(
    leftReal: [Float], leftImaginary: [Float], rightReal: [Float], rightImaginary: [Float],
    hasHeader: Bool
  ) {
    let pair = StereoPair(
      left: leftReal, leftIm: leftImaginary, right: rightReal, rightIm: rightImaginary)
    precondition(pair.hasCapacity(for: Self.slotCount * 64))
    let row = Self.pastSlotCount + Self.firstAddedSlot
    filters.splitIntoTwentyBands(
      pair.left, pair.leftIm, from: row, into: &low.left, lowImaginary: &low.leftIm,
      at: Self.storedRowCount)
    filters.splitIntoTwentyBands(
      pair.right, pair.rightIm, from: row, into: &low.right, lowImaginary: &low.rightIm,
      at: Self.storedRowCount)
    energies.advance(low, lowRow: Self.storedRowCount, pair, row: row, layout: layout)
    downmix.weigh(energies)
    // Keep the slots of the last frame that this frame does not recompute.
    let made = Self.pastSlotCount + StereoDownmix.firstSlot
    real.moveToFront(from: 32 * 64, count: made * 64)
    imaginary.moveToFront(from: 32 * 64, count: made * 64)
    downmix.mix(low, pair, row: made, layout: layout, into: &real, imaginary: &imaginary)
    low.moveToFront(
      from: 32 * HybridFrame.stride, count: Self.storedRowCount * HybridFrame.stride)
    describe(hasHeader: hasHeader)
  }

  /// Sets `data`.
  private mutating func describe(hasHeader: Bool) {
    let attack = StereoAttack(energies)
    let isFresh = hasHeader || !hasPrevious
    data.hasHeader = hasHeader
    data.hasBorders = setBorders(attack)
    if !data.hasBorders { divideEvenly(attack, isFresh: isFresh) }
    code(isFresh: isFresh)
    var bits = BitCounter()
    data.put(to: &bits)
    if bits.bitCount > Self.maxBitCount {
      // A single envelope never exceeds the maximum.
      data.hasBorders = false
      data.envelopeCount = 1
      measure(1, end: 1, of: 1, attack)
      code(isFresh: isFresh)
    }
    if data.envelopeCount > 0 { indices.copy(data.envelopeCount, to: 0) }
    hasPrevious = true
  }

  /// Codes the rows of all envelopes.
  private mutating func code(isFresh: Bool) {
    let header = settings.header
    let count = header.levelResolution.bandCount
    for envelope in 0..<data.envelopeCount {
      data.levels.code(
        envelope, of: indices.levels, count: count, book: header.levelBook,
        timeBook: header.levelTimeBook, allowsTime: envelope > 0 || !isFresh)
      data.coherences.code(
        envelope, of: indices.coherences, count: count, book: StereoBooks.coherence,
        timeBook: StereoBooks.coherenceTime, allowsTime: envelope > 0 || !isFresh)
    }
  }

  /// Sets borders before and after an attack from another direction than the previous sound.
  ///
  /// Decoders interpolate linearly between borders, and keep the values after the last one.
  private mutating func setBorders(_ attack: StereoAttack) -> Bool {
    guard let slot = attack.slot else { return false }
    let header = settings.header
    let block = slot / StereoEnergies.slots
    var count = 0
    if block > 0 {
      let first = max(block - 4, -StereoEnergies.pastBlockCount)
      indices.measure(row: 1, of: energies, in: first..<block, header: header)
      data.borders[0] = UInt8(slot - 1)
      count = 1
    } else if !hasPrevious {
      return false
    }
    indices.measure(
      row: count + 1, of: energies, in: block..<min(block + 4, attack.end), header: header,
      hasAttack: true)
    let bandCount = header.levelResolution.bandCount
    let change = indices.distance(
      count + 1, from: count, to: count, part: 0, bandCount: bandCount)
    if change < Float(bandCount) { return false }
    data.borders[count] = UInt8(min(slot + 1, 31))
    count += 1
    if settings.envelopeCount > 1 && slot < 20 {
      indices.measure(row: count + 1, of: energies, in: 6..<min(10, attack.end), header: header)
      data.borders[count] = 31
      count += 1
    }
    data.envelopeCount = count
    return true
  }

  /// Divides the frame into the smallest sufficient number of equal envelopes.
  private mutating func divideEvenly(_ attack: StereoAttack, isFresh: Bool) {
    var count = settings.envelopeCount
    for envelope in 0..<count { measure(envelope + 1, end: envelope + 1, of: count, attack) }
    if count > 1 && hasPrevious {
      // Parameters measured over the whole frame are steadier.
      measure(StereoIndices.spareRow, end: 1, of: 1, attack)
      if isNearlyLinear(count) {
        indices.copy(StereoIndices.spareRow, to: 1)
        count = 1
      }
    }
    if count == 1 && !isFresh && isSame(1, 0) { count = 0 }
    data.envelopeCount = count
  }

  /// Measures the indices of a row from the slots around the end of an envelope.
  ///
  /// The slots reach half an envelope to either side, but not past an attack.
  private mutating func measure(_ row: Int, end: Int, of count: Int, _ attack: StereoAttack) {
    let (middle, half) = (8 * end / count, 4 / count)
    let blocks = middle - half..<min(middle + half, attack.end)
    indices.measure(row: row, of: energies, in: blocks, header: settings.header)
  }

  /// The maximum mean distance of the bands from a straight line, in steps of levels.
  private static let maxLinearDistance: Float = 1.5

  /// Returns whether the envelopes are close to a straight line from the previous frame's indices
  /// to the indices of the whole frame, which are in the spare row.
  private func isNearlyLinear(_ count: Int) -> Bool {
    let bandCount = settings.header.levelResolution.bandCount
    var distance: Float = 0
    for row in 1...count {
      distance += indices.distance(
        row, from: 0, to: StereoIndices.spareRow, part: Float(row) / Float(count),
        bandCount: bandCount)
    }
    return distance <= Self.maxLinearDistance * Float(bandCount * count)
  }

  private func isSame(_ row: Int, _ other: Int) -> Bool {
    let bandCount = settings.header.levelResolution.bandCount
    return indices.distance(row, from: other, to: other, part: 0, bandCount: bandCount) == 0
  }
}

/// The resolution of the stereo description, derived from the bitrate.
struct StereoSettings: Sendable {
  let header: StereoHeader
  /// The maximum number of envelopes of equal length.
  let envelopeCount: Int

  /// Chooses the settings for a bitrate in bits per second.
  init(bitrate: Int) {
    // Ten bands of 15 levels, or twenty of 31 levels. Both modes of coherences mean procedure Ra.
    let isFine = bitrate >= 20_000
    header = StereoHeader(
      hasLevels: true, levelMode: isFine ? 4 : 0, hasCoherences: true,
      coherenceMode: isFine ? 1 : 0)
    envelopeCount = bitrate < 28_000 ? 2 : 4
  }
}

/// The bands of two channels in rows, one for each slot.
struct StereoPair: Sendable {
  var left: [Float]
  var leftIm: [Float]
  var right: [Float]
  var rightIm: [Float]

  /// The pointers through which kernels read a pair.
  @unsafe
  struct Pointers {
    var left, leftIm, right, rightIm: UnsafePointer<Float>
    /// The distance from one slot to the next.
    var step: Int
  }
}

extension StereoPair {
  init(count: Int) {
    left = [Float](repeating: 0, count: count)
    leftIm = left
    right = left
    rightIm = left
  }

  func hasCapacity(for count: Int) -> Bool {
    left.count >= count && leftIm.count >= count && right.count >= count && rightIm.count >= count
  }

  /// Calls `body` with pointers to the elements from `start` on, which are valid until it returns.
  @inline(__always)
  func withPointers(from start: Int = 0, step: Int, _ body: (Pointers) -> Void) {
    precondition(start >= 0 && hasCapacity(for: start))
    unsafe Self.withPointers(
      left: left, leftIm: leftIm, right: right, rightIm: rightIm, from: start, step: step, body)
  }

  @inline(__always)
  private static func withPointers(
    left: UnsafePointer<Float>, leftIm: UnsafePointer<Float>, right: UnsafePointer<Float>,
    rightIm: UnsafePointer<Float>, from start: Int, step: Int, _ body: (Pointers) -> Void
  ) {
    unsafe body(
      Pointers(
        left: left + start, leftIm: leftIm + start, right: right + start,
        rightIm: rightIm + start, step: step))
  }

  /// Moves `count` elements to the front.
  mutating func moveToFront(from start: Int, count: Int) {
    left.moveToFront(from: start, count: count)
    leftIm.moveToFront(from: start, count: count)
    right.moveToFront(from: start, count: count)
    rightIm.moveToFront(from: start, count: count)
  }
}
