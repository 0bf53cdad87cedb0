import AacornSignal

extension AACEncoder {
  /// Appends interleaved samples, with the channels in the order of a WAV file.
  ///
  /// A call may pass any number of samples; a frame may be split across calls.
  public mutating func encode<Sample: PCMSample>(interleaved samples: Span<Sample>) {
    changeSource { Sample.appendSamples(samples, isPlanar: false, to: &$0) }
  }

  /// Appends interleaved samples, with the channels in the order of a WAV file.
  public mutating func encode<Sample: PCMSample>(interleaved samples: [Sample]) {
    encode(interleaved: samples.span)
  }

  /// Appends planar samples: the span contains one channel after another.
  ///
  /// The call is ignored unless each channel has the same number of samples; ``ignoredSampleCount``
  /// counts the ignored samples. Missing channels of a preceding partial interleaved frame are
  /// silent.
  public mutating func encode<Sample: PCMSample>(planar samples: Span<Sample>) {
    changeSource { Sample.appendSamples(samples, isPlanar: true, to: &$0) }
  }

  /// Appends an array of samples for each channel.
  ///
  /// Shorter and missing arrays are padded with silence; surplus arrays are ignored.
  @inlinable
  public mutating func encode<Sample: PCMSample>(planar channels: [[Sample]]) {
    let channelCount = configuration.channelCount
    var frameCount = 0
    for channel in channels { frameCount = max(frameCount, channel.count) }
    var samples = [Sample](repeating: 0, count: frameCount * channelCount)
    for channel in 0..<min(channelCount, channels.count) {
      for frame in 0..<channels[channel].count {
        samples[frame * channelCount + channel] = channels[channel][frame]
      }
    }
    encode(interleaved: samples)
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
}
