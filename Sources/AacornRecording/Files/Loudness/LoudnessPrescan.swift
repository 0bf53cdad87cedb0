import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// The loudness of an input, measured in a first pass, and the resulting gain.
///
/// The encoder's input is measured: the samples after mixing, resampling and effects. If peaks must
/// be limited, further passes measure the audio after the limiter and correct the gain.
struct LoudnessPrescan {
  /// The measurement without the gain.
  let meter: AudioMeter
  /// The measurement after gain and limiter; nil without a limiter.
  private(set) var limitedMeter: AudioMeter?
  /// The gain in decibels to reach the requested loudness, or the maximum gain.
  private(set) var gain: Double
  /// The ceiling for true peaks in dBTP; nil if the gain keeps them below it.
  let ceiling: Double?
  /// The amount in LU by which the requested loudness is missed.
  private(set) var shortfall: Double
  /// The number of passes over the input.
  private(set) var readingCount = 1

  /// Measures an input completely; `conversion` converts it to the encoder's format.
  ///
  /// `progress` is called with the number of complete passes, and the seconds of the current one.
  init(
    _ request: EncodeRequest, _ conversion: AudioConversion, interruption: Interruption,
    progress: (_ reading: Int, _ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) {
    meter = try Self.measure(for: request, conversion, stage: nil, interruption: interruption) {
      done, total in
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
    gain = min(wanted, max(allowed, Self.maxGain))
    ceiling = gain > allowed ? target.ceiling : nil
    shortfall = wanted - gain
    if ceiling != nil {
      try correct(
        for: request, conversion, target: target, interruption: interruption, progress: progress)
    }
  }

  /// Measures the audio after the limiter, and corrects the gain by the missing loudness.
  private mutating func correct(
    for request: EncodeRequest, _ conversion: AudioConversion, target: LoudnessTarget,
    interruption: Interruption,
    progress: (_ reading: Int, _ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) {
    var search = LimitedGainSearch(
      target: target.loudness, gain: gain,
      maxGain: min(gain + Self.maxCorrection, Self.maxGain))
    while let trial = search.gain {
      let reading = readingCount
      let stage = try LoudnessGain(
        decibels: trial, ceiling: target.ceiling, channelCount: conversion.channelCount,
        sampleRate: conversion.sampleRate)
      let limited = try Self.measure(
        for: request, conversion, stage: stage, interruption: interruption
      ) { done, total in
        progress(reading, done, total)
      }
      readingCount += 1
      guard let loudness = limited.loudness.integrated else {
        // The limited audio is too quiet to have a measurable loudness.
        limitedMeter = limited
        return
      }
      guard search.record(Double(loudness)) else { continue }
      let missing = target.loudness - Double(loudness)
      limitedMeter = limited
      gain = trial
      shortfall = missing > LimitedGainSearch.tolerance ? missing : 0
    }
  }

  /// Returns the gain stage for encoding; nil if the samples stay unchanged.
  func stage(for conversion: AudioConversion) throws(AACFileError) -> LoudnessGain? {
    if gain == 0 && ceiling == nil { return nil }
    return try LoudnessGain(
      decibels: gain, ceiling: ceiling, channelCount: conversion.channelCount,
      sampleRate: conversion.sampleRate)
  }

  /// The maximum gain in decibels with limited peaks: only faint noise that contains a loud click
  /// would need more.
  private static let maxGain = 40.0

  /// The maximum correction in decibels for the limiter: more would flatten the audio.
  private static let maxCorrection = 3.0

  /// Returns whether an input with these options is measured before encoding.
  static func isNeeded(for options: AACFile.Configuration) -> Bool {
    options.loudness != nil || options.statesLoudness
  }

  /// Rejects a loudness that is out of range, and input that cannot be read twice.
  static func check(_ request: EncodeRequest) throws(AACFileError) {
    guard isNeeded(for: request.options) else { return }
    if let validationError = request.options.loudness?.validationError {
      throw AACFileError(
        .unsupported, validationError.problem, suggestion: .text(validationError.advice))
    }
    let name: String
    switch request.origin {
    case .tone: return
    case .standardInput: name = "Standard input"
    case .file(let path):
      // Opening a pipe would consume bytes that its later reader needs.
      guard (try? System.status(of: path))?.kind == .other else { return }
      name = "“\(displayed(path))”"
    }
    throw AACFileError(
      .unsupported, "\(name) can be read only once, but a loudness target requires two passes.",
      suggestion: .text("Save the audio as a file first."))
  }

  private static func measure(
    for request: EncodeRequest, _ conversion: AudioConversion, stage: LoudnessGain?,
    interruption: Interruption, progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> AudioMeter {
    var processor = try SoundProcessor(conversion, request.options.effects)
    processor.gain = stage
    var meter = AudioMeter(
      channelCount: conversion.channelCount, sampleRate: conversion.sampleRate,
      layout: ChannelLayout.standard(channelCount: conversion.channelCount))
    var source = try SoundSource(
      request.origin, rawFormat: request.rawFormat, interruption: interruption)
    let format = source.info.format
    let secondsPerByte = 1 / Double(format.bytesPerFrame * format.sampleRate)
    let total = source.frameCount.map { Double($0) / Double(format.sampleRate) }
    var byteCount = 0
    while !processor.conversion.isComplete, let range = try source.next() {
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
      source.pass(range, to: &processor)
      processor.convertIntegers()
      meter.process(processor.samples.span)
      byteCount += range.count
      progress(Double(byteCount) * secondsPerByte, total ?? source.codedSound?.totalSeconds)
    }
    processor.finish()
    meter.process(processor.samples.span)
    return meter
  }
}

// The results of the measurement.
extension LoudnessPrescan {
  /// The loudness metadata for the file, with the gain and after a limiter.
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

  /// The measurement and the gain, for a summary.
  var summary: AACFile.Summary.Loudness {
    AACFile.Summary.Loudness(
      integrated: meter.loudness.integrated, range: meter.loudness.range,
      truePeak: Decibels.of(amplitude: meter.truePeak), gain: Float(gain),
      encoded: statement.integrated, isLimited: ceiling != nil, shortfall: Float(shortfall))
  }

  /// Returns the warning about a loudness that was not reached, as a message; nil if there is none.
  func warning(_ options: AACFile.Configuration, name: String) -> String? {
    let quotedPath = "“\(displayed(name))”"
    if meter.loudness.integrated == nil {
      let cause = "\(quotedPath) is silent, or shorter than 0.4 seconds, so it has no loudness"
      return cause + (options.loudness == nil ? "." : "; it was encoded without a gain.")
    }
    guard let target = options.loudness, shortfall >= 0.05 else { return nil }
    let ceiling = QuantityText.fixed(target.ceiling, decimals: 1)
    let missing = QuantityText.fixed(shortfall, decimals: 1)
    let start = "\(quotedPath) is \(missing) LU quieter than requested: "
    if gain >= Self.maxGain {
      let most = QuantityText.fixed(Self.maxGain, decimals: 0)
      return start
        + "with a gain of more than \(most) dB its peaks would rise above \(ceiling) dBTP."
    }
    return start + "more gain would only flatten it, as its peaks are limited to \(ceiling) dBTP. "
      + "Choose a lower loudness, or a higher limit."
  }
}

/// Applies a constant gain, and limits true peaks to a ceiling if there is one.
struct LoudnessGain {
  private let factor: Float
  /// The limiter; nil without a ceiling.
  private var limiter: EffectChain?

  /// Creates a gain in decibels with a ceiling in dBTP.
  init(
    decibels: Double, ceiling: Double?, channelCount: Int, sampleRate: Int
  ) throws(AACFileError) {
    factor = Gain.factor(decibels: decibels)
    if let ceiling {
      limiter = try EffectChain.ofFile(
        [EffectDescription(.limiter).with(ceiling, at: 0)], channelCount: channelCount,
        sampleRate: sampleRate)
    }
  }

  /// Replaces input frames by output frames; a limiter delays some.
  mutating func process(_ samples: inout [Float]) {
    for index in samples.indices { samples[index] *= factor }
    limiter?.process(&samples)
  }

  /// Appends the delayed frames.
  mutating func finish(into samples: inout [Float]) { limiter?.finish(into: &samples) }
}

/// Searches for the gain that reaches a requested loudness in spite of a limiter.
///
/// The effect of the limiter is known only from trials. The second trial adds the missing loudness
/// to the gain. With the limiter, a decibel of gain raises the loudness by less than 1 LU, so a
/// later trial adds more than the missing loudness. The trial with the smallest error is the
/// result.
struct LimitedGainSearch {
  /// The error in LU that is accepted.
  static let tolerance = 0.1
  static let maxTrialCount = 3

  /// The gain of the next trial, in decibels; nil if another trial would not be better.
  private(set) var gain: Double?
  private let target: Double
  private let maxGain: Double
  private var trialCount = 0
  private var last: (gain: Double, loudness: Double)?
  /// The smallest error of a trial, in LU.
  private var minError = Double.infinity

  /// The minimum improvement in LU for another trial: a smaller one is not worth more limiting.
  private static let minImprovement = 0.01

  /// Begins with a gain and limits all trials to `maxGain`.
  init(target: Double, gain: Double, maxGain: Double) {
    self.target = target
    self.gain = gain
    self.maxGain = maxGain
  }

  /// Records the loudness of a trial in LUFS; returns whether its error is the smallest up to now.
  mutating func record(_ loudness: Double) -> Bool {
    guard let gain else { return false }
    trialCount += 1
    let missing = target - loudness
    let isNearest = missing.magnitude < minError - Self.minImprovement
    if isNearest { minError = missing.magnitude }
    var slope = 1.0
    if let last, gain != last.gain {
      slope = max(0.2, min((loudness - last.loudness) / (gain - last.gain), 1))
    }
    last = (gain, loudness)
    let next = min(gain + missing / slope, maxGain)
    let isDone =
      missing.magnitude <= Self.tolerance || trialCount == Self.maxTrialCount || !isNearest
      || (next - gain).magnitude < Self.minImprovement
    self.gain = isDone ? nil : next
    return isNearest
  }
}
