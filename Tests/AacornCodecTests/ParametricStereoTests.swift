import Foundation
import TestSignals
import Testing

@testable import AacornCodec

/// Parametric stereo, compared with its definitions, and with invalid data.
@Suite struct ParametricStereoTests {
  typealias Complex = ReferenceStereo.Complex

  static func header(_ levels: Int, _ coherences: Int) -> StereoHeader {
    StereoHeader(hasLevels: true, levelMode: levels, hasCoherences: true, coherenceMode: coherences)
  }

  /// Returns noise with a few pauses and attacks, in slots of 64 bands.
  static func sound(_ slots: Int, seed: UInt64) -> [[Complex]] {
    var random = SeededNumbers(seed: seed)
    return (0..<slots).map { slot in
      let level = slot % 45 < 30 ? 3000.0 : 20
      return (0..<64).map { _ in
        Complex(
          re: Double(Float(Double.random(in: -level...level, using: &random))),
          im: Double(Float(Double.random(in: -level...level, using: &random))))
      }
    }
  }

  /// Returns slots from `start` on.
  ///
  /// Slots past the 32nd have only the five lowest bands.
  static func frame(_ sound: [[Complex]], from start: Int, slotCount: Int) -> QMFFrame {
    var frame = QMFFrame()
    for slot in 0..<slotCount + 6 where start + slot < sound.count {
      for band in 0..<(slot < slotCount ? 64 : 5) {
        frame.real[slot * 64 + band] = Float(sound[start + slot][band].re)
        frame.imaginary[slot * 64 + band] = Float(sound[start + slot][band].im)
      }
    }
    return frame
  }

  static func error(of script: StereoScript, seed: UInt64 = 5) -> Double {
    let sound = sound(script.frames.count * script.slotCount, seed: seed)
    let reference = ReferenceStereo(hasThirtyFourBands: script.header.wantsThirtyFourBands ?? false)
    let exact = reference.stereo(sound, script.borders(reference))
    var stereo = ParametricStereo()
    var (left, right) = (QMFFrame(), QMFFrame())
    var (error, energy) = (0.0, 1e-30)
    for index in script.frames.indices {
      let (bytes, count) = script.data(index)
      var bits = BitReader(bytes)
      #expect(stereo.read(&bits, bitCount: count))
      #expect(bits.position == count)
      let start = index * script.slotCount
      stereo.apply(
        frame(sound, from: start, slotCount: script.slotCount), slotCount: script.slotCount,
        left: &left, right: &right)
      for slot in 0..<script.slotCount {
        for band in 0..<64 {
          for (made, wanted) in [(left, exact.left), (right, exact.right)] {
            let value = wanted[start + slot][band]
            let re = Double(made.real[slot * 64 + band]) - value.re
            let im = Double(made.imaginary[slot * 64 + band]) - value.im
            error += re * re + im * im
            energy += value.power
          }
        }
      }
    }
    return error / energy
  }

  /// The maximum energy of an error relative to the reference: −115 dB.
  static let floor = 3e-12

  @Test(arguments: 0..<6, [1, 4])
  func followsItsDefinition(levels: Int, coherences: Int) {
    // Levels of ten bands are combined with coherences of 20 bands, and 34 with 34.
    let header = Self.header(levels, levels % 3 == 2 ? coherences + 1 : coherences)
    let script = StereoScript(header: header, counts: [1, 2, 4, 1], seed: UInt64(levels))
    #expect(Self.error(of: script) < Self.floor)
  }

  @Test func bordersMayBeAnywhere() {
    let script = StereoScript(
      header: Self.header(4, 1), counts: [2, 3, 1, 4],
      borders: [[3, 20], [0, 1, 31], [12], [5, 6, 7, 30]], seed: 9)
    #expect(Self.error(of: script) < Self.floor)
  }

  @Test(arguments: [1, 2])
  func shortFramesHaveThirtySlots(mode: Int) {
    let script = StereoScript(
      header: Self.header(mode, mode), counts: [1, 4, 2], slotCount: 30, seed: 3)
    #expect(Self.error(of: script) < Self.floor)
  }

  /// Bands of negative frequencies are excluded: see `StereoMixer`.
  @Test(arguments: [1, 0, 2])
  func phaseParametersRotateChannels(mode: Int) {
    var script = StereoScript(
      header: Self.header(mode, mode == 2 ? 2 : 1), hasPhases: true, counts: [1, 2, 4, 1], seed: 4)
    let silent = mode == 2 ? [0, 1, 2, 9, 10, 11, 12, 13] : [0, 1]
    for frame in script.frames.indices {
      for envelope in script.frames[frame].indices {
        for band in silent where band < script.frames[frame][envelope].overallPhases.count {
          script.frames[frame][envelope].phaseDifferences[band] = 0
          script.frames[frame][envelope].overallPhases[band] = 0
        }
      }
    }
    #expect(Self.error(of: script) < Self.floor)
  }

  @Test func levelFourMakesLeftTenDecibelsLouder() {
    // enable_iid with 20 bands, no coherence; one envelope, whose first value is 4.
    let bytes: [UInt8] = [0b1100_1000, 0b0101_1110, 0b1000_0000, 0, 0, 0]
    var stereo = ParametricStereo()
    var bits = BitReader(bytes)
    #expect(stereo.read(&bits, bitCount: 48))
    var (left, right) = (QMFFrame(), QMFFrame())
    let mono = Self.frame(Self.sound(64, seed: 1), from: 0, slotCount: 32)
    for _ in 0..<2 { stereo.apply(mono, slotCount: 32, left: &left, right: &right) }
    let index = 10 * 64 + 30
    let ratio = left.real[index] / right.real[index]
    #expect(abs(20 * log10(ratio) - 10) < 1e-4)
  }

  @Test func withoutHeaderBothChannelsAreTheMonoSignal() {
    var stereo = ParametricStereo()
    var bits = BitReader([0b0001_0101, 0xFF])
    #expect(stereo.read(&bits, bitCount: 11))
    #expect(!stereo.isActive && bits.position == 11)
    let mono = Self.frame(Self.sound(40, seed: 2), from: 0, slotCount: 32)
    var (left, right) = (QMFFrame(), QMFFrame())
    stereo.apply(mono, slotCount: 32, left: &left, right: &right)
    #expect(left.real[..<2048] == mono.real[..<2048])
    #expect(right.imaginary[..<2048] == mono.imaginary[..<2048])
  }
}
