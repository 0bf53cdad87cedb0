/// What interleaved samples can be; numbers outside of it count as the nearest ones.
package enum SampleLimits {
  /// The highest rate, in hertz; above it a header is broken.
  package static var highestRate: Int { 3_072_000 }

  /// The nearest number of channels: 1 to 64.
  package static func channelCount(_ count: Int) -> Int {
    min(max(count, 1), PCMDescription.mostChannels)
  }

  /// The nearest rate: 1 Hz to 3.072 MHz.
  package static func sampleRate(_ rate: Int) -> Int { min(max(rate, 1), highestRate) }

  /// Both.
  static func nearest(_ channelCount: Int, _ sampleRate: Int) -> (Int, Int) {
    (Self.channelCount(channelCount), Self.sampleRate(sampleRate))
  }
}

extension Span<Float> {
  /// How many samples the whole frames have; an incomplete frame at the end is left out.
  func wholeCount(_ channelCount: Int) -> Int { count - count % channelCount }
}

extension MutableSpan<Float> {
  /// How many samples the whole frames have; an incomplete frame at the end is left out.
  func wholeCount(_ channelCount: Int) -> Int { count - count % channelCount }
}
