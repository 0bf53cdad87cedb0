import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem

/// Turns the samples of one item after the other into those of the device.
///
///     frames ─► channels ─► rate ─► (program) ─► effects ─► speed ─► volume ─► frames of the device
///
/// Frames between rate and speed are counted from the beginning of the playback: they are the program,
/// in which each item has its place whatever the speed. Effects leave every frame of it in its place,
/// but may hold back the last ones.
struct SoundChain {
  let output: PlaybackFormat
  private var mix: OutputMix
  private var inputRate: Int
  private var resampler: Resampler?
  private var rack: EffectRack
  private var stretch: TimeStretch
  private var volume: VolumeRamp

  /// Where the resampler began in the program, and how many frames it has been given.
  private var resamplerStart = 0
  private var resamplerInput = 0
  /// Frames of the program so far, with those that the effects hold back.
  private var programCount = 0
  /// Where the stretch began in the program.
  private var stretchStart = 0

  /// A chain to a device, for sound that is like that of the device at first.
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

  /// The place in the program of the next frame that comes out.
  var program: Double { Double(stretchStart) + stretch.position }

  /// The speed of what comes out from now on.
  var speed: Double {
    get { stretch.speed }
    set { if newValue != stretch.speed { stretch.setSpeed(newValue) } }
  }

  /// The effects for what comes in from now on.
  var effects: [EffectDescription] {
    get { rack.effects }
    set { rack.change(to: newValue) }
  }

  /// The factor for what comes out from now on.
  var loudness: Float {
    get { volume.target }
    set { volume.target = newValue }
  }

  /// Continues with another sound, without a frame between, and returns the place in the program at
  /// which that begins; at another rate what is left of the one before is appended first.
  mutating func follow(
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

  /// Takes frames of the sound and appends what can be made of them so far.
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

  /// Appends what is left when no sound follows.
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

  /// Forgets all sound, as for a jump.
  mutating func restart() {
    var rest: [Float] = []
    resampler?.flush(into: &rest)
    rack.restart()
    stretch.reset()
    stretchStart = programCount
    resamplerStart = programCount
    resamplerInput = 0
  }

  /// Lets out what the resampler holds back.
  private mutating func drain(into samples: inout [Float]) {
    var rest: [Float] = []
    resampler?.flush(into: &rest)
    run(rest, into: &samples)
    resamplerStart = programCount
    resamplerInput = 0
  }

  /// Passes frames of the program on.
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
        "“\(displayed(sound.name))” has \(sound.sampleRate) samples a second, which cannot be "
          + "converted to the device's \(output.sampleRate).",
        .words("Convert it to a usual rate, such as 48000."))
    }
  }
}
