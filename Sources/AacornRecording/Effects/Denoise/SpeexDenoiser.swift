#if os(Linux)
import AacornSystem
import CAacornSpeexDSP

/// libspeexdsp's state for the noise of a channel.
@safe
final class SpeexDenoiser: @unchecked Sendable {
  // Unchecked because of the pointer. An effect uses it only while nobody else has it.

  private let state: OpaquePointer
  /// Samples of a block, from −32768 to 32767.
  private var samples: [Int16]

  /// A state for blocks of so many samples; nil if there is no memory, or no library.
  init?(length: Int, sampleRate: Int) {
    guard let functions = unsafe aacorn_speexdsp(),
      let state = unsafe aacorn_speexdsp_denoiser_make(functions, Int32(length), Int32(sampleRate))
    else { return nil }
    samples = [Int16](repeating: 0, count: length)
    unsafe self.state = unsafe state
  }

  deinit { unsafe aacorn_speexdsp_denoiser_destroy(state) }

  /// By how many decibels noise is lowered from here on.
  func setDepth(_ depth: Double) {
    unsafe aacorn_speexdsp_denoiser_set_depth(state, Int32(depth.rounded()))
  }

  /// Works on a channel of a full block.
  func process(_ blocks: inout SoundBlocks, channel: Int) {
    Self.fill(&samples, from: blocks, channel)
    unsafe aacorn_speexdsp_denoiser_run(state, &samples)
    Self.give(samples, to: &blocks, channel)
  }

  // Access to a class's property is checked each time; to a parameter it is not.
  private static func fill(_ samples: inout [Int16], from blocks: SoundBlocks, _ channel: Int) {
    var place = channel
    for index in samples.indices {
      // What is louder than full scale is cut.
      let sample = (blocks.incoming[place] * 32_768).rounded()
      samples[index] = Int16(max(-32_768, min(sample, 32_767)))
      place += blocks.channelCount
    }
  }

  private static func give(_ samples: [Int16], to blocks: inout SoundBlocks, _ channel: Int) {
    var place = channel
    for sample in samples {
      blocks.outgoing[place] = Float(sample) * 0x1p-15
      place += blocks.channelCount
    }
  }

  /// Why there is no state.
  static var error: EffectError {
    guard unsafe aacorn_speexdsp() == nil else {
      return EffectError("There is no memory for the effect denoise.", "Close other programs.")
    }
    return error(
      isMissing: aacorn_speexdsp_result() == AACORN_SPEEXDSP_NO_LIBRARY,
      reason: unsafe String(cString: aacorn_speexdsp_reason()))
  }

  /// Why the library is not used.
  static func error(isMissing: Bool, reason: String) -> EffectError {
    let library = "libspeexdsp.so.1"
    if isMissing && reason.hasSuffix("No such file or directory") {
      return EffectError(
        "The effect denoise needs the library \(library), which is not installed.",
        "On Debian it is in the package libspeexdsp1.")
    }
    return EffectError(
      "The library of the effect denoise, \(library), cannot be used (\(displayed(reason))).",
      "On Debian it is in the package libspeexdsp1.")
  }
}
#endif
