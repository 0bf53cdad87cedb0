@testable import AacornCodec

extension ScaleFactorBands {
  init(rateIndex: Int) {
    guard let frequency = SamplingFrequency(index: rateIndex) else {
      preconditionFailure("There is no sampling frequency of index \(rateIndex).")
    }
    self.init(frequency)
  }
}
