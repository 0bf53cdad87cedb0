import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// What a first reading of an input tells about its loudness, and the gain that follows from it.
///
/// What is encoded is measured: the samples after mixing, the conversion of their rate, and effects.
struct LoudnessSurvey {
  /// What was measured, without the gain.
  let meter: SoundMeter
  /// What makes the sound as loud as it was asked for, in decibels, or as loud as it can be.
  let gain: Double
  /// What true peaks are limited to in dBTP; nil if the gain leaves them below that anyway.
  let ceiling: Double?
  /// By how many LU that is less than what was asked for.
  let shortfall: Double

  /// Reads an input to its end; `conversion` makes of it what is encoded.
  init(
    _ request: EncodeRequest, _ conversion: SoundConversion, interruption: Interruption,
    progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) {
    meter = try Self.measure(request, conversion, interruption, progress)
    guard let target = request.options.loudness, let loudness = meter.loudness.integrated else {
      gain = 0
      ceiling = nil
      shortfall = 0
      return
    }
    let wanted = target.loudness - Double(loudness)
    let allowed = target.ceiling - Double(Decibels.of(amplitude: meter.truePeak))
    gain = min(wanted, max(allowed, Self.mostGain))
    ceiling = gain > allowed ? target.ceiling : nil
    shortfall = wanted - gain
  }

  /// The most decibels after which peaks are limited: more would be for noise with a click in it.
  private static let mostGain = 40.0

  /// Whether an input with these options is read twice.
  static func isNeeded(for options: EncodeOptions) -> Bool {
    options.loudness != nil || options.statesLoudness
  }

  /// Refuses a loudness that is out of reach, and input that cannot be read twice.
  static func check(_ request: EncodeRequest) throws(AACFileError) {
    guard isNeeded(for: request.options) else { return }
    if let refusal = request.options.loudness?.refusal {
      throw AACFileError(.unsupported, refusal.problem, .words(refusal.advice))
    }
    let name: String
    switch request.origin {
    case .tone: return
    case .standardInput: name = "Standard input"
    case .file(let path):
      // Opening a pipe would take what is in it from the one who reads it afterwards.
      guard (try? System.status(of: path))?.kind == .other else { return }
      name = "“\(displayed(path))”"
    }
    throw AACFileError(
      .unsupported, "\(name) can be read only once, and loudness is measured in a reading before.",
      .words("Save the sound as a file first."))
  }

  private static func measure(
    _ request: EncodeRequest, _ conversion: SoundConversion, _ interruption: Interruption,
    _ progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> SoundMeter {
    var conversion = conversion
    var chain = try EffectChain.ofFile(
      request.options.effects, channelCount: conversion.channelCount,
      sampleRate: conversion.sampleRate)
    var meter = SoundMeter(
      channelCount: conversion.channelCount, sampleRate: conversion.sampleRate,
      layout: ChannelLayout.standard(channelCount: conversion.channelCount))
    var source = try SoundSource(
      request.origin, rawFormat: request.rawFormat, interruption: interruption)
    let format = source.info.format
    let secondsPerByte = 1 / Double(format.bytesPerFrame * format.sampleRate)
    let total = source.frameCount.map { Double($0) / Double(format.sampleRate) }
    var byteCount = 0
    var integers: [Int16] = []
    var samples: [Float] = []
    while !conversion.isComplete, let range = try source.next() {
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
      integers.removeAll(keepingCapacity: true)
      samples.removeAll(keepingCapacity: true)
      source.pass(range, to: &conversion, integers: &integers, samples: &samples)
      for value in integers { samples.append(Float(value) / 32_768) }
      chain?.process(&samples)
      meter.process(samples.span)
      byteCount += range.count
      progress(Double(byteCount) * secondsPerByte, total ?? source.codedSound?.secondsInAll)
    }
    samples.removeAll(keepingCapacity: true)
    conversion.finish(samples: &samples)
    chain?.process(&samples)
    chain?.finish(into: &samples)
    meter.process(samples.span)
    return meter
  }
}

// What is told of it.
extension LoudnessSurvey {
  /// What a file is to state: how loud its sound is with the gain.
  ///
  /// Of limited sound that is how loud it was made and where its peaks end; the rest is not known.
  var statement: MP4Loudness {
    let (loudness, gain) = (meter.loudness, Float(gain))
    if let ceiling {
      return MP4Loudness(
        integrated: loudness.integrated.map { $0 + gain }, samplePeak: Float(ceiling),
        truePeak: Float(ceiling))
    }
    return MP4Loudness(
      integrated: loudness.integrated.map { $0 + gain }, range: loudness.range,
      maximumMomentary: loudness.maximumMomentary.map { $0 + gain },
      maximumShortTerm: loudness.maximumShortTerm.map { $0 + gain },
      samplePeak: Decibels.of(amplitude: meter.peak) + gain,
      truePeak: Decibels.of(amplitude: meter.truePeak) + gain)
  }

  /// What was measured and done, for a summary.
  var summary: AACFile.Summary.Loudness {
    AACFile.Summary.Loudness(
      integrated: meter.loudness.integrated, range: meter.loudness.range,
      truePeak: Decibels.of(amplitude: meter.truePeak), gain: Float(gain),
      isLimited: ceiling != nil, shortfall: Float(shortfall))
  }

  /// What was not done as asked for, as a sentence; nil if nothing.
  func warning(_ options: EncodeOptions, name: String) -> String? {
    let file = "“\(displayed(name))”"
    if meter.loudness.integrated == nil {
      let cause = "\(file) is silent, or shorter than 0.4 seconds, so it has no loudness"
      return cause + (options.loudness == nil ? "." : "; it was encoded as it is.")
    }
    guard let target = options.loudness, shortfall >= 0.05 else { return nil }
    let most = QuantityText.fixed(Self.mostGain, decimals: 0)
    return "\(file) is \(QuantityText.fixed(shortfall, decimals: 1)) LU quieter than asked for: "
      + "with a gain of more than \(most) dB its peaks would rise above "
      + "\(QuantityText.fixed(target.ceiling, decimals: 1)) dBTP."
  }
}
