import Foundation
import Testing

@testable import AacornCodec

/// The encoder of parametric stereo, checked with a decoder.
@Suite struct StereoEncoderTests {
  struct Indices {
    var levels: [[Int8]] = []
    var coherences: [[Int8]] = []

    private var parameters = StereoParameters()

    init() {}

    mutating func read(_ data: StereoData) {
      let (bytes, count) = StereoSound.bits(data)
      var bits = BitReader(bytes)
      var read = StereoData()
      let last = levels.isEmpty ? nil : parameters.header
      var next = StereoParameters()
      let isRead = read.read(&bits, bitCount: count, after: last)
      let isSound = next.update(after: parameters, with: read)
      #expect(isRead && isSound && bits.position == count)
      let bandCount = next.header.levelResolution.bandCount
      let rows = next.envelopeCount == 0 ? 0...0 : 1...next.envelopeCount
      let starts = rows.map { $0 * StereoData.stride }
      levels = starts.map { Array(next.levels[$0..<$0 + bandCount]) }
      coherences = starts.map { Array(next.coherences[$0..<$0 + bandCount]) }
      next.finish()
      parameters = next
    }
  }

  /// Returns the decoded level difference and correlation, in bands whose decorrelator is only a
  /// delay.
  private static func decoded(
    _ sound: StereoSound, bitrate: Int
  ) -> (decibels: Double, correlation: Double) {
    var encoder = StereoEncoder(bitrate: bitrate)
    var stereo = ParametricStereo()
    var (mono, left, right) = (QMFFrame(), QMFFrame(), QMFFrame())
    var (leftPower, rightPower, common) = (0.0, 0.0, 0.0)
    for frame in 0..<sound.frameCount {
      sound.encode(frame, &encoder)
      let (bytes, count) = StereoSound.bits(encoder.data)
      var bits = BitReader(bytes)
      let isRead = stereo.read(&bits, bitCount: count)
      #expect(isRead && bits.position == count)
      for index in 0..<38 * 64 {
        mono.real[index] = encoder.real[8 * 64 + index]
        mono.imaginary[index] = encoder.imaginary[8 * 64 + index]
      }
      stereo.apply(mono, slotCount: 32, left: &left, right: &right)
      if frame < 3 { continue }
      for slot in 0..<32 {
        for index in slot * 64 + 23..<slot * 64 + 64 {
          let (a, b) = (Double(left.real[index]), Double(left.imaginary[index]))
          let (c, d) = (Double(right.real[index]), Double(right.imaginary[index]))
          leftPower += a * a + b * b
          rightPower += c * c + d * d
          common += a * c + b * d
        }
      }
    }
    return (10 * log10(leftPower / rightPower), common / (leftPower * rightPower).squareRoot())
  }

  @Test(arguments: [-25.0, -10, -2, 0, 4, 18], [1.0, 0.84118, 0.36764, 0, -0.589, -1])
  func decodedStereoHasLevelsAndCorrelations(decibels: Double, correlation: Double) {
    for bitrate in [16_000, 32_000, 48_000] {
      let sound = StereoSound(
        frames: 7, left: 1000 * pow(10, decibels / 20), right: 1000, correlation: correlation,
        seed: UInt64(bitrate) + UInt64(decibels + 30))
      let made = Self.decoded(sound, bitrate: bitrate)
      // Steps are 2 dB near the center, and at least 4 dB from 14 dB on.
      #expect(abs(made.decibels - decibels) < (abs(decibels) < 14 ? 1 : 2))
      let (step, wanted) = (Self.step(made.correlation), Self.step(correlation))
      #expect(abs(step - wanted) <= 1, "\(made.correlation)")
    }
  }

  private static func step(_ correlation: Double) -> Int {
    StereoTables.coherenceBorders.count(where: { Double($0) > correlation })
  }

  @Test(arguments: [16_000, 32_000, 64_000])
  func eachBandHasTheNearestLevel(bitrate: Int) {
    var sound = StereoSound(frames: 6, correlation: 1)
    // The level is 7.2 dB in the low bands and 21.9 dB in the high bands. The nearest of the 15
    // levels are 7 and 25 dB, and the nearest of the 31 levels are 8 and 22 dB.
    for slot in sound.right.indices {
      for band in 0..<64 {
        let decibels = band < 18 ? 7.2 : 21.9
        sound.right[slot][band] = sound.left[slot][band] * pow(10, -decibels / 20)
      }
    }
    var encoder = StereoEncoder(bitrate: bitrate)
    var indices = Indices()
    for frame in 0..<sound.frameCount {
      sound.encode(frame, &encoder)
      indices.read(encoder.data)
    }
    // With ten bands, the ninth contains both levels and is not coherent, so it is not checked.
    let (low, high): (Int8, Int8) = bitrate < 20_000 ? (3, 7) : (4, 9)
    let split = bitrate == 16_000 ? 8 : 17
    for coherences in indices.coherences {
      #expect(coherences[..<split].allSatisfy { $0 == 0 })
      #expect(coherences.last == 0)
    }
    for levels in indices.levels {
      #expect(levels[..<split].allSatisfy { $0 == low })
      #expect(levels.last == high)
    }
  }

  @Test(arguments: [-1, -0.9, -0.6, -0.3, 0, 0.7])
  func downmixDoesNotCancelChannels(correlation: Double) {
    for ratio in [1.0, 0.5, 3] {
      let sound = StereoSound(frames: 6, right: 1000 * ratio, correlation: correlation)
      var encoder = StereoEncoder(bitrate: 32_000)
      for frame in 0..<sound.frameCount {
        sound.encode(frame, &encoder)
        if frame == 0 { continue }
        let (left, right) = (
          StereoSound.rows(sound.left, frame), StereoSound.rows(sound.right, frame)
        )
        for bands in [0..<3, 3..<16, 16..<64] {
          let leftPower = StereoSound.power(left.real, left.imaginary, bands)
          let rightPower = StereoSound.power(right.real, right.imaginary, bands)
          let power = StereoSound.power(encoder.real, encoder.imaginary, bands)
          let decibels = 10 * log10(power / (leftPower + rightPower) * 2)
          // In few bands, the power changes faster than the downmix weights, which are averaged
          // over time.
          #expect(abs(decibels) < (bands.count < 4 ? 1 : 0.4), "\(ratio), \(bands)")
        }
      }
    }
  }

  /// Any phase between the channels, with either channel louder.
  @Test(arguments: [0.4, 1, 2.5])
  func downmixDoesNotCancelAtAnyPhase(ratio: Double) {
    for degrees in stride(from: -180.0, to: 180, by: 9) {
      let (c, s) = (cos(degrees * .pi / 180) * ratio, sin(degrees * .pi / 180) * ratio)
      var sound = StereoSound(frames: 3, correlation: 1)
      for slot in sound.right.indices {
        sound.right[slot] = sound.left[slot].map { x in
          StereoSound.Complex(re: x.re * c - x.im * s, im: x.re * s + x.im * c)
        }
      }
      var encoder = StereoEncoder(bitrate: 32_000)
      for frame in 0..<sound.frameCount { sound.encode(frame, &encoder) }
      let last = sound.frameCount - 1
      let left = StereoSound.rows(sound.left, last)
      for bands in [3..<16, 16..<64] {
        let was = StereoSound.power(left.real, left.imaginary, bands) * (1 + ratio * ratio) / 2
        let power = StereoSound.power(encoder.real, encoder.imaginary, bands)
        #expect(abs(10 * log10(power / was)) < 0.5, "\(degrees), \(bands)")
      }
    }
  }

  @Test func monoDownmixIsUnchanged() {
    let sound = StereoSound(frames: 5, correlation: 1)
    var encoder = StereoEncoder(bitrate: 32_000)
    var indices = Indices()
    for frame in 0..<sound.frameCount {
      sound.encode(frame, &encoder)
      indices.read(encoder.data)
      #expect(indices.levels.allSatisfy { $0.allSatisfy { $0 == 0 } })
      #expect(indices.coherences.allSatisfy { $0.allSatisfy { $0 == 0 } })
      if frame == 0 { continue }
      // No envelope, because nothing changes.
      #expect(StereoSound.bits(encoder.data).count == 4)
      let rows = StereoSound.rows(sound.left, frame)
      var error: Float = 0
      for index in 0..<48 * 64 {
        error = max(error, abs(encoder.real[index] - rows.real[index]))
        error = max(error, abs(encoder.imaginary[index] - rows.imaginary[index]))
      }
      // The amplitudes are up to 4,000.
      #expect(error < 0.01)
    }
  }

  @Test func silenceIsInTheMiddle() {
    let sound = StereoSound(frames: 3, left: 0, right: 0, correlation: 0)
    var encoder = StereoEncoder(bitrate: 48_000)
    var indices = Indices()
    for frame in 0..<sound.frameCount {
      sound.encode(frame, &encoder)
      indices.read(encoder.data)
      #expect(indices.levels.allSatisfy { $0.allSatisfy { $0 == 0 } })
      #expect(encoder.real.allSatisfy { $0 == 0 })
    }
  }

  @Test func leftAttackHasOwnBorders() {
    var sound = StereoSound(frames: 6, left: 100, right: 100, correlation: 1)
    for slot in 0..<20 {
      let slotIndex = 3 * 32 + 8 + 13 + slot
      sound.left[slotIndex] = sound.left[slotIndex].map { $0 * 40 }
    }
    var encoder = StereoEncoder(bitrate: 32_000)
    var indices = Indices()
    for frame in 0...3 {
      sound.encode(frame, &encoder)
      indices.read(encoder.data)
      #expect(encoder.data.hasBorders == (frame == 3))
    }
    #expect(encoder.data.borders.prefix(2) == [12, 14])
    // The filters of the lowest bands extend across the border.
    #expect(indices.levels[0][8...].allSatisfy { $0 == 0 })
    // The factor of 40 is 32 dB; the nearest level is number 11, 30 dB.
    #expect(indices.levels[1][8...].allSatisfy { $0 == 11 })
  }

  @Test func energiesAreThoseOfTheBands() {
    let sound = StereoSound(frames: 1, left: 3000, right: 500, correlation: 0.4, seed: 8)
    let (left, right) = (StereoSound.rows(sound.left, 0), StereoSound.rows(sound.right, 0))
    let pair = StereoPair(
      left: left.real, leftIm: left.imaginary, right: right.real, rightIm: right.imaginary)
    var low = StereoPair(count: 32 * HybridFrame.stride)
    var filters = HybridFilterBank()
    filters.splitIntoTwentyBands(
      pair.left, pair.leftIm, from: 24, into: &low.left, lowImaginary: &low.leftIm, at: 0)
    filters.splitIntoTwentyBands(
      pair.right, pair.rightIm, from: 24, into: &low.right, lowImaginary: &low.rightIm, at: 0)
    var energies = StereoEnergies()
    energies.advance(low, lowRow: 0, pair, row: 24, layout: HybridLayout(hasThirtyFourBands: false))

    let reference = ReferenceStereo(hasThirtyFourBands: false)
    let leftParts = reference.split(Array(sound.left[..<64]))
    let rightParts = reference.split(Array(sound.right[..<64]))
    for block in 0..<8 {
      var sums = [Double](repeating: 0, count: 80)
      for (k, band) in reference.bands.enumerated() {
        for slot in 24 + 4 * block..<28 + 4 * block {
          let (l, r) = (leftParts[k][slot], rightParts[k][slot])
          sums[band] += l.power
          sums[20 + band] += r.power
          sums[40 + band] += l.re * r.re + l.im * r.im
          sums[60 + band] += (l.im * r.re - l.re * r.im) * (k < 2 ? -1 : 1)
        }
      }
      for index in 0..<80 {
        let made = Double(energies.sums[(6 + block) * 80 + index])
        let scale = (sums[index % 20] * sums[20 + index % 20]).squareRoot()
        let size = index < 40 ? sums[index] : scale
        #expect(abs(made - sums[index]) < 1e-4 * size, "\(block), \(index)")
      }
    }
  }
}
