import AacornCodec
import AacornSignal

/// Converts audio whose rate or channels may change to one format.
///
///     frames ─► mix or route ─► resample ─► frames of the one format
struct SoundConformer {
  /// The rate, channels and loudspeakers of interleaved frames.
  struct Format: Equatable {
    var sampleRate: Int
    var channelCount: Int
    var layout: ChannelLayout?

    /// The loudspeakers, or those assumed for this number of channels.
    var assumedLayout: ChannelLayout? { layout ?? .standard(channelCount: channelCount) }
  }

  let output: Format
  private var input: Format
  private var mixer: ChannelMixer?
  private var resampler: Resampler?
  private var mixed: [Float] = []

  /// Creates a conformer for audio that begins with the format `input`; nil keeps its rate or
  /// channels.
  init(
    from input: Format, sampleRate: Int?, channelCount: Int?,
    mixdown: ProgramConfig.MatrixMixdown?
  ) throws(AudioConversion.Failure) {
    self.input = input
    let count = channelCount ?? input.channelCount
    output = Format(
      sampleRate: sampleRate ?? input.sampleRate, channelCount: count,
      layout: count == input.channelCount ? input.layout : .standard(channelCount: count))
    if count != input.channelCount {
      mixer = try Self.mixer(from: input, to: count, mixdown)
    }
    resampler = try Self.resampler(from: input.sampleRate, to: output)
  }

  /// Continues with another format; appends the remaining samples of the previous one.
  mutating func changeFormat(
    to format: Format, mixdown: ProgramConfig.MatrixMixdown?, into samples: inout [Float]
  ) throws(AudioConversion.Failure) {
    resampler?.flush(into: &samples)
    input = format
    mixer = nil
    if format.channelCount != output.channelCount {
      do throws(AudioConversion.Failure) {
        mixer = try Self.mixer(from: format, to: output.channelCount, mixdown)
      } catch {
        // For example, no mixing rule converts stereo to 5.1 channels. But 5.1 has a loudspeaker
        // for each stereo channel, so the channels are routed.
        guard let layout = format.assumedLayout, let target = output.assumedLayout else {
          throw error
        }
        mixer = ChannelMixer(routing: layout, to: target)
      }
    }
    resampler = try Self.resampler(from: format.sampleRate, to: output)
  }

  /// Converts frames and appends the result.
  mutating func process(_ frames: [Float], into samples: inout [Float]) {
    guard let mixer else { return resample(frames, into: &samples) }
    mixed.removeAll(keepingCapacity: true)
    var result: [Float] = []
    // Use a local array: a property cannot be passed to `resample`, which changes this structure.
    swap(&result, &mixed)
    mixer.mix(frames.span, into: &result)
    resample(result, into: &samples)
    swap(&result, &mixed)
  }

  /// Appends the remaining samples after the last frame.
  mutating func finish(into samples: inout [Float]) {
    resampler?.flush(into: &samples)
  }

  private mutating func resample(_ frames: [Float], into samples: inout [Float]) {
    if resampler == nil {
      samples += frames
    } else {
      resampler?.process(frames.span, into: &samples)
    }
  }

  private static func mixer(
    from format: Format, to count: Int, _ mixdown: ProgramConfig.MatrixMixdown?
  ) throws(AudioConversion.Failure) -> ChannelMixer {
    if let mixdown, let layout = format.assumedLayout,
      let mixer = ChannelMixer(
        from: layout, to: count, surroundWeight: mixdown.surroundWeight,
        isPseudoSurround: mixdown.isPseudoSurround)
    {
      return mixer
    }
    do throws(PCMError) {
      if let layout = format.layout { return try ChannelMixer(from: layout, to: count) }
      return try ChannelMixer(from: format.channelCount, to: count)
    } catch {
      throw .mix(from: format.channelCount, to: count)
    }
  }

  private static func resampler(
    from rate: Int, to output: Format
  ) throws(AudioConversion.Failure) -> Resampler? {
    if rate == output.sampleRate { return nil }
    do throws(PCMError) {
      return try Resampler(
        from: rate, to: output.sampleRate, channelCount: output.channelCount)
    } catch {
      throw .rate(from: rate, to: output.sampleRate)
    }
  }
}

extension ProgramConfig.MatrixMixdown {
  /// The weight of the surround channels in the mix (ISO/IEC 14496-3, 4.5.1.2.2).
  fileprivate var surroundWeight: Float {
    switch index {
    case 0: 0.707_106_77
    case 1: 0.5
    case 2: 0.353_553_38
    default: 0
    }
  }
}
