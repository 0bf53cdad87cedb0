/// Parametric stereo (ISO/IEC 14496-3, 8.6.4): one channel of two, and what describes them.
///
/// It works between the analysis of two channels into QMF bands and band replication, on rows as of
/// a `ReplicationSpectrum`: slot n, band k at (n + 8) · 64 + k for slots −8...55, where slots 0...31
/// are those that a decoder makes of the frame. The frame after is looked at, so that there is a mix
/// only up to slot 39.
struct StereoEncoder: SegmentStage {
  /// Slots before the frame, and all slots of the rows.
  static let past = 8
  static let slotCount = 64
  /// The slots that each frame adds to the mix.
  static let mixed =
    StereoDownmix.firstSlot..<StereoDownmix.firstSlot + StereoEnergies.slots * StereoDownmix.blocks

  /// Slots 16...47 are what a frame adds to energies and to the lowest bands.
  private static let added = 16
  /// Most bits of the data: there must be room for what describes the bands.
  private static let mostBits = 1000
  /// Rows of the lowest bands that stay: slots 8...15.
  private static let kept = added - StereoDownmix.firstSlot

  /// What describes the frame.
  private(set) var data = StereoData()
  /// The mix in slots −8...39, at (n + 8) · 64 + k.
  private(set) var real = [Float](repeating: 0, count: (past + mixed.upperBound) * 64 + 4)
  private(set) var imaginary = [Float](repeating: 0, count: (past + mixed.upperBound) * 64 + 4)

  private let settings: StereoSettings
  private let layout = HybridLayout(hasThirtyFourBands: false)
  private var filters = HybridFilterBank()
  /// The lanes of the lowest bands, from slot 8 in row 0.
  private var low = StereoPair(count: (kept + 32) * HybridFrame.stride)
  private var energies = StereoEnergies()
  private var downmix = StereoDownmix()
  private var indices = StereoIndices()
  /// Whether row 0 of the indices is that of a frame before.
  private var hasPrevious = false

  /// An encoder for a stream of so many bits per second.
  init(bitrate: Int) {
    settings = StereoSettings(bitrate: bitrate)
    data.header = settings.header
  }

  /// The slots of a frame overlap with those of the frames beside it.
  static var lookBack: Int { 1 }

  /// Forgets the indices of the frame before, to which there are no differences in a new segment.
  mutating func begin(atFrame index: Int) { hasPrevious = false }

  /// Goes on by a frame: sets `data` and the downmix.
  ///
  /// With a header `data` can be read by who has not read what came before.
  mutating func encode(
    leftReal: [Float], leftImaginary: [Float], rightReal: [Float], rightImaginary: [Float],
    hasHeader: Bool
  ) {
    let pair = StereoPair(
      left: leftReal, leftIm: leftImaginary, right: rightReal, rightIm: rightImaginary)
    precondition(pair.holds(Self.slotCount * 64))
    let row = Self.past + Self.added
    filters.divide(
      pair.left, pair.leftIm, from: row, into: &low.left, &low.leftIm, at: Self.kept)
    filters.divide(
      pair.right, pair.rightIm, from: row, into: &low.right, &low.rightIm, at: Self.kept)
    energies.advance(low, lowRow: Self.kept, pair, row: row, layout)
    downmix.weigh(energies)
    // The slots of the last frame that this one does not make.
    let made = Self.past + StereoDownmix.firstSlot
    unsafe Self.move(&real, 32 * 64, made * 64)
    unsafe Self.move(&imaginary, 32 * 64, made * 64)
    downmix.mix(low, pair, row: made, layout, into: &real, &imaginary)
    low.move(from: 32 * HybridFrame.stride, count: Self.kept * HybridFrame.stride)
    describe(hasHeader: hasHeader)
  }

  private static func move(_ values: UnsafeMutablePointer<Float>, _ start: Int, _ count: Int) {
    unsafe values.update(from: values + start, count: count)
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
    if bits.bitCount > Self.mostBits {
      // One envelope never takes so many.
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
        envelope, of: indices.levels, count: count, header.levelWords, header.levelTimeWords,
        allowsTime: envelope > 0 || !isFresh)
      data.coherences.code(
        envelope, of: indices.coherences, count: count, StereoCodewords.coherenceWords,
        StereoCodewords.coherenceTimeWords, allowsTime: envelope > 0 || !isFresh)
    }
  }

  /// Puts borders before and after an attack that comes from elsewhere than what was before it.
  ///
  /// Between borders a decoder goes in a straight line, and after the last one nothing changes.
  private mutating func setBorders(_ attack: StereoAttack) -> Bool {
    guard let slot = attack.slot else { return false }
    let header = settings.header
    let block = slot / StereoEnergies.slots
    var count = 0
    if block > 0 {
      let first = max(block - 4, -StereoEnergies.past)
      indices.measure(1, energies, first..<block, header)
      data.borders[0] = UInt8(slot - 1)
      count = 1
    } else if !hasPrevious {
      return false
    }
    indices.measure(
      count + 1, energies, block..<min(block + 4, attack.end), header, hasAttack: true)
    let bandCount = header.levelResolution.bandCount
    let change = indices.distance(
      count + 1, from: count, to: count, part: 0, bandCount: bandCount)
    if change < Float(bandCount) { return false }
    data.borders[count] = UInt8(min(slot + 1, 31))
    count += 1
    if settings.envelopeCount > 1 && slot < 20 {
      indices.measure(count + 1, energies, 6..<min(10, attack.end), header)
      data.borders[count] = 31
      count += 1
    }
    data.envelopeCount = count
    return true
  }

  /// Divides the frame into equal envelopes, no more than it needs.
  private mutating func divideEvenly(_ attack: StereoAttack, isFresh: Bool) {
    var count = settings.envelopeCount
    for envelope in 0..<count { measure(envelope + 1, end: envelope + 1, of: count, attack) }
    if count > 1 && hasPrevious {
      // Over a longer time parameters are steadier.
      measure(StereoIndices.spare, end: 1, of: 1, attack)
      if isStraight(count) {
        indices.copy(StereoIndices.spare, to: 1)
        count = 1
      }
    }
    if count == 1 && !isFresh && isSame(1, 0) { count = 0 }
    data.envelopeCount = count
  }

  /// Finds the indices of a row from the slots around the end of an envelope, half an envelope long
  /// to either side, but not from those after an attack.
  private mutating func measure(_ row: Int, end: Int, of count: Int, _ attack: StereoAttack) {
    let (middle, half) = (8 * end / count, 4 / count)
    let blocks = middle - half..<min(middle + half, attack.end)
    indices.measure(row, energies, blocks, settings.header)
  }

  /// Whether some envelopes are near what lies between the frame before and the spare row.
  private func isStraight(_ count: Int) -> Bool {
    let bandCount = settings.header.levelResolution.bandCount
    var distance: Float = 0
    for row in 1...count {
      distance += indices.distance(
        row, from: 0, to: StereoIndices.spare, part: Float(row) / Float(count),
        bandCount: bandCount)
    }
    return distance <= 1.5 * Float(bandCount * count)
  }

  private func isSame(_ row: Int, _ other: Int) -> Bool {
    let bandCount = settings.header.levelResolution.bandCount
    return indices.distance(row, from: other, to: other, part: 0, bandCount: bandCount) == 0
  }
}
