/// The limits of interleaved formats; values outside are clamped.
package enum SampleLimits {
  /// The maximum rate, in hertz; a header with a higher rate is damaged.
  package static var highestRate: Int { 3_072_000 }

  /// Returns the number of channels, clamped to 1…64.
  package static func channelCount(_ count: Int) -> Int {
    min(max(count, 1), PCMDescription.maxChannelCount)
  }

  /// Returns the rate, clamped to 1 Hz…3.072 MHz.
  package static func sampleRate(_ rate: Int) -> Int { min(max(rate, 1), highestRate) }

  /// Returns both values, clamped.
  static func nearest(_ channelCount: Int, _ sampleRate: Int) -> (Int, Int) {
    (Self.channelCount(channelCount), Self.sampleRate(sampleRate))
  }
}

extension Span<Float> {
  /// Returns the number of samples in whole frames, without an incomplete frame at the end.
  func wholeCount(_ channelCount: Int) -> Int { count - count % channelCount }
}

extension MutableSpan<Float> {
  /// Returns the number of samples in whole frames, without an incomplete frame at the end.
  func wholeCount(_ channelCount: Int) -> Int { count - count % channelCount }
}
