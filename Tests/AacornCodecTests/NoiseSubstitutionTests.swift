import Foundation
import Testing

@testable import AacornCodec

/// The selection of noise bands, and their level in a decoder (ISO/IEC 14496-3, 4.6.13.3).
@Suite struct NoiseSubstitutionTests {
  /// A layout at 44.1 kHz with its psychoacoustic model.
  struct Setting {
    var layout = BandLayout()
    let model: MaskingModel
    let hertzPerLine: Float

    init(groups: [UInt8]? = nil) {
      let bands = ScaleFactorBands(rateIndex: 4)
      if let groups {
        layout.setWindow(
          WindowInfo(.eightShort, bands: bands.short.count - 1, groups: groups),
          windowOffsets: bands.short)
        hertzPerLine = 44_100 / 256
      } else {
        layout.setWindow(
          WindowInfo(.onlyLong, bands: bands.long.count - 1), windowOffsets: bands.long)
        hertzPerLine = 44_100 / 2048
      }
      model = MaskingModel(
        offsets: layout.windowOffsets, lineCount: groups == nil ? 1024 : 128, sampleRate: 44_100)
    }

    /// The bands that may be noise: entirely above 4 kHz, with at least eight lines.
    var candidates: [Int] {
      (0..<layout.bandCount).filter {
        Float(layout.windowOffsets[$0 % layout.window.bandsPerGroup]) * hertzPerLine > 4000
          && layout.widths[$0] >= 8
      }
    }

    func energy(_ lines: [Float], _ band: Int) -> Double {
      lines[layout.offsets[band]..<layout.offsets[band + 1]]
        .reduce(0) { $0 + Double($1) * Double($1) }
    }

    /// Returns an analyzed channel with thresholds at a share of each band's energy.
    func frame(_ lines: [Float], thresholdShare: Double) -> ChannelFrame {
      var frame = ChannelFrame()
      frame.lines = lines
      frame.applyMaskingModel(layout, model, levelExponent: 0)
      for band in 0..<layout.bandCount {
        frame.threshold[band] = Float(energy(lines, band) * thresholdShare)
      }
      return frame
    }

    func marked(_ frame: ChannelFrame, level: Float = 0) -> ChannelFrame {
      var frame = frame
      NoiseSubstitution.mark(&frame, layout, level: level, hertzPerLine: hertzPerLine)
      return frame
    }

    func noiseBands(_ frame: ChannelFrame) -> [Int] {
      (0..<layout.bandCount).filter { frame.codebooks[$0] == Codebook.noise }
    }

    /// Expects that a decoder's noise has the energy of the lines.
    func expectEnergies(of lines: [Float], _ frame: ChannelFrame) {
      for band in noiseBands(frame) {
        let windows = Double(layout.window.groupLengths[band / layout.window.bandsPerGroup])
        // A decoder scales each window's lines to the energy 2^(value/2).
        let decoded = windows * pow(2, Double(frame.scaleFactors[band]) / 2)
        #expect(abs(log2(decoded / energy(lines, band))) < 0.251, "band \(band)")
      }
    }
  }

  @Test(arguments: [nil, [8], [3, 5], [1, 2, 1, 4]], [4.0, 700, 300_000])
  func aBandOfNoiseKeepsItsEnergy(groups: [UInt8]?, amplitude: Double) {
    let setting = Setting(groups: groups)
    let lines = NoiseGenerator.floats(amplitude: amplitude, seed: 6)
    let frame = setting.marked(setting.frame(lines, thresholdShare: 1))
    let bands = setting.noiseBands(frame)
    // A narrow band of noise sometimes looks tonal, so 80 % of the candidates are enough.
    #expect(bands.allSatisfy(setting.candidates.contains))
    #expect(bands.count * 10 >= setting.candidates.count * 8 && bands.count > 5)
    setting.expectEnergies(of: lines, frame)
    #expect(frame.lines == lines)
  }

  @Test(arguments: [nil, [8], [3, 5]])
  func noiseSubstitutionSkipsTones(groups: [UInt8]?) {
    let setting = Setting(groups: groups)
    var lines = NoiseGenerator.floats(amplitude: 3, seed: 6)
    for band in 0..<setting.layout.bandCount { lines[setting.layout.offsets[band]] = 5000 }
    let frame = setting.frame(lines, thresholdShare: 1)
    #expect(setting.noiseBands(setting.marked(frame)).isEmpty)
  }

  /// A band whose energy exceeds its coding noise by more than a factor of 2.8 is coded.
  @Test(arguments: [-3, 0, 2.5] as [Float])
  func noiseSubstitutionSkipsWellCodedBands(level: Float) {
    let setting = Setting()
    let border = 1 / (2.8 * pow(2, Double(level)))
    let lines = NoiseGenerator.floats(amplitude: 900, seed: 6)
    let poor = setting.frame(lines, thresholdShare: border * 1.01)
    #expect(setting.noiseBands(setting.marked(poor, level: level)) == setting.candidates)
    let good = setting.frame(lines, thresholdShare: border * 0.99)
    #expect(setting.noiseBands(setting.marked(good, level: level)).isEmpty)
  }

  @Test func noiseSubstitutionSkipsSilence() {
    let setting = Setting()
    for lines in [
      [Float](repeating: 0, count: 1024), NoiseGenerator.floats(amplitude: 0.01, seed: 6),
    ] {
      var frame = setting.frame(lines, thresholdShare: 1)
      for band in 0..<setting.layout.bandCount { frame.threshold[band] = 1e9 }
      #expect(setting.noiseBands(setting.marked(frame)).isEmpty)
    }
  }

  @Test func bandsWithOtherCodingAreUnchanged() {
    let setting = Setting()
    var frame = setting.frame(NoiseGenerator.floats(amplitude: 900, seed: 6), thresholdShare: 1)
    let taken = Array(setting.candidates.suffix(3))
    for (band, book) in zip(taken, Codebook.withoutLines) {
      frame.codebooks[band] = book
      frame.scaleFactors[band] = 7
    }
    let marked = setting.marked(frame)
    for (band, book) in zip(taken, Codebook.withoutLines) {
      #expect(marked.codebooks[band] == book && marked.scaleFactors[band] == 7)
    }
    #expect(setting.noiseBands(marked).count == setting.candidates.count - 2)
  }

  /// Adjacent energies may differ by at most 60, also between groups.
  ///
  /// A band whose energy differs by more is coded.
  @Test(arguments: [nil, [2, 2, 2, 2]])
  func onlyEnergiesThatCanBeSentAreUsed(groups: [UInt8]?) {
    let setting = Setting(groups: groups)
    var lines = NoiseGenerator.floats(amplitude: 3, seed: 6)
    // Runs of bands, because a loud neighbor makes a band look tonal.
    for band in 0..<setting.layout.bandCount where band / 5 % 2 == 0 {
      for line in setting.layout.offsets[band]..<setting.layout.offsets[band + 1] {
        lines[line] *= 1e8
      }
    }
    let frame = setting.marked(setting.frame(lines, thresholdShare: 1))
    let bands = setting.noiseBands(frame)
    #expect(bands.count > 2 && bands.count < setting.candidates.count)
    let values = bands.map { Int(frame.scaleFactors[$0]) }
    #expect(zip(values, values.dropFirst()).allSatisfy { abs($0 - $1) <= 60 }, "\(values)")
    setting.expectEnergies(of: lines, frame)
  }
}
