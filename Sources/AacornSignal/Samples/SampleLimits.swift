/// The limits of interleaved formats; values outside are clamped.
package enum SampleLimits {
  /// The maximum number of channels.
  package static var maxChannelCount: Int { 64 }
  /// The maximum rate, in hertz; a header with a higher rate is damaged.
  package static var highestRate: Int { 3_072_000 }

  /// Returns the number of channels, clamped to 1…64.
  package static func channelCount(_ count: Int) -> Int {
    min(max(count, 1), maxChannelCount)
  }

  /// Returns the rate, clamped to 1 Hz…3.072 MHz.
  package static func sampleRate(_ rate: Int) -> Int { min(max(rate, 1), highestRate) }

  /// Returns the layout if it has `channelCount` channels, else the standard layout.
  package static func layout(_ layout: ChannelLayout?, _ channelCount: Int) -> ChannelLayout? {
    layout?.speakers.count == channelCount ? layout : .standard(channelCount: channelCount)
  }

  /// Returns both values, clamped.
  package static func nearest(_ channelCount: Int, _ sampleRate: Int) -> (Int, Int) {
    (Self.channelCount(channelCount), Self.sampleRate(sampleRate))
  }
}
