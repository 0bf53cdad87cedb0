import Foundation

/// The level of the noise in a copy relative to the masking threshold of the original, after ITU-R
/// BS.1387, 4.5.1.
///
/// The result is the mean over all frames in dB; lower is better. The ear is insensitive to phase,
/// so the noise is the difference of the magnitudes of the two spectra.
package struct NoiseToMask: Sendable {
  /// The lower limit for the noise of a frame, in dB.
  ///
  /// A frame of digital silence has no noise: −∞ dB, which would outweigh all other frames.
  package static let lowest = -40.0

  private struct Frame: Sendable {
    var spectrum: [Double]
    var threshold: [Double]
    var isAudible: Bool
  }

  private let model: EarModel
  /// The frames of every channel.
  private let original: [[Frame]]

  /// Creates a measure for copies of a sound.
  package init(original sound: Sound) {
    let model = EarModel(rate: sound.rate)
    self.model = model
    original = sound.channels.map { samples in
      let spectra = Self.frames(of: samples).map { model.spectrum(of: $0) }
      let energies = spectra.map { model.energies(of: $0) }
      return zip(zip(spectra, energies), model.thresholds(of: energies)).map {
        Frame(spectrum: $0.0, threshold: $1, isAudible: model.perceives($0.1))
      }
    }
  }

  /// The noise in an aligned copy of equal length, in dB.
  package func decibels(of copy: [[Float]]) -> Double {
    precondition(copy.count == original.count)
    let frames = copy.map(Self.frames)
    var (sum, count) = (0.0, 0)
    for index in original[0].indices {
      var ratio = 0.0
      var isAudible = false
      for channel in original.indices {
        let frame = original[channel][index]
        let spectrum = model.spectrum(of: frames[channel][index])
        let differences = zip(frame.spectrum, spectrum).map {
          pow($0.squareRoot() - $1.squareRoot(), 2)
        }
        let ratios = zip(model.energies(of: differences), frame.threshold).map { $0 / $1 }
        ratio += ratios.reduce(0, +) / Double(ratios.count * original.count)
        isAudible = isAudible || frame.isAudible || model.perceives(model.energies(of: spectrum))
      }
      if isAudible {
        sum += max(Self.lowest, 10 * log10(ratio))
        count += 1
      }
    }
    return count == 0 ? Self.lowest : sum / Double(count)
  }

  /// Frames that overlap by half.
  ///
  /// The last frame is padded with silence.
  private static func frames(of samples: [Float]) -> [ArraySlice<Float>] {
    let (length, hop) = (EarModel.frameLength, EarModel.frameLength / 2)
    let count = max(1, (samples.count - length + 2 * hop - 1) / hop)
    let missing = max(0, (count - 1) * hop + length - samples.count)
    let whole = samples + [Float](repeating: 0, count: missing)
    return (0..<count).map { whole[$0 * hop..<$0 * hop + length] }
  }
}
