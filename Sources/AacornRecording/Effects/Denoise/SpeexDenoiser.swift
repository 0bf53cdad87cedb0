#if os(Linux)
import AacornSignal
import CAacornSpeexDSP

/// libspeexdsp's noise reduction of one channel.
@safe
final class SpeexDenoiser: @unchecked Sendable {
  // Unchecked because of the pointer. An effect uses a state only if no other effect owns it.

  private let state: OpaquePointer
  /// Samples of a block, rounded to the nearest integers and clipped at full scale.
  private var samples: [Int16]

  /// Creates a state for blocks of `length` samples; nil if there is no memory, or no library.
  init?(length: Int, sampleRate: Int) {
    guard let functions = unsafe aacorn_speexdsp(),
      let state = unsafe aacorn_speexdsp_denoiser_make(functions, Int32(length), Int32(sampleRate))
    else { return nil }
    samples = [Int16](repeating: 0, count: length)
    unsafe self.state = unsafe state
  }

  deinit { unsafe aacorn_speexdsp_denoiser_destroy(state) }

  /// Sets the noise reduction in decibels for the next blocks.
  func setDepth(_ depth: Double) {
    unsafe aacorn_speexdsp_denoiser_set_depth(state, Int32(depth.rounded()))
  }

  func process(_ blocks: inout SoundBlocks, channel: Int) {
    Self.fill(&samples, from: blocks, channel)
    unsafe aacorn_speexdsp_denoiser_run(state, &samples)
    Self.store(samples, to: &blocks, channel)
  }

  /// Converts a channel of a block to integers.
  static func fill(_ samples: inout [Int16], from blocks: SoundBlocks, _ channel: Int) {
    // The samples are a parameter: each access to a property of a class has an exclusivity check.
    var offset = channel
    for index in samples.indices {
      samples[index] = SampleConversion.int16(blocks.incoming[offset])
      offset += blocks.channelCount
    }
  }

  private static func store(_ samples: [Int16], to blocks: inout SoundBlocks, _ channel: Int) {
    var offset = channel
    for sample in samples {
      blocks.outgoing[offset] = Float(sample) * 0x1p-15
      offset += blocks.channelCount
    }
  }

  /// The reason why no state can be created.
  static var error: EffectError {
    guard unsafe aacorn_speexdsp() == nil else {
      return EffectError(
        "There is no memory for the effect denoise.", "Close other programs.", kind: .missing)
    }
    return error(for: .ofSystem)
  }

  /// Returns the error for a library that cannot be used.
  static func error(for unavailable: SpeexUnavailable) -> EffectError {
    EffectError(
      SpeexUnavailable.problem("The effect denoise is not available", reason: unavailable.reason),
      SpeexUnavailable.installHint(), kind: .missing)
  }
}
#endif
