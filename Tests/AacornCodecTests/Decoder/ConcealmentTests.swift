import TestSignals
import Testing

@testable import AacornCodec

@Suite struct ConcealmentTests {
  private static func tone() throws -> (units: [[UInt8]], config: AudioSpecificConfig) {
    let sound = try EncodedSound(
      [Signals.sine(60_000, hertz: 997, rate: 44_100)], .constant(96_000))
    return (sound.units.map(\.bytes), sound.config)
  }

  private static func level(_ sound: DecodedSound, _ unit: Int) -> Double {
    Likeness.level(sound.channels[0][unit * 1024..<(unit + 1) * 1024])
  }

  @Test func concealmentFadesOutAndRecovers() throws {
    let (units, config) = try Self.tone()
    var damaged: [[UInt8]?] = units
    for unit in 20..<24 { damaged[unit] = unit == 21 ? nil : [0x21, 0xFF, 0xFF] }
    let sound = try DecodedSound(damaged, config)
    let whole = try DecodedSound(units, config)
    #expect(sound.concealedCount == 4)
    #expect(sound.channels[0][..<(20 * 1024)] == whole.channels[0][..<(20 * 1024)])
    let full = Self.level(whole, 18)
    // The random signs of concealed lines spread a tone slightly, so the levels follow the fade
    // only approximately.
    #expect(Self.level(sound, 20) < full * 1.1)
    #expect((0.08 * full..<0.6 * full).contains(Self.level(sound, 23)))
    for unit in 24..<28 { #expect(Self.level(sound, unit) < full * 1.1) }
    #expect(Self.level(sound, 27) > Self.level(sound, 24))
    // The sound recovers within five frames, and one frame of overlap.
    #expect(sound.channels[0][(30 * 1024)...] == whole.channels[0][(30 * 1024)...])
    let peak = whole.channels[0][(10 * 1024)...].map(\.magnitude).max() ?? 0
    #expect(sound.channels[0].allSatisfy { $0.magnitude < 1.5 * peak })
  }

  @Test func longGapsEndInSilence() throws {
    let (units, config) = try Self.tone()
    let gap = [[UInt8]?](repeating: nil, count: 30)
    let sound = try DecodedSound(Array(units[..<20]) + gap + Array(units[20...]), config)
    #expect(Self.level(sound, 39) == 0)
    #expect(Self.level(sound, 37) == 0)
    let whole = try DecodedSound(units, config)
    #expect((Self.level(sound, 57) / Self.level(whole, 27) - 1).magnitude < 0.001)
  }

  @Test func aGapAtTheStartIsSilent() throws {
    let (units, config) = try Self.tone()
    let sound = try DecodedSound([nil, nil, []] + units, config)
    #expect(sound.channels[0][..<3072].allSatisfy { $0 == 0 })
    #expect(sound.concealedCount == 3)
  }

  /// A loss during the recovery starts from the current level, and does not lower it twice.
  @Test func everySecondUnitYieldsAudio() throws {
    let (units, config) = try Self.tone()
    let sound = try DecodedSound(units.enumerated().map { $0 % 2 == 1 ? nil : $1 }, config)
    var concealment = Concealment()
    var (lines, replacement) = ([Float](repeating: 1, count: 4), [Float](repeating: 0, count: 4))
    for _ in 0..<20 {
      concealment.conceal(&lines, isShort: false, unit: 0, channel: 0, into: &replacement)
      let replaced = replacement[0].magnitude
      lines = [1, 1, 1, 1]
      concealment.recover(&lines)
      let good = lines[0]
      #expect(good > replaced)
      concealment.conceal(&lines, isShort: false, unit: 0, channel: 0, into: &replacement)
      #expect((replacement[0].magnitude / good - 0.7071).magnitude < 0.001)
      lines = [1, 1, 1, 1]
      concealment.recover(&lines)
    }
    #expect(sound.channels[0].allSatisfy { $0.magnitude < 1 })
  }

  /// Eight short windows are replaced by a long window with the same energy.
  @Test func shortWindowsAreContinued() throws {
    var random = SeededNumbers(seed: 1)
    var core = CoreDecoder(.test(), channelCount: 1)
    let noise = ParsedChannel(
      WindowInfo(.eightShort, bands: 14), codebook: Codebook.noise, scaleFactor: 70, using: &random)
    for unit in 0..<4 {
      var block = ParsedBlock()
      block.add(.single, [noise])
      core.decode(&block, firstChannels: [0], unit: unit)
    }
    let before = Likeness.level(core.channels[0].samples)
    var levels: [Double] = []
    for unit in 4..<8 {
      core.conceal(unit: unit)
      levels.append(Likeness.level(core.channels[0].samples))
    }
    for (index, level) in levels.enumerated() where index > 0 {
      let expected = before * [1, 0.86, 0.61, 0.43][index]
      #expect((0.7...1.4).contains(level / expected), "frame \(index)")
    }
  }
}
