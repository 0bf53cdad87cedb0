@testable import AacornCodec

extension ScaleFactorBands {
  /// Creates the bands of one of the thirteen sampling frequency indices.
  init(rateIndex: Int) {
    guard let frequency = SamplingFrequency(index: rateIndex) else {
      preconditionFailure("There is no sampling frequency of index \(rateIndex).")
    }
    self.init(frequency)
  }
}
