/// Chooses the borders and the resolutions of an element's envelopes.
///
/// A shortest path search compares the distortion of an envelope, in which the copied low bands
/// have one gain, with the bits of another border. The path continues into the next frame. A late
/// border moves the end of the frame, so that an attack at any position begins an envelope.
///
/// For every frame, `analyze` each channel; then `plan` each, or call `planPair` for both.
struct GridPlanner: SegmentStage {
  private let policy: GridPolicy
  private let groups: GridGroups
  private var activities: [GridActivity]
  private var search = GridSearch()
  /// The overlap of the last frame's envelopes into this one, in slots, for each channel.
  private(set) var overhangs = SIMD2<Int>()

  init(_ tables: SBRTables, channelCount: Int, policy: GridPolicy) {
    precondition(channelCount == 1 || channelCount == 2)
    self.policy = policy
    groups = GridGroups(tables)
    activities = [GridActivity](repeating: GridActivity(), count: channelCount)
  }

  /// No state is needed: the last frame of a segment ends at slot 16, and the first frame of the
  /// next segment measures all slots.
  static var lookBack: Int { 0 }

  mutating func begin(atFrame index: Int) {
    overhangs = SIMD2()
    for channel in activities.indices { activities[channel].reset() }
  }

  /// Whether both channels of a pair may share a grid in the next frame.
  ///
  /// They may if their last envelopes ended at the same slot.
  var canShare: Bool { overhangs[0] == overhangs[1] }

  /// Analyzes a channel's next frame: energies laid out as in `SBRSpectrum.energies`.
  mutating func analyze(_ energies: [Float], channel: Int) {
    activities[channel].advance(energies, groups)
  }

  /// Plans a channel's frame; the last one of a segment ends at slot 16.
  mutating func plan(channel: Int, isLastOfSegment: Bool) -> GridPlan {
    var weights = SIMD2<Float>()
    weights[channel] = 1
    let plan = plan(weights, start: overhangs[channel], endsAtFrameEnd: isLastOfSegment)
    overhangs[channel] = plan.end - GridActivity.frameSlots
    return plan
  }

  /// Plans the frame of both channels of a pair that share one grid.
  mutating func planPair(isLastOfSegment: Bool) -> GridPlan {
    precondition(activities.count == 2 && canShare)
    let total = activities[0].loudness + activities[1].loudness
    let weights = SIMD2(activities[0].loudness / total, activities[1].loudness / total)
    let plan = plan(weights, start: overhangs[0], endsAtFrameEnd: isLastOfSegment)
    overhangs = SIMD2(repeating: plan.end - GridActivity.frameSlots)
    return plan
  }

  private mutating func plan(
    _ weights: SIMD2<Float>, start: Int, endsAtFrameEnd: Bool
  ) -> GridPlan {
    search.clear()
    for channel in activities.indices where weights[channel] != 0 {
      activities[channel].add(weight: weights[channel], to: &search.distortions)
    }
    let borders = search.borders(start: start, endsAtFrameEnd: endsAtFrameEnd, policy)
    return detailed(borders, weights)
  }

  /// Completes a plan with these borders: bit b is set for a border at slot b.
  private func detailed(_ bits: UInt32, _ weights: SIMD2<Float>) -> GridPlan {
    var plan = GridPlan(
      borders: SIMD8(), envelopeCount: bits.nonzeroBitCount - 1, transient: -1, resolutions: 0)
    var rest = bits
    for border in 0...plan.envelopeCount {
      plan.borders[border] = UInt8(truncatingIfNeeded: rest.trailingZeroBitCount)
      rest &= rest - 1
    }
    plan.transient = attack(plan, weights)
    chooseResolutions(&plan, weights)
    return plan
  }

  /// Returns the envelope that begins with the greatest rise, if that is an attack; otherwise −1.
  ///
  /// An attack gets no noise and no smoothed gains, which suits only a short envelope.
  private func attack(_ plan: GridPlan, _ weights: SIMD2<Float>) -> Int {
    var attack = -1
    var maximum = policy.attack
    for envelope in 1...plan.envelopeCount {
      let start = Int(plan.borders[envelope])
      if envelope < plan.envelopeCount {
        guard Int(plan.borders[envelope + 1]) - start <= policy.maxAttackSlotCount else { continue }
      }
      var rise: Float = 0
      for channel in activities.indices {
        rise += weights[channel] * activities[channel].rise(at: start)
      }
      if rise > maximum {
        maximum = rise
        attack = envelope
      }
    }
    return attack
  }

  /// Chooses the resolution of each envelope; all envelopes of an even grid have the same one.
  private func chooseResolutions(_ plan: inout GridPlan, _ weights: SIMD2<Float>) {
    var sum: Float = 0
    for envelope in 0..<plan.envelopeCount {
      let slots = Int(plan.borders[envelope])..<Int(plan.borders[envelope + 1])
      var gain: Float = 0
      for channel in activities.indices where weights[channel] > 0 {
        gain += weights[channel] * activities[channel].resolutionGain(slots, groups)
      }
      sum += gain
      if gain > policy.resolution { plan.resolutions |= 1 << UInt8(envelope) }
    }
    var same = plan
    same.resolutions = 0
    guard same.isEven else { return }
    let isHigh = sum > policy.resolution * Float(plan.envelopeCount)
    plan.resolutions = isHigh ? UInt8(truncatingIfNeeded: 1 << plan.envelopeCount - 1) : 0
  }
}

/// The replicated bands in at most eight groups, and the low bands that are their sources.
struct GridGroups: Sendable {
  /// The number of groups in all vectors; some may be empty.
  static let width = 8

  /// The borders of the groups, in bands of the filter bank.
  private(set) var borders: [Int] = []
  /// The source of each replicated band, as in `SBRTables`.
  let sources: [Int]
  /// The reciprocal number of bands of each group and of its sources; 0 without bands.
  private(set) var shares = [Float](repeating: 0, count: width)
  private(set) var sourceShares = [Float](repeating: 0, count: width)
  /// The borders of high-resolution bands.
  let high: [Int]

  var count: Int { borders.count - 1 }

  init(_ tables: SBRTables) {
    high = tables.high
    let bandCount = tables.bandCount(isHigh: false)
    let count = min(Self.width, bandCount)
    for group in 0...count { borders.append(tables.low[group * bandCount / count]) }
    sources = tables.sources
    // `GridActivity` reads the bands without further checks.
    precondition(borders[0] >= 0 && borders[count] <= 64)
    precondition(sources.count >= borders[count] - borders[0])
    precondition(sources.allSatisfy { $0 < 64 })
    for group in 0..<count {
      let first = borders[0]
      var sourceCount = 0
      for band in borders[group]..<borders[group + 1] where sources[band - first] >= 0 {
        sourceCount += 1
      }
      shares[group] = 1 / Float(borders[group + 1] - borders[group])
      sourceShares[group] = sourceCount > 0 ? 1 / Float(sourceCount) : 0
    }
  }
}

/// The borders of a frame's envelopes, as the encoder chooses them.
///
/// Every plan can be written as an `SBRGrid` (ISO/IEC 14496-3, table 4.69): from the front, then
/// from the back, borders are 2, 4, 6 or 8 slots apart, at most three from each side, with one gap
/// of any length between the sides.
struct GridPlan: Equatable, Sendable {
  /// Borders in slots of two samples of the filter bank: 0…3 first, 16…19 last.
  var borders: SIMD8<UInt8>
  /// The number of envelopes, 1…5.
  var envelopeCount: Int
  /// The envelope that begins with an attack, 1…`envelopeCount`; −1 without one.
  ///
  /// The index `envelopeCount` is the next frame's first envelope.
  var transient: Int
  /// The envelopes with the high frequency resolution: bit 0 is the first.
  var resolutions: UInt8

  /// The start of the first envelope and the end of the last one.
  var start: Int { Int(borders[0]) }
  var end: Int { Int(borders[envelopeCount]) }

  /// Whether the grid is FIXFIX, which needs the fewest bits.
  ///
  /// The frame begins and ends on time, and its envelopes have equal length and resolution, without
  /// an attack.
  var isEven: Bool {
    guard transient < 0, start == 0, end == 16, envelopeCount != 3, envelopeCount != 5 else {
      return false
    }
    let length = 16 / envelopeCount
    for envelope in 1...envelopeCount where Int(borders[envelope]) != length * envelope {
      return false
    }
    let all = UInt8(truncatingIfNeeded: 1 << envelopeCount - 1)
    return resolutions == 0 || resolutions == all
  }
}

/// The prices of envelopes: the distortion that each must remove to be worth its bits.
///
/// Distortion is the square of an error in octaves of energy (3 dB), summed over slots and averaged
/// over bands. A change of 6 dB in the middle of a frame has a distortion of 16. Steady noise that
/// the source of a band lacks has a distortion of a few.
struct GridPolicy: Sendable {
  /// The price of an envelope with the low frequency resolution, about twelve bits.
  var envelope: Float
  /// The additional price of the high frequency resolution.
  var resolution: Float
  /// The price of the borders of an uneven grid.
  var unevenness: Float
  /// The additional price of a single envelope, whose levels have finer steps (1.5 dB, not 3 dB).
  var fineSteps: Float
  /// The minimum rise of energy at a border, in octaves, to be an attack.
  var attack: Float = 3
  /// The maximum length, in slots, of an envelope without noise that begins with an attack.
  var maxAttackSlotCount = 6
  /// The price of finer steps, as a share of the price of an envelope.
  private static let fineStepShare: Float = 0.4

  /// Creates a policy from the price of an envelope: 1 if bits abound, 4 if they are scarce.
  init(envelope price: Float = 2) {
    envelope = price
    resolution = price
    unevenness = price
    fineSteps = Self.fineStepShare * price
  }
}
