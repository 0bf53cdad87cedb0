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

  var speed: Double {
    get { stretch.speed }
    set { if newValue != stretch.speed { stretch.setSpeed(newValue) } }
  }

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
        .text("Convert it to a common rate, such as 48000 Hz."))
    }
  }
}
