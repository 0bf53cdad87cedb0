/// An audio effect that processes a running stream in place.
///
///     var effect = CompressorEffect(settings, channelCount: 2, sampleRate: 48_000)
///     var span = samples.mutableSpan
///     effect.process(&span)
///     effect.settings.ratio = 4
///
/// The result depends neither on the division of the samples into blocks nor on the platform, and
/// processing allocates nothing. Settings can be changed at any time: they move to the new values
/// within 10 ms, so that nothing clicks. Values outside their range (see ``EffectRange``) are
/// clamped, and so are numbers of channels to 1…64 and rates to 1 Hz…3.072 MHz. Samples that are
/// NaN, infinite or beyond 2³⁰ become silence. An incomplete frame at the end is skipped.
///
/// The effects of this module have all members of the protocol. But AacornRecording, which builds
/// chains of effects, declares the conformances: a linked program contains every conformance of its
/// modules, even if it is unused.
public protocol AudioEffect: Sendable {
  /// The latency in frames.
  var latency: Int { get }
  /// Processes whole interleaved frames in place.
  mutating func process(_ samples: inout MutableSpan<Float>)
  /// Clears all stored audio; the settings are kept and apply immediately.
  mutating func reset()
}

extension Float {
  /// The sample, or silence if it is invalid.
  @inlinable @inline(__always)
  package var sanitized: Float { magnitude < 0x1p30 ? self : 0 }
}

extension SIMD4<Float> {
  /// The samples, with silence in place of invalid ones.
  @inline(__always)
  var sanitized: Lanes {
    Lanes.zero.replacing(with: self, where: magnitude .< Lanes(repeating: 0x1p30))
  }
}
