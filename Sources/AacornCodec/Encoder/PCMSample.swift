/// A sample type of an encoder's input: `Int16`, `Int32` or `Float`.
///
/// Integers use their full range: shift 24-bit samples in `Int32` left by 8 bits. Floating-point
/// samples are in −1…1; values beyond ±4 are clipped, and NaN becomes silence.
public protocol PCMSample: BitwiseCopyable, Numeric, Sendable {
  /// Appends samples to the input of an encoder; only the encoders call it.
  static func appendSamples(_ samples: Span<Self>, isPlanar: Bool, to input: inout SampleInput)
}

// The functions for single types need no specialization of their callers.

extension Int16: PCMSample {
  /// Appends samples to the input of an encoder.
  public static func appendSamples(
    _ samples: Span<Int16>, isPlanar: Bool, to input: inout SampleInput
  ) {
    input.append(samples, isPlanar: isPlanar)
  }
}

extension Int32: PCMSample {
  /// Appends samples to the input of an encoder.
  public static func appendSamples(
    _ samples: Span<Int32>, isPlanar: Bool, to input: inout SampleInput
  ) {
    input.append(samples, isPlanar: isPlanar)
  }
}

extension Float: PCMSample {
  /// Appends samples to the input of an encoder.
  public static func appendSamples(
    _ samples: Span<Float>, isPlanar: Bool, to input: inout SampleInput
  ) {
    input.append(samples, isPlanar: isPlanar)
  }
}
