import AudioToolbox

/// The input and output formats of the system's encoder for one kind of AAC.
///
/// The rates, and the bitrates of two channels at 44.1 and 48 kHz, are the lists on Macs. Bitrates
/// of one channel and of other rates are proportional, which is a guess. The channel counts and the
/// rates of the low-delay kinds are guesses, too.
struct CodecFormat {
  let framesPerPacket: Set<UInt32>
  let sampleRates: [Double]
  let channelCounts: ClosedRange<UInt32>
  /// In kbit/s, for two channels.
  private let bitrates: [Int]
  /// Whether a caller may request a quality instead of a bitrate.
  let hasVariableRate: Bool

  /// Creates the format with this four-character code, or returns nil if no encoder produces it.
  init?(_ formatID: UInt32) {
    let low: [Double] = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    switch formatID {
    case fourCharacters("aac "):
      framesPerPacket = [1024]
      sampleRates = [8000, 11_025, 12_000] + low
      channelCounts = 1...8
      bitrates = [64, 72, 80, 96, 112, 128, 144, 160, 192, 224, 256, 288, 320]
      hasVariableRate = true
    case fourCharacters("aach"):
      framesPerPacket = [2048]
      sampleRates = low + [88_200, 96_000]
      channelCounts = 1...8
      bitrates = [32, 40, 48, 56, 64, 80]
      hasVariableRate = false
    case fourCharacters("aacp"):
      framesPerPacket = [2048]
      sampleRates = [32_000, 44_100, 48_000]
      channelCounts = 2...2
      bitrates = [20, 24, 28, 32, 40, 48]
      hasVariableRate = false
    case fourCharacters("aacl"), fourCharacters("aace"):
      framesPerPacket = [480, 512]
      sampleRates = low
      channelCounts = 1...2
      bitrates = [32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 256, 320]
      hasVariableRate = false
    default: return nil
    }
  }

  /// The bitrates for a sample rate and a number of channels, in bits per second.
  func bitrates(sampleRate: Double, channelCount: UInt32) -> [Int] {
    let isFull = (44_100...48_000).contains(sampleRate)
    return bitrates.map { bitrate in
      let all = bitrate * 500 * Int(channelCount)
      return isFull ? all : Int(Double(all) * sampleRate / 44_100 / 1000) * 1000
    }
  }

  /// Whether a converter from `source` to `target` exists.
  ///
  /// The converter does not resample or remix. Its input is interleaved and single precision.
  func makes(
    _ target: AudioStreamBasicDescription, of source: AudioStreamBasicDescription
  ) -> Bool {
    let frameSize = 4 * source.mChannelsPerFrame
    let isSource =
      source.mFormatID == kAudioFormatLinearPCM
      && source.mFormatFlags == kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
      && source.mBitsPerChannel == 32 && source.mFramesPerPacket == 1
      && source.mBytesPerFrame == frameSize && source.mBytesPerPacket == frameSize
    // Only “aac ” may have an object type in its flags; 2 is AAC-LC.
    let flags: Set<UInt32> = target.mFormatID == fourCharacters("aac ") ? [0, 2] : [0]
    return isSource && flags.contains(target.mFormatFlags) && target.mBitsPerChannel == 0
      && target.mBytesPerFrame == 0 && target.mBytesPerPacket == 0
      && (target.mFramesPerPacket == 0 || framesPerPacket.contains(target.mFramesPerPacket))
      && target.mSampleRate == source.mSampleRate && sampleRates.contains(target.mSampleRate)
      && target.mChannelsPerFrame == source.mChannelsPerFrame
      && channelCounts.contains(target.mChannelsPerFrame)
  }
}
