import AacornSignal

extension AACEncoder {
  /// Takes interleaved 16-bit samples, channel by channel in the order of a WAV file.
  ///
  /// Any number of samples may be passed at a time; a frame split across calls is joined again.
  public mutating func encode(interleaved samples: Span<Int16>) {
    if configuration.channelCount == 2, partialFrame.isEmpty, samples.count % 2 == 0, !isFinished {
      appendStereo(samples)
    } else {
      take(count: samples.count) { unsafe Float(samples[unchecked: $0]) }
    }
  }

  /// By far the most common input, four frames at a time.
  private mutating func appendStereo(_ samples: Span<Int16>) {
    let frames = samples.count / 2
    let left = queues[0].extend(by: frames)
    let right = queues[1].extend(by: frames)
    unsafe samples.withUnsafeBytes { bytes in
      unsafe queues.withUnsafeMutableBufferPointer { queues in
        guard let base = bytes.baseAddress else { return }
        unsafe SampleQueue.fillStereo(&queues[0], left, &queues[1], right, count: frames, base)
      }
    }
    sampleCount += frames
  }

  /// Takes interleaved samples of `significantBits` bits (16…32) in 32-bit integers.
  ///
  /// The low bits of the value count: 24-bit samples lie in −2²³…2²³−1.
  public mutating func encode(interleaved samples: Span<Int32>, significantBits: Int) {
    let scale = Self.scale(significantBits: significantBits)
    take(count: samples.count) { unsafe Self.bounded(Float(samples[unchecked: $0]) * scale) }
  }

  /// Takes interleaved samples from −1 to 1.
  ///
  /// Values beyond ±4 are clipped, and NaN becomes silence.
  public mutating func encode(interleaved samples: Span<Float>) {
    take(count: samples.count) { unsafe Self.sane(samples[unchecked: $0]) }
  }

  /// Takes one span of 16-bit samples for each channel, one channel after another in `samples`.
  public mutating func encode(planar samples: Span<Int16>) {
    takePlanar(count: samples.count) { unsafe Float(samples[unchecked: $0]) }
  }

  /// Takes samples of `significantBits` bits (16…32), one channel after another in `samples`.
  public mutating func encode(planar samples: Span<Int32>, significantBits: Int) {
    let scale = Self.scale(significantBits: significantBits)
    takePlanar(count: samples.count) {
      unsafe Self.bounded(Float(samples[unchecked: $0]) * scale)
    }
  }

  /// Takes samples from −1 to 1, one channel after another in `samples`.
  public mutating func encode(planar samples: Span<Float>) {
    takePlanar(count: samples.count) { unsafe Self.sane(samples[unchecked: $0]) }
  }

  /// Converts any Float to a valid sample in 16-bit scale.
  @inline(__always)
  private static func sane(_ sample: Float) -> Float {
    bounded(sample * 32_768)
  }

  /// Limits to four times full scale; a comparison with a NaN is false, so NaN becomes silence.
  @inline(__always)
  private static func bounded(_ sample: Float) -> Float {
    if sample >= -131_072 && sample <= 131_072 { return sample }
    return sample > 0 ? 131_072 : (sample < 0 ? -131_072 : 0)
  }

  /// The factor from `significantBits` bits to 16-bit scale.
  private static func scale(significantBits: Int) -> Float {
    precondition(significantBits >= 16 && significantBits <= 32, "Samples have 16 to 32 bits")
    return ElementaryFunctions.exp2(Float(16 - significantBits))
  }

  @inline(__always)
  private mutating func take(count: Int, _ sample: (Int) -> Float) {
    guard !isFinished, count > 0 else { return }
    let channelCount = configuration.channelCount
    if partialFrame.isEmpty && count % channelCount == 0 {
      append(frames: count / channelCount, stride: channelCount, step: 1, sample)
      return
    }
    // For chunks that end inside a frame: join the rest with what comes now.
    for index in 0..<count {
      partialFrame.append(sample(index))
      if partialFrame.count == channelCount {
        let frame = partialFrame
        append(frames: 1, stride: channelCount, step: 1) { frame[$0] }
        partialFrame.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Completes a frame for which only some channels have arrived.
  mutating func completeFrame() {
    while !partialFrame.isEmpty { take(count: 1) { _ in 0 } }
  }

  @inline(__always)
  private mutating func takePlanar(count: Int, _ sample: (Int) -> Float) {
    let channelCount = configuration.channelCount
    precondition(count % channelCount == 0, "Planar samples must come in equal parts")
    precondition(partialFrame.isEmpty, "A frame begun with interleaved samples is not complete")
    guard !isFinished, count > 0 else { return }
    append(frames: count / channelCount, stride: 1, step: count / channelCount, sample)
  }

  /// Queues frames whose sample for source channel c and time t is at c·step + t·stride.
  @inline(__always)
  private mutating func append(
    frames: Int, stride: Int, step: Int, _ sample: (Int) -> Float
  ) {
    for channel in 0..<queues.count {
      let source = sourceOrder[channel]
      let start = queues[channel].extend(by: frames)
      queues[channel].fill(from: start, count: frames) { sample(source * step + $0 * stride) }
    }
    sampleCount += frames
  }
}
