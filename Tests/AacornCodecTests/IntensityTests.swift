import Foundation
import Testing

@testable import AacornCodec

/// Intensity stereo, compared with a decoder's output (ISO/IEC 14496-3, 4.6.8.2.3).
@Suite struct IntensityTests {
  static let hertzPerLine: Float = 44_100 / 2048
  static let threshold: Float = 1000

  struct Joined {
    let layout: BandLayout
    let before: [ChannelFrame]
    var left: ChannelFrame
    var right: ChannelFrame

    init(
      _ left: [Float], _ right: [Float], _ layout: BandLayout,
      hertzPerLine: Float = IntensityTests.hertzPerLine, level: Float = -100,
      isCoarse: Bool = true,
      change: (inout ChannelFrame, inout ChannelFrame) -> Void = { _, _ in }
    ) {
      self.layout = layout
      let frames = SpectralToolsTests.pair(left, right, threshold: threshold)
      (self.left, self.right) = (frames[0], frames[1])
      change(&self.left, &self.right)
      before = [self.left, self.right]
      var sums = PairSums()
      sums.measure(self.left.lines, self.right.lines, layout: layout)
      Intensity.apply(
        &self.left, &self.right, layout: layout, sums: sums, hertzPerLine: hertzPerLine,
        level: level, isCoarse: isCoarse)
    }

    func lines(_ band: Int) -> Range<Int> { layout.offsets[band]..<layout.offsets[band + 1] }

    func isJoined(_ band: Int) -> Bool { Codebook.isIntensity(right.codebooks[band]) }

    var joinedBands: [Int] { (0..<layout.bandCount).filter(isJoined) }

    /// A decoder's right channel: its left channel times ±2^(−position/4).
    func decodedRight(_ line: Int, _ band: Int) -> Double {
      let scale = pow(2, -Double(right.scaleFactors[band]) / 4)
      let isInverted = right.codebooks[band] == Codebook.intensityOutOfPhase
      return Double(left.lines[line]) * (isInverted ? -scale : scale)
    }

    func isUntouched(_ band: Int) -> Bool {
      left.lines[lines(band)] == before[0].lines[lines(band)]
        && right.lines[lines(band)] == before[1].lines[lines(band)]
        && left.codebooks[band] == before[0].codebooks[band]
        && right.codebooks[band] == before[1].codebooks[band]
        && left.threshold[band] == before[0].threshold[band]
    }
  }

  /// Returns lines with the same energy per band as `lines`, but orthogonal to them.
  static func orthogonal(_ lines: [Float]) -> [Float] {
    lines.indices.map { $0 % 2 == 0 ? -lines[$0 + 1] : lines[$0 - 1] }
  }

  static func energy(_ values: some Sequence<Double>) -> Double {
    values.reduce(0) { $0 + $1 * $1 }
  }

  /// No gain is a power of the step, so the joined bands have errors.
  @Test(arguments: [1.1, 0.55, 2.2, 0.02, 60, -1.1, -0.4, -25])
  func intensityPreservesDirection(gain: Double) {
    let layout = SpectralToolsTests.layout()
    let left = NoiseGenerator.floats(amplitude: 20_000, seed: 3)
    let right = left.map { Float(gain) * $0 }
    let joined = Joined(left, right, layout)
    let expected = (0..<layout.bandCount).filter {
      Float(layout.offsets[$0]) * Self.hertzPerLine >= 6000
    }
    #expect(joined.joinedBands == expected && !expected.isEmpty)
    for band in 0..<layout.bandCount {
      guard joined.isJoined(band) else {
        #expect(joined.isUntouched(band), "band \(band)")
        continue
      }
      // A step of the position is a factor of 2^(1/4), and the error is at most half a step.
      let ratio = pow(2, 1.0 / 8) * 1.001
      for line in joined.lines(band) {
        #expect(abs(joined.left.lines[line] - left[line]) <= 1e-4 * abs(left[line]) + 1e-3)
        #expect(joined.right.lines[line] == 0)
        let found = joined.decodedRight(line, band) / Double(right[line])
        #expect(found < ratio && found > 1 / ratio, "line \(line): \(found)")
      }
    }
  }

  /// `share` is the amplitude of the common sound; its square is the coherence of the channels.
  @Test(arguments: [0.86, 0.93, 0.99, 1], [0.3, 1, 4.0])
  func bothChannelsKeepTheirEnergy(share: Double, gain: Double) {
    let layout = SpectralToolsTests.layout()
    let left = NoiseGenerator.floats(amplitude: 9000, seed: 8)
    let other = Self.orthogonal(left)
    let rest = (1 - share * share).squareRoot()
    let right = left.indices.map {
      Float(gain * (share * Double(left[$0]) - rest * Double(other[$0])))
    }
    let joined = Joined(left, right, layout)
    #expect(joined.joinedBands.count > 10)
    for band in joined.joinedBands {
      let range = joined.lines(band)
      let wantedLeft = Self.energy(left[range].map(Double.init))
      let wantedRight = Self.energy(right[range].map(Double.init))
      let foundLeft = Self.energy(joined.left.lines[range].map(Double.init))
      let foundRight = Self.energy(range.map { joined.decodedRight($0, band) })
      #expect(abs(foundLeft / wantedLeft - 1) < 1e-3)
      #expect(abs(log2(foundRight / wantedRight)) < 0.251)
    }
  }

  /// The threshold is a squared correlation of 0.7.
  @Test(arguments: [(0.71, true), (0.69, false), (0.3, false), (0, false)], [1, -1.0])
  func onlySimilarEnvelopesAreJoined(coherence: (square: Double, isAlike: Bool), sign: Double) {
    let layout = SpectralToolsTests.layout()
    let left = NoiseGenerator.floats(amplitude: 5000, seed: 21)
    let other = Self.orthogonal(left)
    let (share, rest) = (coherence.square.squareRoot(), (1 - coherence.square).squareRoot())
    let right = left.indices.map {
      Float(sign * share * Double(left[$0]) + rest * Double(other[$0]))
    }
    let joined = Joined(left, right, layout)
    #expect(joined.joinedBands.isEmpty == !coherence.isAlike)
    let book = sign > 0 ? Codebook.intensityInPhase : Codebook.intensityOutOfPhase
    #expect(joined.joinedBands.allSatisfy { joined.right.codebooks[$0] == book })
    for band in 0..<layout.bandCount where !joined.isJoined(band) {
      #expect(joined.isUntouched(band))
    }
  }

  @Test(arguments: [[8], [3, 5], [1, 1, 1, 1, 1, 1, 1, 1]])
  func everyGroupOfShortWindowsHasItsOwnDirections(groups: [UInt8]) {
    var layout = BandLayout()
    let bands = ScaleFactorBands(rateIndex: 4)
    layout.setWindow(WindowInfo(.eightShort, bands: 14, groups: groups), windowOffsets: bands.short)
    let left = NoiseGenerator.floats(amplitude: 3000, seed: 5)
    // Another direction in every group.
    var right = left
    for band in 0..<layout.bandCount {
      let gain = pow(2, Float(band / layout.window.bandsPerGroup) - 3.45)
      for line in layout.offsets[band]..<layout.offsets[band + 1] { right[line] *= gain }
    }
    let joined = Joined(left, right, layout, hertzPerLine: 44_100 / 256)
    for band in 0..<layout.bandCount {
      let group = band / layout.window.bandsPerGroup
      let hertz = Float(bands.short[band % 14]) * 44_100 / 256
      #expect(joined.isJoined(band) == (hertz >= 6000), "band \(band)")
      guard joined.isJoined(band) else { continue }
      // −4 · log₂ of the gain, rounded.
      #expect(joined.right.scaleFactors[band] == Int32(14 - 4 * group))
    }
  }

  @Test func intensitySkipsSilentAndNoiseBands() {
    let layout = SpectralToolsTests.layout()
    var left = NoiseGenerator.floats(amplitude: 3000, seed: 5)
    var right = left
    let last = layout.bandCount - 1
    for line in layout.offsets[last]..<layout.offsets[last + 1] { left[line] = 0 }
    for line in layout.offsets[last - 1]..<layout.offsets[last] { right[line] = 1e-3 }
    let joined = Joined(left, right, layout) { left, right in
      left.codebooks[last - 2] = Codebook.noise
      right.codebooks[last - 3] = Codebook.noise
    }
    for band in last - 3...last { #expect(joined.isUntouched(band), "band \(band)") }
    #expect(joined.isJoined(last - 4))
  }

  /// Adjacent positions may differ by at most 60, starting from 0.
  ///
  /// A band whose position differs by more keeps its lines in both channels.
  @Test func onlyDirectionsThatCanBeSentAreUsed() {
    let layout = SpectralToolsTests.layout()
    let quiet = NoiseGenerator.floats(amplitude: 8, seed: 4)
    var (left, right) = (quiet, quiet)
    // Alternating positions of 52 and −52, and sometimes 93.
    for band in 0..<layout.bandCount {
      let gain: Float = band % 7 == 3 ? 1e7 : 8200
      for line in layout.offsets[band]..<layout.offsets[band + 1] {
        if band / 3 % 2 == 0 { left[line] *= gain } else { right[line] *= gain }
      }
    }
    let joined = Joined(left, right, layout)
    #expect(joined.joinedBands.count > 3)
    var previous = 0
    for band in joined.joinedBands {
      let position = Int(joined.right.scaleFactors[band])
      #expect(abs(position - previous) <= 60)
      previous = position
      let range = joined.lines(band)
      let wanted = Self.energy(right[range].map(Double.init))
      let found = Self.energy(range.map { joined.decodedRight($0, band) })
      #expect(abs(log2(found / wanted)) < 0.251, "band \(band)")
    }
    let high = (0..<layout.bandCount).filter {
      Float(layout.offsets[$0]) * Self.hertzPerLine >= 6000
    }
    let apart = high.filter { !joined.isJoined($0) }
    #expect(!apart.isEmpty && apart.allSatisfy(joined.isUntouched))
  }

  /// The carrier's noise is in both channels of the output, scaled by their levels.
  @Test(arguments: [0.25, 1, 3] as [Float], [0.1, 1, 20] as [Float])
  func carrierNoiseIsMaskedInBothChannels(gain: Float, share: Float) {
    let layout = SpectralToolsTests.layout()
    let left = NoiseGenerator.floats(amplitude: 9000, seed: 2)
    let joined = Joined(left, left.map { $0 * gain }, layout) { _, right in
      for band in 0..<layout.bandCount { right.threshold[band] = Self.threshold * share }
    }
    #expect(!joined.joinedBands.isEmpty)
    for band in joined.joinedBands {
      let found = joined.left.threshold[band]
      let wanted = min(Self.threshold, Self.threshold * share / (gain * gain))
      #expect(abs(found / wanted - 1) < 1e-3)
    }
  }

  /// The errors of a joined band leave room for noise, at any rate and frequency.
  @Test(arguments: [0.05, 0.6, 1, 1.4, -0.8, -7], [2, 5, 12] as [Float])
  func soundFromOneDirectionHasOneSpectrum(gain: Double, level: Float) {
    let layout = SpectralToolsTests.layout()
    let left = NoiseGenerator.floats(amplitude: 300, seed: 3)
    let right = left.map { Float(gain) * $0 }
    let joined = Joined(left, right, layout, level: level, isCoarse: false)
    let allowed = Double(Self.threshold * exp2(level))
    for band in joined.joinedBands {
      let lines = joined.lines(band)
      let room = Double(joined.left.threshold[band] * exp2(level))
      let size = pow(2, -Double(joined.right.scaleFactors[band]) / 2)
      let errorLeft = Self.energy(lines.map { Double(left[$0] - joined.left.lines[$0]) })
      let errorRight = Self.energy(lines.map { Double(right[$0]) - joined.decodedRight($0, band) })
      #expect(errorLeft + room < 1.001 * allowed && errorLeft < 0.501 * allowed)
      #expect(errorRight + room * size < 1.001 * allowed && errorRight < 0.501 * allowed)
    }
    for band in 0..<layout.bandCount where !joined.isJoined(band) {
      #expect(joined.isUntouched(band))
    }
    // A middle has one spectrum in any case, and a quiet channel needs no bits.
    let isJoined = level == 5 && abs(gain) > 0.1 && gain != 1
    #expect(!isJoined || joined.joinedBands.count > layout.bandCount / 2)
    #expect(gain != 1 || joined.joinedBands.isEmpty)
  }

  @Test func soundsFromTwoDirectionsHaveTwoSpectra() {
    let layout = SpectralToolsTests.layout()
    let left = NoiseGenerator.floats(amplitude: 300, seed: 3)
    let other = NoiseGenerator.floats(amplitude: 60, seed: 4)
    let right = left.indices.map { 0.6 * left[$0] + other[$0] }
    #expect(Joined(left, right, layout, level: 0, isCoarse: false).joinedBands.isEmpty)
    // Two spectra without audible lines need no bits, either.
    #expect(Joined(left, left, layout, level: 30, isCoarse: false).joinedBands.isEmpty)
  }
}
