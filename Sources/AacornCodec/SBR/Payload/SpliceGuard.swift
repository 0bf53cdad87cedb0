/// Detects payloads of an element that do not follow the previous ones, for the decoder and the
/// inspector.
///
/// Many streams do not indicate a missing frame or a splice. The differences in time after it refer
/// to another position, and the header may belong to another stream. So the guard decides which
/// references are valid, which payloads are applied, and which envelopes must be limited.
struct SpliceGuard: Equatable, Sendable {
  /// The validity of the data to which differences in time refer.
  ///
  /// After a gap or a splice, the last envelope belongs to another position, and sums with it can
  /// be as loud as the format allows. Until an envelope is coded in frequency, the last levels are
  /// held and fade.
  struct Reference: Equatable, Sendable {
    var envelope = false
    var noise = false
    /// Whether the last envelope depends on a probable splice.
    fileprivate var isDoubtful = false
    /// Whether the frame begins at the end of the last one, or is the first frame.
    fileprivate(set) var isContinuous = false
    /// The number of slots by which the last frame extends past its end, which is the expected
    /// start of this frame; nil after a gap.
    fileprivate var start: Int?
  }

  /// The references of the current payload by channel, which replace `references` if it is valid.
  var current: [Reference]
  /// Whether the current frame does not begin at the end of the last one.
  private(set) var isDiscontinuous = false
  /// The number of leading envelopes that depend on a probable splice, by channel.
  private(set) var splicedEnvelopeCounts: [Int]
  /// Whether a gap or a splice followed the last header, which may be obsolete.
  private(set) var headerMayBeObsolete = false
  /// Whether the last payload of the frame is readable, and whether it is applied.
  private(set) var isRead = false
  private(set) var isApplied = false

  /// The parts of the last frame's data that are valid, by channel.
  private var references: [Reference]
  private var hasBegun = false
  /// Whether the current frame has differences in time that an encoder would not choose.
  private var looksSpliced = false
  /// The number of readable payloads after which payloads are applied again; 0 after a header.
  ///
  /// After an unreadable payload, the next ones may belong to another stream with another header.
  private var remainingSkipCount = 0

  /// The value of `remainingSkipCount` after an unreadable payload.
  private static let maxSkipCount = 3
  /// The energy of a full-scale square wave in all bands of the filter bank.
  ///
  /// A sine of amplitude 1, in the scale of 16-bit samples, has an energy of 2¹¹.
  private static let fullScale: Float = 0x1p42

  init(channelCount: Int) {
    references = [Reference](repeating: Reference(), count: channelCount)
    current = references
    splicedEnvelopeCounts = [Int](repeating: 0, count: channelCount)
  }

  /// Returns the steps by which held levels fade in a frame: 3 dB.
  static func fade(isCoarse: Bool) -> Int { isCoarse ? 1 : 2 }

  // MARK: - The data of a payload

  mutating func beginData() {
    isDiscontinuous = false
    looksSpliced = false
    for channel in current.indices { current[channel] = references[channel] }
  }

  /// Records the start of a channel's frame.
  ///
  /// If it differs from the end of the last frame, the frame does not follow that one.
  mutating func begin(_ channel: Int, at start: Int) {
    current[channel].isContinuous = current[channel].start == start || !hasBegun
    guard let expected = current[channel].start, expected != start else { return }
    interrupt(channel)
  }

  /// Records a change of the step size before a first envelope that is coded in time.
  ///
  /// After a change of the step size, encoders code the first envelope in frequency. If it is coded
  /// in time, the frame does not follow the last one.
  mutating func changeSteps(_ channel: Int) {
    if current[channel].envelope { interrupt(channel) }
  }

  private mutating func interrupt(_ channel: Int) {
    current[channel] = Reference()
    isDiscontinuous = true
  }

  /// Detects a splice from the `bitCount` of differences in time.
  ///
  /// Coded in frequency, the values would need `other` bits, and encoders choose the direction with
  /// fewer bits. After a splice, for example, the large differences of an onset are added to audio
  /// that is already loud. Coded in frequency, the resulting values would need far fewer bits.
  mutating func compare(_ bitCount: Int, inFrequency other: Int) {
    // Neighboring bands never differ by more than the maximum in the book of differences in
    // frequency.
    if 4 * bitCount > 5 * other || other >= SBRValueCoding.impossibleBitCount {
      looksSpliced = true
    }
  }

  /// Ends the data of a channel, whose frame extends `excess` slots past its end, and counts the
  /// leading envelopes that depend on a probable splice: those before the first envelope that is
  /// coded in frequency.
  ///
  /// In a coupled pair, `envelopesInTime` belongs to the first channel: no balance makes a channel
  /// louder than their sum.
  mutating func end(_ channel: Int, excess: Int, envelopesInTime: UInt8, envelopeCount: Int) {
    current[channel].start = excess
    let isDoubtful = looksSpliced || current[channel].isDoubtful
    let count = (~envelopesInTime).trailingZeroBitCount
    splicedEnvelopeCounts[channel] = isDoubtful ? count : 0
    current[channel].isDoubtful = isDoubtful && count == envelopeCount
  }

  /// Accepts the data: later differences in time refer to it.
  mutating func advance() {
    hasBegun = true
    for channel in current.indices { references[channel] = current[channel] }
  }

  // MARK: - Payloads and frames

  /// Decides whether to apply a payload.
  mutating func end(_ state: SBRFacts.State, hasHeader: Bool) {
    isRead = state == .read
    isApplied = false
    switch state {
    case .read:
      headerMayBeObsolete = !hasHeader && (headerMayBeObsolete || isDiscontinuous)
      remainingSkipCount = hasHeader ? 0 : max(0, remainingSkipCount - 1)
      isApplied = remainingSkipCount == 0
    case .withoutHeader: break
    case .wrongChecksum, .illegalHeader, .illegalData: remainingSkipCount = Self.maxSkipCount
    }
  }

  /// Returns whether an envelope exceeds full scale, which no correct payload does.
  ///
  /// Then the frame belongs to another position or another stream.
  mutating func rejects(_ levels: SBRLevels, _ grid: SBRGrid, _ tables: SBRTables) -> Bool {
    for envelope in 0..<grid.envelopeCount {
      let borders = grid.isHigh(envelope) ? tables.high : tables.low
      if levels.energy(envelope, borders) > Self.fullScale {
        remainingSkipCount = Self.maxSkipCount
        return true
      }
    }
    return false
  }

  /// Returns the number of a channel's leading envelopes that may belong to another position.
  func splicedEnvelopeCount(_ channel: Int, of grid: SBRGrid) -> Int {
    headerMayBeObsolete ? grid.envelopeCount : splicedEnvelopeCounts[channel]
  }

  mutating func endFrame() {
    isRead = false
    isApplied = false
  }

  /// Handles a missing or unreadable frame: the next one does not follow.
  mutating func handleMissingFrame() {
    headerMayBeObsolete = true
    for channel in references.indices { references[channel] = Reference() }
  }
}
