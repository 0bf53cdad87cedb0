import AacornSignal

extension AACEncoder {
  /// Appends interleaved 16-bit samples, with the channels in the order of a WAV file.
  ///
  /// A call may pass any number of samples; a frame may be split across calls.
  public mutating func encode(interleaved samples: Span<Int16>) {
    changeSource { $0.append(samples, isPlanar: false) }
  }

  /// Appends interleaved samples of `significantBits` bits in 32-bit integers.
  ///
  /// The bit depth is clamped to 16…32. The low bits hold the sample: 24-bit samples are in
  /// −2²³…2²³−1.
  public mutating func encode(interleaved samples: Span<Int32>, significantBits: Int) {
    changeSource { $0.append(samples, significantBits: significantBits, isPlanar: false) }
  }

  /// Appends interleaved samples in −1…1.
  ///
  /// Values beyond ±4 are clipped, and NaN becomes silence.
  public mutating func encode(interleaved samples: Span<Float>) {
    changeSource { $0.append(samples, isPlanar: false) }
  }

  /// Appends planar 16-bit samples: the span contains one channel after another.
  ///
  /// The call is ignored unless each channel has the same number of samples; ``ignoredSampleCount``
  /// counts the ignored samples. Missing channels of a preceding partial interleaved frame are
  /// silent.
  public mutating func encode(planar samples: Span<Int16>) {
    changeSource { $0.append(samples, isPlanar: true) }
  }

  /// Appends planar samples of `significantBits` bits (16…32).
  ///
  /// As with 16-bit samples, each channel must have the same number of samples.
  public mutating func encode(planar samples: Span<Int32>, significantBits: Int) {
    changeSource { $0.append(samples, significantBits: significantBits, isPlanar: true) }
  }

  /// Appends planar samples in −1…1.
  ///
  /// As with 16-bit samples, each channel must have the same number of samples.
  public mutating func encode(planar samples: Span<Float>) {
    changeSource { $0.append(samples, isPlanar: true) }
  }

  /// Changes the input queue of the source.
  ///
  /// In AAC-LC that is the core's queue, otherwise the queue of `SBREncoder`.
  ///
  /// This is a function because an accessor that yields one of the two queues would be a coroutine
  /// with its frame on the heap.
  @inline(__always)
  mutating func changeSource(_ change: (inout SampleInput) -> Void) {
    if replication.isEmpty { change(&input) } else { change(&replication[0].input) }
  }

  /// Reads a property of the source's input queue.
  @inline(__always)
  func readSource<Value>(_ read: (SampleInput) -> Value) -> Value {
    if replication.isEmpty { read(input) } else { read(replication[0].input) }
  }

  /// Appends interleaved 16-bit samples, with the channels in the order of a WAV file.
  public mutating func encode(interleaved samples: [Int16]) {
    encode(interleaved: samples.span)
  }

  /// Appends interleaved samples in −1…1.
  public mutating func encode(interleaved samples: [Float]) {
    encode(interleaved: samples.span)
  }

  /// Appends an array of 16-bit samples for each channel.
  ///
  /// Shorter and missing arrays are padded with silence; surplus arrays are ignored.
  public mutating func encode(planar channels: [[Int16]]) {
    encode(interleaved: Self.interleaved(channels, channelCount: configuration.channelCount).span)
  }

  /// Appends an array of samples in −1…1 for each channel.
  ///
  /// Shorter and missing arrays are padded with silence; surplus arrays are ignored.
  public mutating func encode(planar channels: [[Float]]) {
    encode(interleaved: Self.interleaved(channels, channelCount: configuration.channelCount).span)
  }

  private static func interleaved<Sample: Numeric>(
    _ channels: [[Sample]], channelCount: Int
  ) -> [Sample] {
    var frameCount = 0
    for channel in channels { frameCount = max(frameCount, channel.count) }
    var samples = [Sample](repeating: 0, count: frameCount * channelCount)
    for channel in 0..<min(channelCount, channels.count) {
      for frame in 0..<channels[channel].count {
        samples[frame * channelCount + channel] = channels[channel][frame]
      }
    }
    return samples
  }
}
