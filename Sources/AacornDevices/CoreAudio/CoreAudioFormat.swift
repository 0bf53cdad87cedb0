import AacornSignal

#if canImport(AudioToolbox) && !os(watchOS)
import AudioToolbox
#endif

/// The format of a unit's samples: single precision, interleaved, at the hardware's rate.
struct CoreAudioFormat: Sendable, Equatable {
  /// Frames per second.
  let sampleRate: Int
  /// Samples per frame.
  let channelCount: Int

  /// Bytes per frame.
  var bytesPerFrame: Int { channelCount * 4 }

  /// Creates the format to request from the hardware's format.
  ///
  /// Returns nil if the hardware's format is invalid, as while a headset connects.
  ///
  /// The rate is always the hardware's: a macOS unit does not convert it, and the recorder's
  /// converter is more accurate because it detects lost samples. Both channels of a stereo device
  /// are captured even if one is requested, because the unit would drop the other channel instead
  /// of mixing them. From a device with more than two channels, such as a mixing console, only the
  /// first channels are captured, up to the requested number. Voice processing always produces one
  /// channel.
  init?(
    hardwareRate: Double, hardwareChannelCount: Int, wantedChannelCount: Int?,
    isVoiceProcessed: Bool
  ) {
    guard (1...1_000_000).contains(hardwareRate), (1...1024).contains(hardwareChannelCount) else {
      return nil
    }
    sampleRate = Int(hardwareRate.rounded())
    if isVoiceProcessed {
      channelCount = 1
    } else if hardwareChannelCount > 2, let wantedChannelCount {
      channelCount = min(max(1, wantedChannelCount), hardwareChannelCount)
    } else {
      channelCount = hardwareChannelCount
    }
  }

  /// Creates the input format of a unit that plays on hardware with this channel count.
  ///
  /// Returns nil if the values are invalid, as while a headset connects. The rate is the program's:
  /// a playing unit converts it on every system.
  init?(playing sampleRate: Int, hardwareChannelCount: Int) {
    guard (1...1_000_000).contains(sampleRate), (1...1024).contains(hardwareChannelCount) else {
      return nil
    }
    self.sampleRate = sampleRate
    channelCount = hardwareChannelCount
  }

  /// Creates the format from these fields of an `AudioStreamBasicDescription`.
  ///
  /// Returns nil unless it is single precision, native-endian, packed and interleaved.
  init?(
    sampleRate: Double, formatID: UInt32, formatFlags: UInt32, bytesPerFrame: UInt32,
    framesPerPacket: UInt32, channelsPerFrame: UInt32, bitsPerChannel: UInt32
  ) {
    guard
      formatID == Self.linearPCM, formatFlags & Self.relevantFlags == Self.nativeFloatPacked,
      framesPerPacket == 1, bitsPerChannel == 32, (1...1024).contains(channelsPerFrame),
      bytesPerFrame == channelsPerFrame * 4, (1...1_000_000).contains(sampleRate)
    else { return nil }
    self.sampleRate = Int(sampleRate.rounded())
    channelCount = Int(channelsPerFrame)
  }

  /// `kAudioFormatLinearPCM`.
  static let linearPCM: UInt32 = 0x6C70_636D
  /// `kAudioFormatFlagIsFloat` and `kAudioFormatFlagIsPacked`; the byte order is little-endian.
  static let nativeFloatPacked: UInt32 = 1 << 0 | 1 << 3
  /// The flags that are compared: the two above, big-endian and non-interleaved.
  private static let relevantFlags: UInt32 = 1 << 0 | 1 << 1 | 1 << 3 | 1 << 5

  /// Returns the number of frames in a block of this many milliseconds.
  func frameCount(milliseconds: Int) -> Int {
    max(16, sampleRate * min(max(1, milliseconds), 1000) / 1000)
  }

  /// Returns the maximum number of frames that a unit must be able to deliver at a time.
  ///
  /// A phone with its screen off delivers blocks of up to 4096 frames.
  func largestFrameCount(milliseconds: Int, needed: Int) -> Int {
    max(4096, frameCount(milliseconds: milliseconds), min(needed, 65_536))
  }

  /// Returns the channel count of all buffers in the bytes of an `AudioBufferList`.
  ///
  ///     0 count of buffers │ 8 channels, bytes, address │ 24 the next buffer …
  ///
  /// A count that exceeds the bytes is ignored.
  static func channelCount(inBufferList bytes: UnsafeRawBufferPointer) -> Int {
    guard bytes.count >= 4 else { return 0 }
    let bufferCount = unsafe Int(bytes.loadUnaligned(as: UInt32.self))
    var count = 0
    for index in 0..<min(bufferCount, max(0, bytes.count - 8) / 16) {
      count += unsafe Int(bytes.loadUnaligned(fromByteOffset: 8 + index * 16, as: UInt32.self))
    }
    return count
  }
}

#if canImport(AudioToolbox) && !os(watchOS)
extension CoreAudioFormat {
  /// Converts a unit's format; nil if it is not interleaved single-precision PCM.
  init?(_ description: AudioStreamBasicDescription) {
    self.init(
      sampleRate: description.mSampleRate, formatID: description.mFormatID,
      formatFlags: description.mFormatFlags, bytesPerFrame: description.mBytesPerFrame,
      framesPerPacket: description.mFramesPerPacket,
      channelsPerFrame: description.mChannelsPerFrame,
      bitsPerChannel: description.mBitsPerChannel)
  }

  /// The format in the unit's form, with every field filled in.
  var streamDescription: AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: Double(sampleRate), mFormatID: Self.linearPCM,
      mFormatFlags: Self.nativeFloatPacked, mBytesPerPacket: UInt32(bytesPerFrame),
      mFramesPerPacket: 1, mBytesPerFrame: UInt32(bytesPerFrame),
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: 32, mReserved: 0)
  }
}
#endif

/// Maps the channels of a feed to the channels of a device.
///
/// A unit would play the first channels and drop the others, so the mapped frames always have the
/// device's channel count.
struct CoreAudioChannels {
  /// The channel count of the feed.
  let inputCount: Int
  /// The channel count of the device.
  let outputCount: Int
  /// For each channel of the device, the weights of the feed's channels; nil if the frames stay
  /// unchanged.
  private let weights: [Float]?

  /// Assigns each channel of a format to channels of the device.
  ///
  /// The device's channel layout decides if it is known. Otherwise equal channel counts pass
  /// unchanged, more channels are mixed to one or two, and one or two go to the device's stereo
  /// pair.
  init(
    of format: PlaybackFormat, to outputCount: Int, _ layout: ChannelLayout? = nil,
    stereoPair: [Int]? = nil
  ) {
    inputCount = format.channelCount
    self.outputCount = outputCount
    let weights = Self.weights(of: format, to: outputCount, layout, stereoPair)
    let isUnchanged = inputCount == outputCount && weights == Self.diagonal(inputCount, outputCount)
    self.weights = isUnchanged ? nil : weights
  }

  /// Whether frames may go to the device unchanged.
  var areSame: Bool { weights == nil }

  /// Mixes interleaved frames.
  func mix(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    guard let weights else {
      return unsafe output.update(from: input, count: frameCount * outputCount)
    }
    for frame in 0..<frameCount {
      let source = unsafe input + frame * inputCount
      let destination = unsafe output + frame * outputCount
      for channel in 0..<outputCount {
        let row = channel * inputCount
        var sum: Float = 0
        for index in 0..<inputCount { unsafe sum += weights[row + index] * source[index] }
        unsafe destination[channel] = sum
      }
    }
  }

  private static func weights(
    of format: PlaybackFormat, to outputCount: Int, _ layout: ChannelLayout?, _ stereoPair: [Int]?
  ) -> [Float] {
    let inputCount = format.channelCount
    var source = format.layout ?? ChannelLayout.standard(channelCount: inputCount)
    if let layout = source, layout.speakers.count != inputCount { source = nil }
    if let source, let layout, outputCount > 2, layout.speakers.count == outputCount {
      return weights(of: ChannelMixer(routing: source, to: layout))
    }
    if inputCount != outputCount, outputCount <= 2, let source,
      let mixer = try? ChannelMixer(from: source, to: outputCount)
    {
      return weights(of: mixer)
    }
    guard inputCount <= 2, outputCount > 2 else { return diagonal(inputCount, outputCount) }
    var pair = [0, 1]
    if let stereoPair, stereoPair.count == 2,
      stereoPair.allSatisfy({ (0..<outputCount).contains($0) })
    {
      pair = stereoPair
    }
    var weights = [Float](repeating: 0, count: inputCount * outputCount)
    for (side, output) in pair.enumerated() {
      weights[output * inputCount + min(side, inputCount - 1)] = 1
    }
    return weights
  }

  /// Returns the weights of a mixer, measured by mixing each channel alone.
  private static func weights(of mixer: ChannelMixer) -> [Float] {
    let (inputCount, outputCount) = (mixer.inputChannelCount, mixer.outputChannelCount)
    var weights = [Float](repeating: 0, count: inputCount * outputCount)
    for input in 0..<inputCount {
      var frame = [Float](repeating: 0, count: inputCount)
      frame[input] = 1
      var mixed: [Float] = []
      mixer.mix(frame.span, into: &mixed)
      for output in 0..<outputCount { weights[output * inputCount + input] = mixed[output] }
    }
    return weights
  }

  /// Returns the weights that leave channels unchanged.
  private static func diagonal(_ inputCount: Int, _ outputCount: Int) -> [Float] {
    var weights = [Float](repeating: 0, count: inputCount * outputCount)
    for channel in 0..<min(inputCount, outputCount) { weights[channel * inputCount + channel] = 1 }
    return weights
  }
}
