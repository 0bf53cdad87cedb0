import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// What a first reading of an input tells about its loudness, and the gain that follows from it.
///
/// What is encoded is measured: the samples after mixing, the conversion of their rate, and effects.
/// Where peaks have to be limited, more readings follow: they measure what the limiter leaves, and
/// correct the gain by what is missing.
struct LoudnessSurvey {
  /// What was measured, without the gain.
  let meter: SoundMeter
  /// What was measured behind gain and limiter; nil without a limiter.
  private(set) var limitedMeter: SoundMeter?
  /// What makes the sound as loud as it was asked for, in decibels, or as loud as it can be.
  private(set) var gain: Double
  /// What true peaks are limited to in dBTP; nil if the gain leaves them below that anyway.
  let ceiling: Double?
  /// By how many LU that is less than what was asked for.
  private(set) var shortfall: Double
  /// How often the input was read.
  private(set) var readingCount = 1

  /// Reads an input to its end; `conversion` makes of it what is encoded.
  ///
  /// `progress` is told how many readings are complete, and how many seconds of the next one.
  init(
    _ request: EncodeRequest, _ conversion: SoundConversion, interruption: Interruption,
    progress: (_ reading: Int, _ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) {
    meter = try Self.measure(request, conversion, nil, interruption) { done, total in
      progress(0, done, total)
    }
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
    if ceiling != nil { try correct(request, conversion, target, interruption, progress) }
  }

  /// Measures what the limiter leaves, and corrects the gain by what is missing.
  private mutating func correct(
    _ request: EncodeRequest, _ conversion: SoundConversion, _ target: LoudnessTarget,
    _ interruption: Interruption,
    _ progress: (_ reading: Int, _ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) {
    var search = LimitedGainSearch(
      target: target.loudness, gain: gain,
      mostGain: min(gain + Self.mostCorrection, Self.mostGain))
    while let trial = search.gain {
      let reading = readingCount
      let stage = try LoudnessGain(
        decibels: trial, ceiling: target.ceiling, channelCount: conversion.channelCount,
        sampleRate: conversion.sampleRate)
      let limited = try Self.measure(request, conversion, stage, interruption) { done, total in
        progress(reading, done, total)
      }
      readingCount += 1
      guard let loudness = limited.loudness.integrated else {
        // It has become so soft that it has no loudness any more.
        limitedMeter = limited
        return
      }
      guard search.take(Double(loudness)) else { continue }
      let missing = target.loudness - Double(loudness)
      limitedMeter = limited
      gain = trial
      shortfall = missing > LimitedGainSearch.tolerance ? missing : 0
    }
  }

  /// What the samples go through to become as loud; nil if they stay as they are.
  func stage(for conversion: SoundConversion) throws(AACFileError) -> LoudnessGain? {
    if gain == 0 && ceiling == nil { return nil }
    return try LoudnessGain(
      decibels: gain, ceiling: ceiling, channelCount: conversion.channelCount,
      sampleRate: conversion.sampleRate)
  }

  /// The most decibels after which peaks are limited: more would be for noise with a click in it.
  private static let mostGain = 40.0

  /// The most decibels that are added for what a limiter takes: more would flatten the sound.
  private static let mostCorrection = 3.0

  /// Whether an input with these options is read before it is encoded.
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
    _ request: EncodeRequest, _ conversion: SoundConversion, _ stage: LoudnessGain?,
    _ interruption: Interruption, _ progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> SoundMeter {
    var conversion = conversion
    var stage = stage
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
      stage?.process(&samples)
      meter.process(samples.span)
      byteCount += range.count
      progress(Double(byteCount) * secondsPerByte, total ?? source.codedSound?.secondsInAll)
    }
    samples.removeAll(keepingCapacity: true)
    conversion.finish(samples: &samples)
    chain?.process(&samples)
    chain?.finish(into: &samples)
    stage?.process(&samples)
    stage?.finish(into: &samples)
    meter.process(samples.span)
    return meter
  }
}

// What is told of it.
extension LoudnessSurvey {
  /// What a file is to state: how loud its sound is with the gain, and behind a limiter.
  var statement: MP4Loudness {
    let stated = limitedMeter ?? meter
    let added = limitedMeter == nil ? Float(gain) : 0
    let loudness = stated.loudness
    return MP4Loudness(
      integrated: loudness.integrated.map { $0 + added }, range: loudness.range,
      maximumMomentary: loudness.maximumMomentary.map { $0 + added },
      maximumShortTerm: loudness.maximumShortTerm.map { $0 + added },
      samplePeak: Decibels.of(amplitude: stated.peak) + added,
      truePeak: Decibels.of(amplitude: stated.truePeak) + added)
  }

  /// What was measured and done, for a summary.
  var summary: AACFile.Summary.Loudness {
    AACFile.Summary.Loudness(
      integrated: meter.loudness.integrated, range: meter.loudness.range,
      truePeak: Decibels.of(amplitude: meter.truePeak), gain: Float(gain),
      encoded: statement.integrated, isLimited: ceiling != nil, shortfall: Float(shortfall))
  }

  /// What was not done as asked for, as a sentence; nil if nothing.
  func warning(_ options: EncodeOptions, name: String) -> String? {
    let file = "“\(displayed(name))”"
    if meter.loudness.integrated == nil {
      let cause = "\(file) is silent, or shorter than 0.4 seconds, so it has no loudness"
      return cause + (options.loudness == nil ? "." : "; it was encoded as it is.")
    }
    guard let target = options.loudness, shortfall >= 0.05 else { return nil }
    let ceiling = QuantityText.fixed(target.ceiling, decimals: 1)
    let missing = QuantityText.fixed(shortfall, decimals: 1)
    let start = "\(file) is \(missing) LU quieter than asked for: "
    if gain >= Self.mostGain {
      let most = QuantityText.fixed(Self.mostGain, decimals: 0)
      return start
        + "with a gain of more than \(most) dB its peaks would rise above \(ceiling) dBTP."
    }
    return start + "more gain would only flatten it, as its peaks are limited to \(ceiling) dBTP. "
      + "Choose a lower loudness, or a higher limit."
  }
}
