import Testing

@testable import AacornCodec

/// Noise shaping and joint stereo, compared with a decoder.
@Suite struct SpectralToolsTests {
  static func layout(_ rateIndex: Int = 4, bandCount: Int = 49) -> BandLayout {
    var layout = BandLayout()
    let bands = ScaleFactorBands(rateIndex: rateIndex)
    layout.setWindow(
      WindowInfo(.onlyLong, bands: min(bandCount, bands.long.count - 1)), windowOffsets: bands.long)
    return layout
  }

  /// Returns the spectrum of a click: all lines are equal except for a slow rotation, which is
  /// predictable.
  static func clickSpectrum(position: Double, noise: Double, seed: UInt32) -> [Float] {
    var generator = NoiseGenerator(state: seed)
    var oscillator = Oscillator(hertz: position, rate: 2048, phase: 0.1)
    return (0..<1024).map { _ in
      Float(8000 * (oscillator.next() + noise * generator.next()))
    }
  }

  @Test(
    arguments: [(3, 0.1), (40, 0.01), (40, 0.5), (200, 0.1), (511, 0.01), (800, 0.5)],
    [false, true])
  func theDecodersFilterUndoesNoiseShaping(
    pulse: (position: Double, noise: Double), isDownward: Bool
  ) throws {
    let (position, noise) = pulse
    let original = Self.clickSpectrum(position: position, noise: noise, seed: 12)
    var autocorrelation = [Float](repeating: 0, count: NoiseShaping.maximumOrder + 1)
    for lag in autocorrelation.indices {
      for n in lag..<1024 { autocorrelation[lag] += original[n] * original[n - lag] }
    }
    var shaping = NoiseShaping()
    let gain = shaping.design(
      autocorrelation: autocorrelation, minimumGain: 1.01, length: 30, isDownward: isDownward)
    #expect(gain > 1.01)
    #expect(shaping.filters.map(\.isDownward) == [isDownward])
    #expect(shaping.isActive)
    #expect((1...NoiseShaping.maximumOrder).contains(shaping.coefficients.count))
    #expect(shaping.coefficients.allSatisfy { (-8...7).contains($0) })
    let range = 100..<700
    var lines = original
    shaping.filter(&lines, range: range)
    #expect(Array(lines[..<100]) == Array(original[..<100]))
    #expect(Array(lines[700...]) == Array(original[700...]))
    let energy = { (x: [Float]) in x[range].reduce(Float(0)) { $0 + $1 * $1 } }
    #expect(energy(lines) < energy(original))
    // y[n] = x[n] − Σ a[i]·y[n∓i], as in 4.6.9.
    let prediction = ReferenceSpectrum.predictionCoefficients(
      shaping.coefficients.map(Int.init), resolution: 4)
    var restored = lines.map(Double.init)
    for n in isDownward ? Array(range.reversed()) : Array(range) {
      for i in 1..<prediction.count {
        let source = isDownward ? n + i : n - i
        if range.contains(source) { restored[n] -= prediction[i] * restored[source] }
      }
    }
    for n in range { #expect(abs(restored[n] - Double(original[n])) < 8) }
  }

  @Test func unpredictableSpectrumIsUnchanged() {
    var shaping = NoiseShaping()
    let white = [Float(1000)] + [Float](repeating: 1, count: NoiseShaping.maximumOrder)
    #expect(
      shaping.design(autocorrelation: white, minimumGain: 1.4, length: 30, isDownward: true) == 0)
    #expect(!shaping.isActive)
    let silent = [Float](repeating: 0, count: NoiseShaping.maximumOrder + 1)
    #expect(
      shaping.design(autocorrelation: silent, minimumGain: 1.4, length: 30, isDownward: true) == 0)
    #expect(!shaping.isActive)
  }

  static func pair(_ left: [Float], _ right: [Float], threshold: Float) -> [ChannelFrame] {
    [left, right].map { lines in
      var frame = ChannelFrame()
      for n in lines.indices { frame.lines[n] = lines[n] }
      for band in 0..<BandLayout.maximumBandCount {
        frame.threshold[band] = threshold
        frame.codebooks[band] = Codebook.smallest
      }
      return frame
    }
  }

  /// The sums do not depend on an earlier layout, and the number of bands may be any number.
  @Test(arguments: [1, 2, 3, 48, 49])
  func sumsOfPairsCoverTheirBands(bandCount: Int) {
    let layout = Self.layout(bandCount: bandCount)
    let left = NoiseGenerator.floats(amplitude: 900, seed: 8)
    let right = NoiseGenerator.floats(amplitude: 300, seed: 9)
    var sums = PairSums()
    sums.measure(right, left, layout: Self.layout())
    sums.measure(left, right, layout: layout)
    for band in 0..<bandCount {
      let lines = layout.offsets[band]..<layout.offsets[band + 1]
      let (found, lane) = (sums[band / 4 * 4], band % 4)
      func expect(_ value: Float, _ a: [Float], _ b: [Float]) {
        let sum = lines.reduce(0.0) { $0 + Double(a[$1]) * Double(b[$1]) }
        #expect(abs(Double(value) - sum) < 1e-6 * 900 * 900 * Double(lines.count))
      }
      expect(found.left[lane], left, left)
      expect(found.right[lane], right, right)
      expect(found.cross[lane], left, right)
    }
  }

  @Test func similarChannelsAreJoinedAndRestored() {
    let layout = Self.layout()
    let left = Self.clickSpectrum(position: 77, noise: 0.1, seed: 1)
    let right = left.map { $0 * 0.9 }
    var frames = Self.pair(left, right, threshold: 1000)
    var (one, other) = (frames[0], frames[1])
    var sums = PairSums()
    sums.measure(one.lines, other.lines, layout: layout)
    var midSide = MidSide()
    midSide.apply(&one, &other, layout: layout, sums: sums)
    frames = [one, other]
    #expect(midSide.bandCount == layout.bandCount)
    for n in 0..<layout.lineCount {
      #expect(abs(frames[0].lines[n] - (left[n] + right[n]) / 2) < 0.01)
      #expect(abs(frames[1].lines[n] - (left[n] - right[n]) / 2) < 0.01)
    }
    for band in 0..<layout.bandCount {
      #expect(midSide.flags[band])
      #expect(frames[0].threshold[band] == frames[1].threshold[band])
      // Each output channel contains the noise of both M and S.
      #expect(frames[0].threshold[band] <= 500)
    }
  }

  @Test func dissimilarChannelsStaySeparate() {
    let layout = Self.layout()
    let left = Self.clickSpectrum(position: 77, noise: 0, seed: 1)
    let right = [Float](repeating: 0, count: 1024)
    let frames = Self.pair(left, right, threshold: 1000)
    var (one, other) = (frames[0], frames[1])
    var sums = PairSums()
    sums.measure(one.lines, other.lines, layout: layout)
    var midSide = MidSide()
    midSide.apply(&one, &other, layout: layout, sums: sums)
    #expect(midSide.bandCount == 0)
    #expect(one.lines == frames[0].lines)
    #expect(other.lines == frames[1].lines)
    #expect(!midSide.flags.contains(true))
  }
}
