import TestSignals
import Testing

@testable import AacornCodec

@Suite struct CouplingTests {
  private static let offsets = ScaleFactorBands(rateIndex: 4).long

  private struct Scene {
    var random = SeededNumbers(seed: 4)
    var plain = ParsedBlock()
    var coupled = ParsedBlock()
    var source: ParsedChannel
    var coupling = ParsedCoupling()

    /// Creates a single channel with tag 2, a pair with tag 3 and a coupling channel.
    init() {
      let window = WindowInfo(.onlyLong, bands: 30)
      source = ParsedChannel(window, using: &random)
      source.codebooks[4] = 0
      let channels = (0..<3).map { _ in ParsedChannel(window, using: &random) }
      plain.add(.single, tag: 2, [channels[0]])
      plain.add(.pair, tag: 3, [channels[1], channels[2]], mask: MidSideMask.none)
      coupled = plain
      coupling.channel = 3
    }

    /// Sets the lists of gains in steps, one value per band.
    mutating func setLists(_ lists: [[Int]], common: [Bool]) {
      coupling.gains = lists.flatMap { $0.map { Int16($0) } }
      coupling.isCommon = common
    }

    /// Returns the samples that the coupling channel adds to each channel, frame by frame.
    mutating func differences(frames: Int = 2) -> [[[Double]]] {
      coupled = plain
      coupled.add(.coupling, tag: 5, [source])
      coupled.couplings = [coupling]
      let configuration = AudioSpecificConfig.test(channels: 3)
      var (with, without) = (
        CoreDecoder(configuration, channelCount: 3), CoreDecoder(configuration, channelCount: 3)
      )
      return (0..<frames).map { unit in
        var (one, other) = (coupled, plain)
        with.decode(&one, firstChannels: [0, 1], unit: unit)
        without.decode(&other, firstChannels: [0, 1], unit: unit)
        return (0..<3).map { channel in
          zip(with.channels[channel].samples, without.channels[channel].samples).map {
            Double($0) - Double($1)
          }
        }
      }
    }

    /// Returns the samples of the coupling channel, with a gain for each band.
    func samples(_ gains: [Double], frames: Int = 2) -> [[Double]] {
      var bank = ReferenceFilterBank(frameLength: 1024)
      var spectrum = ReferenceSpectrum(
        source, offsets: CouplingTests.offsets, noiseShapingLimit: 40)
      spectrum.shapeNoise()
      var lines = spectrum.lines
      spectrum.forEachBand { band, range in for line in range { lines[line] *= gains[band] } }
      return (0..<frames).map { _ in bank.synthesise(lines, window: source.window) }
    }
  }

  private static func worst(_ made: [Double], _ exact: [Double]) -> Double {
    Likeness.worst(made.map { Float($0) }, exact)
  }

  @Test(arguments: [false, true])
  func dependentCouplingAddsLines(isAfterNoiseShaping: Bool) {
    var scene = Scene()
    scene.coupling.isAfterNoiseShaping = isAfterNoiseShaping
    scene.coupling.hasSigns = true
    scene.coupling.scale = 1
    scene.coupling.targets = [
      .init(isPair: false, tag: 2, usesLeft: false, usesRight: false),
      .init(isPair: true, tag: 3, usesLeft: true, usesRight: true),
      .init(isPair: true, tag: 9, usesLeft: true, usesRight: true),
    ]
    let steps = (0..<30).map { $0 - 15 }
    scene.setLists(
      [[Int](repeating: 0, count: 30), steps, [Int](repeating: 3, count: 30), steps, steps],
      common: [true, false, true, true, false])
    let made = scene.differences()
    let one = scene.samples([Double](repeating: 1, count: 30))
    // The lowest bit is the sign, and a step is a factor of 2^(−1/4).
    let left = scene.samples(
      steps.map { ReferenceSpectrum.dequantize(1, 100 - ($0 >> 1)) * ($0 & 1 != 0 ? -1 : 1) })
    let right = scene.samples([Double](repeating: ReferenceSpectrum.dequantize(1, 97), count: 30))
    for frame in 0..<2 {
      #expect(Self.worst(made[frame][0], one[frame]) < 1e-5)
      #expect(Self.worst(made[frame][1], left[frame]) < 1e-5)
      #expect(Self.worst(made[frame][2], right[frame]) < 1e-5)
    }
  }

  @Test(arguments: 0..<4)
  func independentCouplingAddsSamples(scale: Int) {
    var scene = Scene()
    scene.source.window = WindowInfo(.longStart, .kaiserBesselDerived, bands: 30)
    scene.coupling.isIndependent = true
    scene.coupling.scale = scale
    scene.coupling.targets = [
      .init(isPair: true, tag: 3, usesLeft: false, usesRight: true),
      .init(isPair: false, tag: 2, usesLeft: false, usesRight: false),
      .init(isPair: true, tag: 3, usesLeft: false, usesRight: false),
    ]
    scene.setLists([0, -4, 8].map { [Int](repeating: $0, count: 30) }, common: [true, true, true])
    let made = scene.differences()
    let one = scene.samples([Double](repeating: 1, count: 30))
    let step = [1.0905077326652577, 1.189207115002721, 1.4142135623730951, 2.0][scale]
    let loud = step * step * step * step
    let faint = 1 / (loud * loud)
    for frame in 0..<2 {
      #expect(Self.worst(made[frame][0], one[frame].map { $0 * loud }) < 1e-5)
      #expect(Self.worst(made[frame][1], one[frame].map { $0 * faint }) < 1e-4)
      #expect(Self.worst(made[frame][2], one[frame].map { $0 * (1 + faint) }) < 1e-5)
    }
  }

  @Test func theSourceHasItsOwnNoiseShaping() {
    var scene = Scene()
    scene.source.noiseShapingFilters = [
      NoiseShapingFilter(
        window: 0, length: 49, order: 2, isDownward: true, resolution: 4, firstCoefficient: 0)
    ]
    scene.source.noiseShapingCoefficients = [3, -2]
    scene.coupling.targets = [.init(isPair: false, tag: 2, usesLeft: false, usesRight: false)]
    scene.setLists([[Int](repeating: 0, count: 30)], common: [true])
    scene.source.codebooks[4] = 11
    let exact = scene.samples([Double](repeating: 1, count: 30))
    let made = scene.differences()
    #expect(Self.worst(made[0][0], exact[0]) < 1e-5)
    #expect(made[0][1].allSatisfy { $0 == 0 })
  }

  /// Inconsistent lists, bands and windows.
  @Test func randomDataDoesNotTrap() {
    var random = SeededNumbers(seed: 8)
    for _ in 0..<300 {
      var scene = Scene()
      let isShort = Bool.random(using: &random)
      scene.source = ParsedChannel(
        WindowInfo(isShort ? .eightShort : .onlyLong, bands: isShort ? 14 : 49), scaleFactor: 255,
        largest: 8191, using: &random)
      scene.coupling.isIndependent = Bool.random(using: &random)
      scene.coupling.hasSigns = Bool.random(using: &random)
      scene.coupling.scale = Int.random(in: 0...3, using: &random)
      scene.coupling.targets = (0..<8).map { _ in
        .init(
          isPair: Bool.random(using: &random), tag: Int.random(in: 2...3, using: &random),
          usesLeft: Bool.random(using: &random), usesRight: Bool.random(using: &random))
      }
      scene.setLists(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          (0..<30).map { _ in Int.random(in: -7000...7000, using: &random) }
        },
        common: (0..<Int.random(in: 0...9, using: &random)).map { _ in
          Bool.random(using: &random)
        })
      for samples in scene.differences().joined() {
        #expect(samples.allSatisfy { $0.magnitude < 0x1p60 })
      }
    }
  }
}
