import AacornCodec
import Foundation
import Testing

@testable import AacornInspection

@Suite struct SoundEnvelopeTests {
  private static func units(
    _ samples: [Float], _ configuration: AACEncoder.Configuration
  ) throws -> (units: [[UInt8]], stream: AudioSpecificConfig) {
    var encoder = try AACEncoder(configuration)
    let (stream, units, _) = encoder.encoded(samples)
    return (units.map(\.bytes), stream)
  }

  private static func levels(
    _ samples: [Float], _ configuration: AACEncoder.Configuration, count: Int
  ) throws -> [UInt8] {
    let (units, stream) = try units(samples, configuration)
    var envelope = SoundEnvelope(stream)
    for unit in units { envelope.append(unit) }
    return envelope.levels(count)
  }

  private static func configuration(
    channels: Int = 1, rate: AACEncoder.RateControl = .constant(bitsPerSecond: 128_000)
  ) -> AACEncoder.Configuration {
    AACEncoder.Configuration(sampleRate: 44_100, channelCount: channels, rateControl: rate)
  }

  private static func sine(_ frequency: Double, seconds: Double, amplitude: Double) -> [Float] {
    (0..<Int(44_100 * seconds)).map {
      Float(amplitude * sin(2 * .pi * frequency * Double($0) / 44_100))
    }
  }

  @Test(arguments: [60.0, 440, 997, 3000, 7777.7])
  func aSineReadsItsAmplitude(frequency: Double) throws {
    for amplitude in [0.99, 0.5, 0.1] {
      let samples = Self.sine(frequency, seconds: 2, amplitude: amplitude)
      let levels = try Self.levels(samples, Self.configuration(), count: 40)
      for level in levels[2..<38] {
        #expect(
          abs(Double(level) / 255 - amplitude) < 0.15 * amplitude + 0.01,
          "\(frequency) Hz at \(amplitude): \(level)")
      }
    }
  }

  @Test func theLouderChannelCounts() throws {
    let samples = Self.sine(440, seconds: 2, amplitude: 0.8)
    for (left, right) in [(1, 1), (1, 0), (0, 1), (1, -1), (0.2, 1)] as [(Float, Float)] {
      let stereo = samples.flatMap { [$0 * left, $0 * right] }
      let levels = try Self.levels(stereo, Self.configuration(channels: 2), count: 40)
      for level in levels[2..<38] { #expect(abs(Int(level) - 204) < 16, "\(left), \(right)") }
    }
  }

  @Test(arguments: [
    AACEncoder.RateControl.constant(bitsPerSecond: 160_000), .constant(bitsPerSecond: 40_000),
    .variable(level: 3),
  ])
  func envelopeMatchesEncodedAudio(rate: AACEncoder.RateControl) throws {
    // Noise that swells and pauses, with clicks: short windows, TNS, noise substitution. It is soft
    // enough to be encoded completely at a low bitrate.
    var state: UInt32 = 7
    var low: Float = 0
    let samples: [Float] = (0..<44_100 * 4).flatMap { index -> [Float] in
      state = state &* 1_664_525 &+ 1_013_904_223
      low += 0.2 * (Float(Int32(bitPattern: state)) / Float(1 << 31) - low)
      let noise = low * 2
      let time = Float(index) / 44_100
      let swell = time < 3 ? time / 3 * 0.6 : 0
      let stroke = exp(-Float(index % 8820) / 2000) * swell
      return [noise * (swell + stroke), noise * swell]
    }
    let levels = try Self.levels(samples, Self.configuration(channels: 2, rate: rate), count: 60)
    for part in 1..<58 {
      // The maximum level of 1,024 samples in or next to that part, as a sine of that power.
      var greatest: Float = 0
      for block in (part * 176_400 / 60 / 1024 - 1)...((part + 1) * 176_400 / 60 / 1024 + 1) {
        var power: Float = 0
        for index in max(0, block * 1024)..<min(176_400, (block + 1) * 1024) {
          power += samples[2 * index] * samples[2 * index]
        }
        greatest = max(greatest, sqrt(2 * power / 1024))
      }
      let found = Float(levels[part]) / 255
      #expect(abs(found - greatest) < 0.5 * greatest + 0.02, "part \(part): \(found), \(greatest)")
    }
    #expect(levels[50...58].allSatisfy { $0 < 3 })
  }

  @Test func damagedFramesCountAsSilence() throws {
    let samples = Self.sine(440, seconds: 2, amplitude: 0.9)
    let (units, stream) = try Self.units(samples, Self.configuration())
    var envelope = SoundEnvelope(stream)
    for (index, unit) in units.enumerated() {
      envelope.append(index % 2 == 0 ? unit : Array(unit.prefix(3)))
    }
    let levels = envelope.levels(units.count)
    for (index, level) in levels.enumerated() where index % 2 == 1 { #expect(level == 0) }
    #expect(levels.contains { $0 > 100 })
  }

  @Test func aLongListFoldsAndKeepsItsPeaks() {
    var list = LevelList()
    for index in 0..<1_000_000 { list.append(index == 700_000 ? 250 : UInt8(index / 10_000)) }
    let levels = list.levels(400)
    #expect(levels.count == 400)
    #expect(levels.max() == 250 && (279...280).contains(levels.firstIndex(of: 250) ?? 0))
    for (part, level) in levels.enumerated() where level != 250 {
      #expect(abs(Int(level) - part / 4) <= 1)
    }
  }

  @Test func fewFramesFillAllParts() {
    var list = LevelList()
    #expect(list.levels(3) == [0, 0, 0])
    list.append(9)
    list.append(5)
    #expect(list.levels(4) == [9, 9, 5, 5])
    #expect(list.levels(1) == [9])
    #expect(list.levels(0).isEmpty)
  }

  @Test func noNumberOfPartsTraps() {
    var list = LevelList()
    list.append(9)
    #expect(list.levels(.min).isEmpty && list.levels(.max).count == 1 << 20)
    #expect(FrameAnalyzer(measuresLevels: false).levels(-1).isEmpty)
    #expect(FrameAnalyzer(measuresLevels: false).levels(.max).count == 1 << 20)
  }

  @Test func theInspectorMeasuresTheSame() throws {
    let samples = Self.sine(440, seconds: 1, amplitude: 0.7)
    let (units, stream) = try Self.units(samples, Self.configuration())
    var envelope = SoundEnvelope(stream)
    var analyzer = FrameAnalyzer(measuresLevels: true)
    for bytes in units {
      envelope.append(bytes)
      let unit = FrameAnalyzer.Unit(stream, bytes, offset: 0)
      let used = analyzer.read(unit)
      _ = analyzer.countRow(unit, byteCount: used)
    }
    #expect(analyzer.levels(40) == envelope.levels(40))
    #expect(FrameAnalyzer(measuresLevels: false).levels(3) == [0, 0, 0])
  }
}
