import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem

/// A chain that converts the samples of consecutive items to samples of the device.
///
///     frames ─► channels ─► rate ─► (program) ─► effects ─► speed ─► volume ─► frames of the device
///
/// Frames after the rate conversion are counted from the beginning of the playback. These frames
/// form the program, in which the position of each item does not depend on the speed. Effects keep
/// every frame at its position, but may delay the output of the last frames.
struct SoundChain {
  let output: PlaybackFormat
  private var mix: OutputMix
  private var inputRate: Int
  private var resampler: Resampler?
  private var rack: EffectRack
  private var stretch: TimeStretch
  private var volume: VolumeRamp

  /// The position in the program at which the resampler was started, and the number of frames that
  /// it has received since.
  private var resamplerStart = 0
  private var resamplerInput = 0
  /// The number of frames in the program, including frames that the effects have not output yet.
  private var programCount = 0
  /// The position in the program at which the time stretch was started.
  private var stretchStart = 0

  /// Creates a chain to a device.
  ///
  /// Until `continueWith` is called, the input must have the format of the device.
  init(
    to output: PlaybackFormat, effects: [EffectDescription], volume: Float
  ) throws(EffectError) {
    self.output = output
    mix = OutputMix(from: output.channelCount, output.layout, to: output)
    inputRate = output.sampleRate
    rack = try EffectRack(
      effects, channelCount: output.channelCount, sampleRate: output.sampleRate)
    stretch = TimeStretch(sampleRate: output.sampleRate, channelCount: output.channelCount)
    self.volume = VolumeRamp(
      volume, sampleRate: output.sampleRate, channelCount: output.channelCount)
  }

  /// The position of the next output frame in the program.
  var programPosition: Double { Double(stretchStart) + stretch.position }

  /// The speed of the output from now on.
  var speed: Double {
    get { stretch.speed }
    set { if newValue != stretch.speed { stretch.setSpeed(newValue) } }
  }

  /// The effects for the input from now on.
  var effects: [EffectDescription] {
    get { rack.effects }
    set { rack.change(to: newValue) }
  }

  /// The volume factor for the output from now on.
  var loudness: Float {
    get { volume.target }
    set { volume.target = newValue }
  }

  /// Continues with another audio file without a gap.
  ///
  /// Returns the position in the program at which the file begins. If the sampling rate changes,
  /// the remaining frames of the previous file are appended first.
  mutating func continueWith(
    _ sound: SeekableSound, into samples: inout [Float]
  ) throws(AACFileError) -> Double {
    let rate = sound.sampleRate
    if rate != inputRate {
      let next = try Self.resampler(for: sound, to: output)
      let first = samples.count
      drain(into: &samples)
      volume.apply(to: &samples, from: first)
      inputRate = rate
      resampler = next
      resamplerStart = programCount
      resamplerInput = 0
    }
    mix = OutputMix(from: sound.channelCount, sound.layout, to: output)
    return Double(resamplerStart)
      + Double(resamplerInput) * Double(output.sampleRate) / Double(inputRate)
  }

  /// Processes frames of the audio file, and appends the frames that are ready.
  mutating func process(_ frames: [Float], into samples: inout [Float]) {
    let first = samples.count
    var mixed: [Float] = []
    mixed.reserveCapacity(frames.count)
    mix.apply(frames, into: &mixed)
    resamplerInput += mixed.count / output.channelCount
    if resampler == nil {
      run(mixed, into: &samples)
    } else {
      var resampled: [Float] = []
      resampler?.process(mixed.span, into: &resampled)
      run(resampled, into: &samples)
    }
    volume.apply(to: &samples, from: first)
  }

  /// Appends the remaining frames at the end of the playback.
  mutating func finish(into samples: inout [Float]) {
    let first = samples.count
    drain(into: &samples)
    var rest: [Float] = []
    rack.finish(into: &rest)
    stretch.process(rest.span, into: &samples)
    stretch.flush(into: &samples)
    stretchStart = programCount
    volume.apply(to: &samples, from: first)
  }

  /// Discards all audio in the chain, for example for a seek.
  mutating func restart() {
    var rest: [Float] = []
    resampler?.flush(into: &rest)
    rack.restart()
    stretch.reset()
    stretchStart = programCount
    resamplerStart = programCount
    resamplerInput = 0
  }

  /// Appends the frames that the resampler has not output yet.
  private mutating func drain(into samples: inout [Float]) {
    var rest: [Float] = []
    resampler?.flush(into: &rest)
    run(rest, into: &samples)
    resamplerStart = programCount
    resamplerInput = 0
  }

  /// Passes frames of the program through effects, time stretch and volume.
  private mutating func run(_ frames: [Float], into samples: inout [Float]) {
    programCount += frames.count / output.channelCount
    var frames = frames
    rack.process(&frames)
    stretch.process(frames.span, into: &samples)
  }

  private static func resampler(
    for sound: SeekableSound, to output: PlaybackFormat
  ) throws(AACFileError) -> Resampler? {
    if sound.sampleRate == output.sampleRate { return nil }
    do throws(PCMError) {
      return try Resampler(
        from: sound.sampleRate, to: output.sampleRate, channelCount: output.channelCount)
    } catch {
      throw AACFileError(
        .unsupported,
        "“\(displayed(sound.name))” has \(sound.sampleRate) Hz, which cannot be converted to the "
          + "device's \(output.sampleRate) Hz.",
        suggestion: .text("Convert it to a common rate, such as 48000 Hz."))
    }
  }
}

/// A gain whose changes are smoothed, so that they do not click.
struct VolumeRamp {
  private let channelCount: Int
  /// The maximum change from one frame to the next: from silence to full scale in 10 ms.
  private let step: Float
  private var current: Float
  var target: Float

  init(_ factor: Float, sampleRate: Int, channelCount: Int) {
    self.channelCount = channelCount
    step = 100 / Float(sampleRate)
    current = factor
    target = factor
  }

  /// Multiplies the samples from the index `first` on.
  mutating func apply(to samples: inout [Float], from first: Int) {
    // At a factor of 1, the samples stay bit-exact.
    if current == 1, target == 1 { return }
    var index = first
    while index < samples.count {
      current = max(current - step, min(target, current + step))
      for _ in 0..<channelCount {
        samples[index] *= current
        index += 1
      }
    }
  }
}

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
