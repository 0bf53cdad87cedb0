// Overloads for arrays and pointers: on Apple's systems before version 26, apps cannot use
// `Array.span`.

extension LevelMeter {
  /// Measures interleaved samples.
  public mutating func process(_ samples: [Float]) {
    process(samples.span)
  }

  /// Measures interleaved samples in memory that stays valid and unchanged during the call.
  public mutating func process(_ samples: UnsafeBufferPointer<Float>) {
    unsafe process(samples.span)
  }
}

extension LoudnessMeter {
  /// Measures interleaved samples.
  public mutating func process(_ samples: [Float]) {
    process(samples.span)
  }

  /// Measures interleaved samples in memory that stays valid and unchanged during the call.
  public mutating func process(_ samples: UnsafeBufferPointer<Float>) {
    unsafe process(samples.span)
  }
}

extension SilenceMeter {
  /// Measures interleaved samples.
  public mutating func process(_ samples: [Float]) {
    process(samples.span)
  }

  /// Measures interleaved samples in memory that stays valid and unchanged during the call.
  public mutating func process(_ samples: UnsafeBufferPointer<Float>) {
    unsafe process(samples.span)
  }
}

extension AudioMeter {
  /// Measures interleaved samples.
  public mutating func process(_ samples: [Float]) {
    process(samples.span)
  }

  /// Measures interleaved samples in memory that stays valid and unchanged during the call.
  public mutating func process(_ samples: UnsafeBufferPointer<Float>) {
    unsafe process(samples.span)
  }
}

extension TruePeakMeter {
  /// Measures interleaved samples.
  public mutating func process(_ samples: [Float]) {
    process(samples.span)
  }

  /// Measures interleaved samples in memory that stays valid and unchanged during the call.
  public mutating func process(_ samples: UnsafeBufferPointer<Float>) {
    unsafe process(samples.span)
  }
}
