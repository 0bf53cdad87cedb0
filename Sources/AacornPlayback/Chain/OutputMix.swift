import AacornDevices
import AacornSignal

/// Maps the channels of audio to the channels of a device.
///
/// Equal numbers of channels stay unchanged. For a device with one or two channels, the audio is
/// mixed. For a device with more channels, each channel is routed to its loudspeaker.
struct OutputMix {
  private enum Mapping {
    case map(ChannelMap)
    case mixer(ChannelMixer)
    /// Copies the first channels, and fills the others with silence.
    case first(of: Int, to: Int)
  }

  private let mapping: Mapping

  /// Creates a mix for frames with this many channels.
  init(from channelCount: Int, _ layout: ChannelLayout?, to output: PlaybackFormat) {
    let count = output.channelCount
    let source = layout ?? ChannelLayout.standard(channelCount: channelCount)
    if count > 2, let source, let target = output.layout {
      mapping = .mixer(ChannelMixer(routing: source, to: target))
      return
    }
    if let layout, let map = try? ChannelMap(from: layout, to: count) {
      mapping = .map(map)
    } else if let map = try? ChannelMap(from: channelCount, to: count) {
      mapping = .map(map)
    } else if let source, let target = output.layout ?? ChannelLayout.standard(channelCount: count)
    {
      mapping = .mixer(ChannelMixer(routing: source, to: target))
    } else {
      mapping = .first(of: channelCount, to: count)
    }
  }

  /// Mixes complete frames, and appends the result.
  func apply(_ input: [Float], into output: inout [Float]) {
    switch mapping {
    case .map(let map): map.apply(input.span, into: &output)
    case .mixer(let mixer): mixer.mix(input.span, into: &output)
    case .first(let inputCount, let outputCount):
      for base in stride(from: 0, to: input.count, by: inputCount) {
        for channel in 0..<outputCount {
          output.append(channel < inputCount ? input[base + channel] : 0)
        }
      }
    }
  }
}
