/// Changes sound in place, while it runs.
///
///     var effect = CompressorEffect(settings, channelCount: 2, sampleRate: 48_000)
///     var span = samples.mutableSpan
///     effect.process(&span)
///     effect.settings.ratio = 4
///
/// The result depends neither on how the samples were cut into blocks nor on the platform, and
/// processing allocates nothing. Settings can be changed at any time: they move to the new values
/// within 10 ms, so that nothing clicks. Values outside their range (see ``EffectRange``) count as
/// the nearest ones, and so do numbers of channels beyond 1 to 64 and rates beyond 1 Hz to 3.072 MHz. Samples
/// that are no numbers, or beyond 2³⁰, become silence. An incomplete frame at the end is no part of the
/// sound: it is passed over.
///
/// The effects of this module have what it takes, but that they conform is said where chains are made:
/// what conforms stays in every program that is linked with it, used or not.
public protocol SoundEffect: Sendable {
  /// How many frames later the sound comes out.
  var latency: Int { get }
  /// Changes whole interleaved frames.
  mutating func process(_ samples: inout MutableSpan<Float>)
  /// Forgets all sound; the settings are kept, and reached at once.
  mutating func reset()
}

extension Float {
  /// The sample, or silence in place of what is none.
  @inlinable @inline(__always)
  package var heard: Float { magnitude < 0x1p30 ? self : 0 }
}

extension SIMD4<Float> {
  /// The samples, or silence in place of those that are none.
  @inline(__always)
  var heard: Lanes {
    Lanes.zero.replacing(with: self, where: magnitude .< Lanes(repeating: 0x1p30))
  }
}
