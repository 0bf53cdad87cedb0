extension AACEncoder {
  /// Takes interleaved 16-bit samples, channel by channel in the order of a WAV file.
  ///
  /// Any number of samples may be passed at a time; a frame split across calls is joined again.
  public mutating func encode(interleaved samples: Span<Int16>) {
    source.append(interleaved: samples)
  }

  /// Takes interleaved samples of `significantBits` bits (16…32) in 32-bit integers.
  ///
  /// The low bits of the value count: 24-bit samples lie in −2²³…2²³−1.
  public mutating func encode(interleaved samples: Span<Int32>, significantBits: Int) {
    source.append(interleaved: samples, significantBits: significantBits)
  }

  /// Takes interleaved samples from −1 to 1.
  ///
  /// Values beyond ±4 are clipped, and NaN becomes silence.
  public mutating func encode(interleaved samples: Span<Float>) {
    source.append(interleaved: samples)
  }

  /// Takes one span of 16-bit samples for each channel, one channel after another in `samples`.
  public mutating func encode(planar samples: Span<Int16>) {
    source.append(planar: samples)
  }

  /// Takes samples of `significantBits` bits (16…32), one channel after another in `samples`.
  public mutating func encode(planar samples: Span<Int32>, significantBits: Int) {
    source.append(planar: samples, significantBits: significantBits)
  }

  /// Takes samples from −1 to 1, one channel after another in `samples`.
  public mutating func encode(planar samples: Span<Float>) {
    source.append(planar: samples)
  }

  /// Where samples come in: the core's own, or those that it gets half as many of.
  var source: SampleInput {
    @inline(__always) _read {
      if replication.isEmpty { yield input } else { yield replication[0].sound }
    }
    @inline(__always) _modify {
      if replication.isEmpty { yield &input } else { yield &replication[0].sound }
    }
  }
}
