import TestSignals
import Testing

@testable import AacornCodec

@Suite struct GridPlannerTests {
  @Test func steadyNoiseHasOneEnvelope() throws {
    var random = SeededNumbers(seed: 5)
    let scene = GridScene(frameCount: 60) { _, _ in 1e8 * GridScene.noise(&random) }
    let plans = scene.plans(try GridScene.tables(), GridPolicy(envelope: 3))
    #expect(plans.count { $0.slots == [0, 16] } >= 48)
    #expect(plans.allSatisfy { $0.transient < 0 })
  }

  @Test func silenceHasOneEnvelope() throws {
    let scene = GridScene(frameCount: 3) { _, _ in 0 }
    for plan in scene.plans(try GridScene.tables(), GridPolicy(envelope: 1)) {
      #expect(plan.slots == [0, 16] && plan.transient < 0 && plan.resolutions == 0)
    }
  }

  /// Returns a decaying attack.
  ///
  /// The low bands are constant, or have the attack as well.
  private static func attack(at attack: Int, isLowToo: Bool) -> GridScene {
    var decay = [Float](repeating: 0, count: 9 * 32 + 24)
    var level: Float = 1e9
    for slot in attack..<decay.count {
      decay[slot] = level
      level *= 0.8
    }
    return GridScene(frameCount: 9) { slot, band in
      guard isLowToo || band >= 23 else { return 1e8 }
      return 1e6 + (slot < 0 ? 0 : decay[slot])
    }
  }

  /// An envelope begins at an attack in any slot; for a late attack, it is the first envelope of
  /// the next frame.
  @Test(arguments: 0..<32)
  func attacksBeginEnvelopes(slot: Int) throws {
    let tables = try GridScene.tables()
    let attack = 3 * 32 + slot
    for price in [1, 2, 4] as [Float] {
      let plans = Self.attack(at: attack, isLowToo: false).plans(
        tables, GridPolicy(envelope: price))
      let distances = plans.indices.flatMap { frame in
        plans[frame].slots.map { abs(2 * (16 * frame + $0) - attack) }
      }
      #expect(distances.contains { $0 <= 2 })
      let transients = plans.indices.filter { plans[$0].transient >= 0 }
        .map { 16 * $0 + plans[$0].slots[plans[$0].transient] }
      #expect(transients.contains { abs(2 * $0 - attack) <= 2 }, "\(transients), \(attack)")
    }
  }

  /// A border is needed only for changes that a decoder cannot copy from the low bands.
  @Test(arguments: [0, 5, 11, 16, 23, 31])
  func attackInLowBandsNeedsFewerBorders(slot: Int) throws {
    let tables = try GridScene.tables()
    let counts = [true, false].map { isLowToo in
      Self.attack(at: 3 * 32 + slot, isLowToo: isLowToo).plans(tables, GridPolicy())
        .reduce(0) { $0 + $1.envelopeCount }
    }
    #expect(counts[0] == 9 && counts[1] > 9)
  }

  /// A band that is louder than its neighbor for the whole frame needs the high resolution.
  @Test func unevenSpectraAreResolved() throws {
    let tables = try GridScene.tables()
    for isUneven in [false, true] {
      var random = SeededNumbers(seed: 8)
      let loud = tables.high[5]..<tables.high[6]
      let scene = GridScene(frameCount: 5) { _, band in
        (isUneven && loud.contains(band) ? 1e10 : 1e8) * GridScene.noise(&random)
      }
      for plan in scene.plans(tables, GridPolicy(envelope: 3)) {
        #expect(plan.isEven && (plan.resolutions != 0) == isUneven)
      }
    }
  }

  private static func jumps(_ frameCount: Int, seed: UInt64) -> GridScene {
    var random = SeededNumbers(seed: seed)
    var levels = [Float](repeating: 1e6, count: 64)
    return GridScene(frameCount: frameCount) { _, band in
      if Int.random(in: 0..<12, using: &random) == 0 {
        levels[band] = [1, 1e5, 1e7, 1e9, 1e11].randomElement(using: &random) ?? 0
      }
      return levels[band] * GridScene.noise(&random)
    }
  }

  @Test(arguments: [0.2, 1, 2, 8] as [Float])
  func everyPlanCanBeWritten(price: Float) throws {
    let tables = try GridScene.tables()
    let scene = Self.jumps(150, seed: 3)
    var planner = GridPlanner(tables, channelCount: 1, policy: GridPolicy(envelope: price))
    var start = 0
    var ends: Set<Int> = []
    for frame in 0..<scene.frameCount {
      planner.analyze(scene.energies(frame), channel: 0)
      let isLast = frame % 10 == 9
      let plan = planner.plan(channel: 0, isLastOfSegment: isLast)
      #expect(GridScene.isExpressible(plan.slots) && plan.start == start, "\(plan.slots)")
      #expect(!isLast || plan.end == 16)
      #expect(plan.transient == -1 || (1...plan.envelopeCount).contains(plan.transient))
      #expect(Int(plan.resolutions) < 1 << plan.envelopeCount)
      start = plan.end - 16
      ends.insert(plan.end)
    }
    #expect(price > 2 || ends.count > 1)
  }

  @Test func gridPlanIsIndependentOfPreviousSegment() throws {
    let tables = try GridScene.tables()
    let scene = Self.jumps(12, seed: 9)
    var old = GridPlanner(tables, channelCount: 1, policy: GridPolicy(envelope: 1))
    var new = old
    for frame in 0..<scene.frameCount {
      old.analyze(scene.energies(frame), channel: 0)
      let isLast = frame == 5
      let plan = old.plan(channel: 0, isLastOfSegment: isLast)
      if isLast {
        #expect(plan.end == 16)
        old.begin(atFrame: 512)
        new.begin(atFrame: 512)
      }
      guard frame > 5 else { continue }
      new.analyze(scene.energies(frame), channel: 0)
      #expect(new.plan(channel: 0, isLastOfSegment: false) == plan)
    }
  }

  /// A pair of equal channels is planned like one of them, and a silent channel has no influence.
  @Test(arguments: [false, true])
  func pairsShareGrids(isSecondSilent: Bool) throws {
    let tables = try GridScene.tables()
    let scene = Self.jumps(12, seed: 4)
    let silence = [Float](repeating: 0, count: 4_100)
    var pair = GridPlanner(tables, channelCount: 2, policy: GridPolicy())
    let plans = scene.plans(tables, GridPolicy())
    var same = 0
    for frame in 0..<scene.frameCount {
      pair.analyze(scene.energies(frame), channel: 0)
      pair.analyze(isSecondSilent ? silence : scene.energies(frame), channel: 1)
      #expect(pair.canShare)
      if pair.planPair(isLastOfSegment: false).slots == plans[frame].slots { same += 1 }
    }
    #expect(same >= (isSecondSilent ? 9 : 12))
  }

  @Test func channelsWithDifferentEndsCannotShare() throws {
    let tables = try GridScene.tables()
    let late = Self.attack(at: 3 * 32 + 34, isLowToo: false)
    let steady = GridScene(frameCount: 9) { _, _ in 1e8 }
    var planner = GridPlanner(tables, channelCount: 2, policy: GridPolicy())
    var differences = 0
    for frame in 0..<9 {
      planner.analyze(late.energies(frame), channel: 0)
      planner.analyze(steady.energies(frame), channel: 1)
      let ends = (0..<2).map { planner.plan(channel: $0, isLastOfSegment: false).end }
      #expect(planner.canShare == (ends[0] == ends[1]))
      if ends[0] != ends[1] { differences += 1 }
    }
    #expect(differences == 1)
  }
}
