/// The indices of the parameters of a frame's envelopes.
///
/// Row 0 is the state before the frame; row e + 1 belongs to envelope e.
struct StereoParameters: Sendable {
  private static let rows = StereoData.maxEnvelopes + 1
  private static let stride = StereoData.stride

  /// The header to which the indices belong.
  private(set) var header = StereoHeader()
  /// The number of envelopes of the frame; with 0, row 0 stays valid.
  private(set) var envelopeCount = 0
  /// Whether `borders` contains the last slots of the envelopes.
  private(set) var hasBorders = false
  /// The last slot of each envelope, if `hasBorders`.
  private(set) var borders = [UInt8](repeating: 0, count: StereoData.maxEnvelopes)
  private(set) var hasPhases = false
  /// Level differences, −7...7 or −15...15.
  private(set) var levels = [Int8](repeating: 0, count: rows * stride)
  /// Coherences, 0...7.
  private(set) var coherences = [Int8](repeating: 0, count: rows * stride)
  /// Phases between the channels, 0...7.
  private(set) var phaseDifferences = [Int8](repeating: 0, count: rows * stride)
  /// Phases of the left channel, 0...7.
  private(set) var overallPhases = [Int8](repeating: 0, count: rows * stride)

  /// Whether the last row of each kind belongs to the last frame.
  ///
  /// Only then can differences in time be added to it. Otherwise the row stays unchanged until an
  /// envelope is coded without such differences.
  private var validRows = ValidRows()

  private struct ValidRows: Sendable {
    // Before the first frame all values are zero.
    var levels = true
    var coherences = true
    var phaseDifferences = true
    var overallPhases = true
  }

  /// Handles a missing or unreadable frame: the next frame does not follow the last one.
  mutating func handleMissingFrame() {
    validRows.levels = false
    validRows.coherences = false
    validRows.phaseDifferences = false
    validRows.overallPhases = false
  }

  /// Computes the parameters from a frame's data; returns false if an index is out of range.
  mutating func update(after last: StereoParameters, with data: StereoData) -> Bool {
    header = data.header
    validRows = last.validRows
    envelopeCount = data.envelopeCount
    hasBorders = data.hasBorders
    for envelope in 0..<StereoData.maxEnvelopes { borders[envelope] = data.borders[envelope] }
    hasPhases =
      switch data.phases {
      case .on: true
      case .off: false
      case .absent: last.hasPhases && header.hasExtension && envelopeCount == 0
      }
    let row = last.envelopeCount * Self.stride
    let (old, new) = (last.header.levelResolution, header.levelResolution)
    Self.begin(&levels, from: last.levels, row: row, old: old, new: new, isUsed: header.hasLevels)
    for band in 0..<Self.stride {
      levels[band] = min(max(levels[band], Int8(-header.levelLimit)), Int8(header.levelLimit))
    }
    Self.begin(
      &coherences, from: last.coherences, row: row, old: last.header.coherenceResolution,
      new: header.coherenceResolution, isUsed: header.hasCoherences)
    Self.begin(
      &phaseDifferences, from: last.phaseDifferences, row: row, old: old, new: new,
      isUsed: hasPhases)
    Self.begin(
      &overallPhases, from: last.overallPhases, row: row, old: old, new: new, isUsed: hasPhases)
    // Unused parameters are zero, so their last rows are valid.
    if !header.hasLevels { validRows.levels = true }
    if !header.hasCoherences { validRows.coherences = true }
    if !hasPhases { (validRows.phaseDifferences, validRows.overallPhases) = (true, true) }
    return sum(data)
  }

  /// Makes the last row the state before the next frame.
  mutating func finish() {
    let row = envelopeCount * Self.stride
    envelopeCount = 0
    if row == 0 { return }
    for band in 0..<Self.stride {
      levels[band] = levels[row + band]
      coherences[band] = coherences[row + band]
      phaseDifferences[band] = phaseDifferences[row + band]
      overallPhases[band] = overallPhases[row + band]
    }
  }

  /// Fills row 0 from a row of other values, or everything with zeros if the parameter is unused.
  private static func begin(
    _ values: inout [Int8], from last: [Int8], row: Int, old: StereoResolution,
    new: StereoResolution, isUsed: Bool
  ) {
    for index in 0..<(isUsed ? stride : values.count) {
      values[index] = isUsed ? last[row + index] : 0
    }
    if isUsed && old != new { StereoBandMap.convert(&values, at: 0, from: old, to: new) }
  }

  /// Adds up differences; returns false if an index is out of range.
  private mutating func sum(_ data: StereoData) -> Bool {
    if header.hasLevels {
      let limit = Int8(header.levelLimit)
      let count = header.levelResolution.bandCount
      guard
        Self.sum(
          &levels, data.levels, envelopes: envelopeCount, count: count, in: -limit...limit,
          isTrusted: &validRows.levels)
      else { return false }
    }
    if header.hasCoherences {
      let count = header.coherenceResolution.bandCount
      guard
        Self.sum(
          &coherences, data.coherences, envelopes: envelopeCount, count: count, in: 0...7,
          isTrusted: &validRows.coherences)
      else { return false }
    }
    if hasPhases {
      let count = header.levelResolution.phaseBandCount
      _ = Self.sum(
        &phaseDifferences, data.phaseDifferences, envelopes: envelopeCount, count: count, in: nil,
        isTrusted: &validRows.phaseDifferences)
      _ = Self.sum(
        &overallPhases, data.overallPhases, envelopes: envelopeCount, count: count, in: nil,
        isTrusted: &validRows.overallPhases)
    }
    return true
  }

  /// Adds up the differences of a parameter; returns false if a value is outside `range`.
  ///
  /// Without a range, the values are phases, which begin again after 7. `isTrusted` is false while
  /// differences refer to missing values.
  private static func sum(
    _ values: inout [Int8], _ coded: StereoData.Values, envelopes: Int, count: Int,
    in range: ClosedRange<Int8>?, isTrusted: inout Bool
  ) -> Bool {
    for envelope in 0..<envelopes {
      let row = (envelope + 1) * stride
      if !coded.isTimeCoded[envelope] { isTrusted = true }
      if !isTrusted {
        for band in 0..<stride { values[row + band] = values[row - stride + band] }
        continue
      }
      var value: Int8 = 0
      for band in 0..<count {
        if coded.isTimeCoded[envelope] { value = values[row - stride + band] }
        value += coded.differences[row - stride + band]
        if let range {
          if !range.contains(value) { return false }
        } else {
          value &= 7
        }
        values[row + band] = value
      }
      for band in count..<stride { values[row + band] = 0 }
    }
    return true
  }
}

/// Reads ps_data (ISO/IEC 14496-3, 8.6.4) frame by frame, for the decoder and the inspector.
struct StereoParameterReader: Sendable {
  private(set) var isActive = false
  /// The parameters of the last valid frame.
  private(set) var parameters = StereoParameters()
  private var data = StereoData()
  /// The next value of `parameters`, used if the data is valid.
  private var candidate = StereoParameters()

  mutating func reset() {
    isActive = false
    parameters = StereoParameters()
    parameters.handleMissingFrame()
  }

  /// Handles a missing frame: the next frame does not follow the last one.
  mutating func handleMissingFrame() { parameters.handleMissingFrame() }

  /// Reads ps_data of at most `bitCount` bits.
  ///
  /// `bits` must be at the position after bs_extension_id. If the data cannot be read, the last
  /// parameters stay, and `bits` moves to the end of the data. Never traps.
  ///
  /// Unlike band replication, parametric stereo handles unreadable data as a missing frame at once,
  /// even before a second payload of the frame.
  mutating func read(_ bits: inout BitReader, bitCount: Int) -> StereoFacts.State {
    let end = min(max(bits.position + bitCount, bits.position), bits.endBit)
    let isValid = data.read(&bits, bitCount: bitCount, after: isActive ? parameters.header : nil)
    if isValid && !isActive && !data.hasHeader {
      bits.seek(to: end)
      return .withoutHeader
    }
    if !isValid || !candidate.update(after: parameters, with: data) {
      parameters.handleMissingFrame()
      bits.seek(to: end)
      return .damaged
    }
    swap(&parameters, &candidate)
    isActive = true
    return .read
  }

  /// Ends a frame: the last envelope is the state before the next frame.
  mutating func finish() { parameters.finish() }
}

/// The properties of a frame's parametric stereo data, for the inspection of a stream.
package struct StereoFacts: Sendable {
  /// The result of reading the data.
  package enum State: Equatable, Sendable {
    /// All data was read.
    case read
    /// No header was received yet, which is required for reading.
    case withoutHeader
    /// The data is truncated or invalid.
    case damaged
  }

  /// The result of reading; unless it is `read`, only `bitCount` is valid.
  package internal(set) var state: State
  /// The bits of the extension that contains the data.
  package internal(set) var bitCount = 0
  /// The number of bands of levels (IID): 10, 20, 34, or 0 without levels.
  package internal(set) var levelBandCount = 0
  /// Whether levels have 31 steps rather than 15.
  package internal(set) var hasFineLevels = false
  /// The number of bands of coherences (ICC): 10, 20, 34, or 0 without coherences.
  package internal(set) var coherenceBandCount = 0
  /// Whether phases (IPD and OPD) are sent.
  package internal(set) var hasPhases = false
  /// The number of envelopes of the frame.
  package internal(set) var envelopeCount = 0

  /// Creates the properties of data; `parameters` are the values after reading, before the next
  /// frame begins.
  init(_ state: State, _ parameters: StereoParameters) {
    self.state = state
    guard state == .read else { return }
    let header = parameters.header
    levelBandCount = header.hasLevels ? header.levelResolution.bandCount : 0
    hasFineLevels = header.hasLevels && header.hasFineLevels
    coherenceBandCount = header.hasCoherences ? header.coherenceResolution.bandCount : 0
    hasPhases = parameters.hasPhases
    envelopeCount = parameters.envelopeCount
  }
}
