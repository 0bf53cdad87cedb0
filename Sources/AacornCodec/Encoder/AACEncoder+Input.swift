extension AACEncoder {
  /// Takes interleaved 16-bit samples, channel by channel in the order of a WAV file.
  ///
  /// Any number of samples may be passed at a time; a frame split across calls is joined again.
  public mutating func encode(interleaved samples: Span<Int16>) {
    changeSource { $0.append(interleaved: samples) }
  }

  /// Takes interleaved samples of `significantBits` bits in 32-bit integers; other numbers than 16…32 count as
  /// the nearest one.
  ///
  /// The low bits of the value count: 24-bit samples lie in −2²³…2²³−1.
  public mutating func encode(interleaved samples: Span<Int32>, significantBits: Int) {
    changeSource { $0.append(interleaved: samples, significantBits: significantBits) }
  }

  /// Takes interleaved samples from −1 to 1.
  ///
  /// Values beyond ±4 are clipped, and NaN becomes silence.
  public mutating func encode(interleaved samples: Span<Float>) {
    changeSource { $0.append(interleaved: samples) }
  }

  /// Takes one span of 16-bit samples for each channel, one channel after another in `samples`.
  ///
  /// They are ignored unless they are as many for each channel; ``ignoredSampleCount`` counts them. Channels
  /// that are missing of an interleaved frame before them are silent.
  public mutating func encode(planar samples: Span<Int16>) {
    changeSource { $0.append(planar: samples) }
  }

  /// Takes samples of `significantBits` bits (16…32), one channel after another in `samples`.
  ///
  /// As with 16-bit samples, they must be as many for each channel.
  public mutating func encode(planar samples: Span<Int32>, significantBits: Int) {
    changeSource { $0.append(planar: samples, significantBits: significantBits) }
  }

  /// Takes samples from −1 to 1, one channel after another in `samples`.
  ///
  /// As with 16-bit samples, they must be as many for each channel.
  public mutating func encode(planar samples: Span<Float>) {
    changeSource { $0.append(planar: samples) }
  }

  /// Changes where samples come in: the core's own input, or that of which it gets half as many.
  ///
  /// An accessor that yields either of the two would keep its frame on the heap.
  @inline(__always)
  mutating func changeSource(_ change: (inout SampleInput) -> Void) {
    if replication.isEmpty { change(&input) } else { change(&replication[0].sound) }
  }

  /// Reads something of it.
  @inline(__always)
  func ofSource<Value>(_ read: (SampleInput) -> Value) -> Value {
    if replication.isEmpty { read(input) } else { read(replication[0].sound) }
  }
}
