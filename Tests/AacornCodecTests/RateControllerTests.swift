import Foundation
import Testing

@testable import AacornCodec

/// The rate controller, checked with a simulated decoder's buffer.
@Suite struct RateControllerTests {
  enum Sound: String, CaseIterable, Sendable {
    case steady, silent, overwhelming, uneven, slowPolling, sudden
  }

  static let side = 60

  /// Returns a frame's demand; `loudness` is the ratio of energies to thresholds, in octaves.
  static func demand(_ loudness: Double, seed: UInt32, bands: Int = 48) -> DemandModel {
    var random = NoiseGenerator(state: seed &* 2_654_435_761 | 1)
    for _ in 0..<3 { _ = random.next() }
    var (ratios, lines) = ([Float](repeating: 0, count: 128), [Float](repeating: 0, count: 128))
    for band in 0..<bands {
      ratios[band] = Float(loudness + 4 * random.next())
      lines[band] = Float(12 + 6 * random.next())
    }
    var model = DemandModel()
    model.append(logRatios: ratios, lines: lines, bandCount: bands)
    return model
  }

  static func demand(_ sound: Sound, frame: Int) -> DemandModel {
    let seed = UInt32(frame)
    switch sound {
    case .steady: return demand(12, seed: seed)
    case .silent: return demand(0, seed: seed, bands: 0)
    case .overwhelming: return demand(90, seed: seed)
    case .uneven: return demand(frame % 2 == 0 ? 16 : 6, seed: seed)
    // Each segment ends with sound, because the bits that silence at its end saves are not spent
    // later.
    case .slowPolling: return demand(12, seed: seed, bands: frame % 64 < 20 ? 0 : 48)
    case .sudden: return demand(frame % 150 < 130 ? -8 : 60, seed: seed)
    }
  }

  /// A simulated encoder, and a decoder's buffer that fills at exactly the bitrate.
  struct Bench {
    var controller: RateController
    let bitsPerSecond: Int
    let sampleRate: Int
    let channels: Int
    var factor = 1.0
    var frameBits: [Int] = []
    var levels: [Float] = []
    /// The bits in the decoder's buffer times the sample rate, so that nothing is rounded.
    private var fullness: Int?

    init(
      _ control: AACEncoder.RateControl, sampleRate: Int = 44_100, channels: Int = 1,
      factor: Double = 1, variableLevel: Float = 0, nominalRate: Float = 64_000
    ) {
      self.sampleRate = sampleRate
      self.channels = channels
      self.factor = factor
      bitsPerSecond = control.nominalBitrate
      controller = RateController(
        control, sampleRate: sampleRate, bufferedChannels: channels, variableLevel: variableLevel,
        nominalRate: nominalRate)
      fullness = controller.reservoir.map { $0.level * sampleRate + bitsPerSecond * 1024 }
    }

    /// Simulates frames; at the end of a segment, the controller restarts, but the decoder does
    /// not.
    mutating func run(
      _ count: Int, sourceLocation: SourceLocation = #_sourceLocation,
      demand: (Int) -> DemandModel
    ) throws {
      for _ in 0..<count {
        let frame = frameBits.count
        if frame > 0 && frame % AACEncoder.segmentFrameCount == 0 {
          controller.begin(atFrame: frame)
        }
        let isShort = frame % 7 == 3
        let model = demand(frame)
        let level = controller.level(for: model, overhead: side, isShort: isShort)
        try #require(level.isFinite, sourceLocation: sourceLocation)
        let predicted = model.bits(at: level).bits
        // Short blocks have a different prediction error.
        let real = Double(predicted) * (isShort ? factor.squareRoot() : factor)
        let (least, most) = ((controller.minBitCount + 7) & ~7, controller.maxBitCount)
        try #require(least <= most && most % 8 == 0, sourceLocation: sourceLocation)
        try #require(most <= 6144 * channels, sourceLocation: sourceLocation)
        let wanted = (Int(min(real, 1e6)) + side + 7) & ~7
        let bits = min(most, max(least, wanted))
        controller.endFrame(
          bits: bits, fill: max(0, bits - wanted), spectral: min(Int(real), bits - side),
          predicted: predicted,
          isShort: isShort)
        frameBits.append(bits)
        levels.append(level)
        try drain(bits, sourceLocation)
      }
    }

    private mutating func drain(_ bits: Int, _ location: SourceLocation) throws {
      guard var fullness else { return }
      let frame = frameBits.count
      let capacity = 6144 * channels * sampleRate
      try #require(fullness <= capacity, "overflow before \(frame)", sourceLocation: location)
      try #require(fullness >= bits * sampleRate, "underflow at \(frame)", sourceLocation: location)
      fullness -= bits * sampleRate
      let level = controller.reservoir?.level
      try #require(level == fullness / sampleRate, "at \(frame)", sourceLocation: location)
      self.fullness = fullness + bitsPerSecond * 1024
    }

    /// The bits of all frames, divided by the bits that the bitrate allows for the audio.
    ///
    /// Because of priming and padding, the audio is one to two frames shorter than the frames.
    var share: Double {
      let frames = Double(frameBits.count) - 1.5
      let allowed = frames * 1024 * Double(bitsPerSecond) / Double(sampleRate)
      return Double(frameBits.reduce(0, +)) / allowed
    }
  }

  @Test(arguments: Sound.allCases, [8613, 64_000, 128_000, 263_000])
  func theDecodersBufferIsNeverViolated(sound: Sound, bitrate: Int) throws {
    for factor in [0.5, 1.9] {
      var bench = Bench(.constant(bitsPerSecond: bitrate), factor: factor)
      // Past two ends of segments, at which the controller restarts.
      try bench.run(1100) { Self.demand(sound, frame: $0) }
      // Fill elements are sent in silence, so the bitrate is met for any sound.
      #expect(abs(bench.share - 1) < 0.0045, "\(bench.share)")
    }
  }

  @Test(arguments: [(8000, 1), (22_050, 2), (48_000, 5), (96_000, 8)])
  func everyRateAndNumberOfChannelsKeepsToTheBuffer(sampleRate: Int, channels: Int) throws {
    let highest = (6144 * channels - 16) * sampleRate / 1024
    for bitrate in [sampleRate * channels / 5, sampleRate * channels, highest] {
      for sound in [Sound.sudden, .uneven] {
        var bench = Bench(
          .constant(bitsPerSecond: bitrate), sampleRate: sampleRate, channels: channels)
        try bench.run(1100) { Self.demand(sound, frame: $0) }
        #expect(abs(bench.share - 1) < 0.005, "\(bitrate): \(bench.share)")
      }
    }
  }

  @Test(arguments: [Sound.steady, .uneven, .slowPolling], [24_000, 64_000, 128_000])
  func theAverageIsMetWhateverPredictionsAreWorth(sound: Sound, bitrate: Int) throws {
    for factor in [0.6, 1, 1.7] {
      var bench = Bench(.average(bitsPerSecond: bitrate), factor: factor)
      try bench.run(1024) { Self.demand(sound, frame: $0) }
      #expect(abs(bench.share - 1) < 0.005, "\(factor): \(bench.share)")
    }
  }

  @Test func silenceDoesNotInflateLaterAverageBitrate() throws {
    var bench = Bench(.average(bitsPerSecond: 64_000))
    try bench.run(1024) { Self.demand(.silent, frame: $0) }
    #expect(bench.frameBits.allSatisfy { $0 == 64 })
    try bench.run(512) { Self.demand(.steady, frame: $0) }
    let later = Double(bench.frameBits.suffix(512).reduce(0, +))
    #expect(abs(later / (512 * 64_000 * 1024 / 44_100) - 1) < 0.005)
  }

  @Test(arguments: [
    AACEncoder.RateControl.constant(bitsPerSecond: 64_000), .average(bitsPerSecond: 64_000),
  ])
  func demandingFramesGetMoreThanEasyOnes(control: AACEncoder.RateControl) throws {
    var bench = Bench(control)
    try bench.run(500) { Self.demand(.uneven, frame: $0) }
    let frames = bench.frameBits.enumerated().dropFirst(100)
    let bits = frames.reduce(into: [0, 0]) { $0[$1.offset % 2] += $1.element }
    #expect(10 * bits[0] > 13 * bits[1])
    // With equal bits for all frames, hard frames would get ten octaves more noise than easy ones.
    let levels = bench.levels.enumerated().dropFirst(100)
    let sum = levels.reduce(0) { $0 + ($1.offset % 2 == 0 ? $1.element : -$1.element) }
    #expect(abs(sum) / 200 < 9.2, "\(sum / 200) octaves")
  }

  /// Noise substitution and intensity stereo use the likely level from the second frame on.
  @Test func likelyLevelFollowsAChangeOfTheRate() throws {
    var bench = Bench(.average(bitsPerSecond: 128_000))
    try bench.run(100) { Self.demand(.steady, frame: $0) }
    let before = bench.controller.likelyLevel
    bench.controller.setBitrate(64_000)
    try bench.run(1) { Self.demand(.steady, frame: $0) }
    let after = bench.controller.likelyLevel
    try bench.run(100) { Self.demand(.steady, frame: $0) }
    let later = bench.controller.likelyLevel
    #expect(later - before > 2 && after - before > 0.7 * (later - before))
  }

  @Test(arguments: [
    AACEncoder.RateControl.constant(bitsPerSecond: 96_000), .average(bitsPerSecond: 96_000),
    .variable(level: 3),
  ])
  func segmentIsIndependentOfOthers(control: AACEncoder.RateControl) throws {
    var benches = [Sound.overwhelming, .silent, .slowPolling].map { _ in Bench(control) }
    for (index, sound) in [Sound.overwhelming, .silent, .slowPolling].enumerated() {
      benches[index].factor = [0.4, 1, 2.5][index]
      try benches[index].run(512) { Self.demand(sound, frame: $0) }
      benches[index].factor = 1
      try benches[index].run(200) { Self.demand(.uneven, frame: $0) }
    }
    let first = benches[0]
    for bench in benches.dropFirst() {
      #expect(bench.frameBits.suffix(200) == first.frameBits.suffix(200))
      #expect(bench.levels.suffix(200) == first.levels.suffix(200))
    }
    #expect(benches[0].frameBits.prefix(512) != benches[1].frameBits.prefix(512))
  }

  @Test func likelyLevelOfAVariableRateFollowsSimpleSounds() throws {
    var bench = Bench(.variable(level: 3), variableLevel: 1.6)
    try bench.run(30) { Self.demand(2, seed: UInt32($0), bands: 3) }
    let level = try #require(bench.levels.last)
    #expect(level < 0 && abs(bench.controller.likelyLevel - level) < 0.5)
  }

  @Test(arguments: [-3.0, -1, 1.6, 4.1] as [Float])
  func aVariableRateKeepsItsLevelButForSimpleSounds(level: Float) throws {
    var bench = Bench(.variable(level: 3), variableLevel: level, nominalRate: 64_000)
    // A complex sound has the configured level, regardless of the previous sound.
    try bench.run(20) { Self.demand(30, seed: UInt32($0)) }
    #expect(bench.levels.allSatisfy { $0 == level })
    try bench.run(20) { Self.demand(.silent, frame: $0) }
    try bench.run(20) { Self.demand(30, seed: UInt32($0)) }
    #expect(bench.levels.suffix(20).allSatisfy { $0 == level })
    // A simple sound gets a finer noise level, until it uses 0.4 of the nominal bitrate or the
    // level is 5 steps finer.
    let mean = Float(64_000 * 1024) / 44_100
    var checked = 0
    for number in 0..<120 {
      let model = Self.demand(Double(4 + number / 10), seed: 3, bands: 1 + number % 10)
      let found = bench.controller.level(for: model, overhead: Self.side, isShort: false)
      #expect(found <= level && found >= level - 5)
      let bits = model.bits(at: found).bits
      if found > level - 5 && found < level {
        #expect(abs(bits / (0.4 * mean) - 1) < 0.03, "\(bits)")
        checked += 1
      } else if found == level {
        #expect(bits >= 0.4 * mean * 0.99)
      } else {
        #expect(bits <= 0.4 * mean * 1.01)
      }
    }
    #expect(checked > 0)
    #expect(bench.controller.reservoir == nil && bench.controller.minBitCount == 0)
  }
}
