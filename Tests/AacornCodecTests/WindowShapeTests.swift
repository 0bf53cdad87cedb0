import Testing

@testable import AacornCodec

@Suite struct WindowShapeTests {
  private static func shapes(
    _ channels: [[Float]], rate: Int, effort: AACEncoder.Effort, tools: AACEncoder.Tools = .all
  ) throws -> [(kind: ElementKind, shape: WindowShape)] {
    var configuration = AACEncoder.Configuration.constant(
      64_000 * channels.count, channels: channels.count, rate: rate, effort: effort)
    configuration.tools = tools
    return try EncodedSound(channels, configuration).parsed().flatMap { block in
      block.elements.flatMap { element in
        block.channels[element.firstChannel..<element.firstChannel + element.channelCount]
          .map { (element.kind, $0.window.shape) }
      }
    }
  }

  /// Returns separated tones, so far apart that only leakage is between them.
  private static func tones(_ frames: Int, rate: Int) -> [Float] {
    var sum = [Float](repeating: 0, count: frames)
    for hertz in [441.3, 3_307.1, 9_029.7] {
      for (n, sample) in Signals.sine(frames, hertz: hertz, rate: rate, amplitude: 0.25)
        .enumerated()
      {
        sum[n] += sample
      }
    }
    return sum
  }

  @Test func distantTonesSelectWindowWithLowSideLobes() throws {
    let sound = [Self.tones(40_000, rate: 44_100)]
    func share(_ shapes: [(kind: ElementKind, shape: WindowShape)]) -> Double {
      Double(shapes.count { $0.shape == .kaiserBesselDerived }) / Double(shapes.count)
    }
    #expect(try share(Self.shapes(sound, rate: 44_100, effort: .balanced)) > 0.8)
    #expect(try share(Self.shapes(sound, rate: 44_100, effort: .fast)) == 0)
    let without = try Self.shapes(
      sound, rate: 44_100, effort: .balanced, tools: .all.subtracting(.windowShape))
    #expect(share(without) == 0)
  }

  /// ISO/IEC 14496-3, 4.5.2.1.3: an LFE has sine windows.
  @Test(arguments: [44_100, 96_000])
  func lfeUsesSineWindows(rate: Int) throws {
    let tones = Self.tones(20_000, rate: rate)
    let low = Signals.sine(20_000, hertz: 60, rate: rate, amplitude: 0.7)
    let shapes = try Self.shapes(
      [tones, tones, tones, low, tones, tones], rate: rate, effort: .best)
    let lowFrequency = shapes.filter { $0.kind == .lowFrequency }
    #expect(lowFrequency.count > 10)
    #expect(lowFrequency.allSatisfy { $0.shape == .sine })
    #expect(shapes.contains { $0.shape == .kaiserBesselDerived })
  }
}
