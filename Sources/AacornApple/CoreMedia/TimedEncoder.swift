public import AacornCodec
public import AacornSignal

/// An encoder of an app's timestamped buffers; each unit has a time, too.
///
///     var encoder = try TimedEncoder(.init(sampleRate: 48_000, channelCount: 2))
///     if let gap = try encoder.encode(buffer) { … }
///     while let unit = encoder.nextUnit() { … }
///     encoder.finish()
///     while let unit = encoder.nextUnit() { … }
///
/// Buffers may have any length, and any rate and number of channels that can be converted; both may
/// change. The time of a unit derives from the buffer with its first sample: the buffer's time plus
/// the samples before that sample, as a fraction. Rounding errors never add up, and the times
/// follow a drifting clock.
///
/// Silence of the same length replaces missing samples, so that the times stay correct. After a gap
/// of more than ten seconds the times of units jump instead.
public struct TimedEncoder: Sendable {
  /// The encoder.
  public private(set) var encoder: AACEncoder
  private var clock = PresentationClock()
  private var input: Input?
  /// Samples per channel passed to the encoder.
  private var position = 0
  /// The frames of the input whose times are used for units, oldest first.
  private var anchors: [Anchor] = []
  /// The number of leading anchors that no longer apply.
  ///
  /// Removing each from the array would be slow if many buffers arrive before the first unit is
  /// read.
  private var passedCount = 0
  private var trim: StreamTrim?
  private var converted: [Float] = []

  /// The length of the longest gap that is filled, in seconds.
  public static let maxFilledGapSeconds = 10

  /// Consecutive buffers of one format, and their conversion to the encoder's format.
  private struct Input: Sendable {
    let format: PCMFormat
    var conversion: AudioConversion
    /// Samples per channel that the encoder had received when this format began.
    let origin: Int
    /// Frames of this format received up to now.
    var frameCount = 0
  }

  /// The time of a frame of the input.
  private struct Anchor: Sendable {
    /// The first of the encoder's samples to which the time applies.
    let position: Int
    let time: MediaTime
    /// The position in the encoder's samples at which this format began.
    let origin: Int
    /// Frames of this format before the frame with the time.
    let frameCount: Int
    /// The sampling rate of this format, in hertz.
    let sampleRate: Int

    func time(of sample: Int, _ outputRate: Int) -> MediaTime {
      let distance = Int64(sample - origin)
      if sampleRate == outputRate {
        return time.adding(frames: distance - Int64(frameCount), sampleRate: outputRate)
      }
      return time.adding(frames: distance, sampleRate: outputRate)
        .adding(frames: Int64(-frameCount), sampleRate: sampleRate)
    }
  }

  /// Creates an encoder; throws if the configuration is not possible.
  public init(_ configuration: AACEncoder.Configuration) throws(EncoderError) {
    encoder = try AACEncoder(configuration)
  }

  /// The decoder configuration, which a decoder needs before the first unit.
  public var audioSpecificConfig: AudioSpecificConfig { encoder.audioSpecificConfig }

  /// The mapping between units and samples.
  public var timing: StreamTiming { encoder.timing }

  /// Appends a buffer; without a time it follows the previous buffer, and the first begins at 0.
  ///
  /// An incomplete frame at the end of the buffer is ignored, and so are buffers after
  /// ``finish()``.
  ///
  /// - Returns: The gap before the buffer, or nil if there is none.
  /// - Throws: An error if the samples cannot be converted; none of them is encoded then.
  @discardableResult
  public mutating func encode(
    _ buffer: SoundBuffer
  ) throws(AudioConversion.Failure) -> PresentationGap? {
    if trim != nil || buffer.samples.isEmpty { return nil }
    let format = PCMFormat(
      sampleFormat: SampleFormat(.float32LittleEndian), sampleRate: buffer.sampleRate,
      channelCount: buffer.channelCount, layout: buffer.layout)
    if input?.format != format { try change(to: format) }
    let gap = gap(before: buffer)
    if let gap {
      switch gap.outcome {
      case .filled: fill(gap.frameCount, buffer.channelCount)
      case .skipped:
        completeUnit()
        try change(to: format)
      case .surplus: break
      }
    }
    addAnchor(for: buffer)
    let count = buffer.frameCount * buffer.channelCount
    push(count == buffer.samples.count ? buffer.samples : Array(buffer.samples.prefix(count)))
    return gap
  }

  /// Ends the input; the remaining units can then be read.
  public mutating func finish() {
    if trim != nil { return }
    flush()
    trim = encoder.finish()
  }

  /// Returns the next unit, or nil if more samples are needed.
  public mutating func nextUnit() -> TimedUnit? {
    guard let unit = encoder.nextAccessUnit() else { return nil }
    let rate = timing.sampleRate
    let time =
      anchor(of: unit)?.time(of: unit.samplePosition, rate) ?? MediaTime.zero(sampleRate: rate)
    let end = unit.samplePosition + unit.sampleCount
    return TimedUnit(
      unit: unit, time: time, sampleRate: rate,
      leadingTrim: min(max(0, -unit.samplePosition), unit.sampleCount),
      trailingTrim: min(max(0, end - (trim?.sampleCount ?? end)), unit.sampleCount))
  }

  // MARK: Time

  /// Returns the gap before a buffer, or nil if there is none.
  private mutating func gap(before buffer: SoundBuffer) -> PresentationGap? {
    let rate = buffer.sampleRate
    let step = clock.append(buffer.time, frameCount: buffer.frameCount, sampleRate: rate)
    guard let time = buffer.time else { return nil }
    switch step {
    case .contiguous: return nil
    case .gap(let count):
      let isFilled = count <= Self.maxFilledGapSeconds * rate
      return PresentationGap(
        outcome: isFilled ? .filled : .skipped, end: time, frameCount: count, sampleRate: rate)
    case .surplus(let count):
      return PresentationGap(outcome: .surplus, end: time, frameCount: count, sampleRate: rate)
    }
  }

  /// Returns the last anchor that applies to a unit, or the first of all; nil if there is none.
  private mutating func anchor(of unit: AccessUnit) -> Anchor? {
    while passedCount + 1 < anchors.count,
      anchors[passedCount + 1].position <= unit.samplePosition
    {
      passedCount += 1
    }
    if passedCount > anchors.count / 2 {
      anchors.removeFirst(passedCount)
      passedCount = 0
    }
    return anchors.isEmpty ? nil : anchors[passedCount]
  }

  /// Stores the presentation time of the next frame of the input.
  private mutating func addAnchor(for buffer: SoundBuffer) {
    guard let input else { return }
    let time: MediaTime
    if let own = buffer.time {
      // Surplus samples delay all later ones.
      time = clock.lead == 0 ? own : own.adding(frames: clock.lead, sampleRate: 1_000_000_000)
    } else if let last = anchors.last {
      if last.origin == input.origin { return }
      time = last.time(of: input.origin, timing.sampleRate)
    } else {
      time = .zero(sampleRate: timing.sampleRate)
    }
    // At another rate the frame may start between two of the encoder's samples.
    let rate = input.format.sampleRate
    let distance = Int64(input.frameCount) &* Int64(timing.sampleRate) / Int64(rate)
    anchors.append(
      Anchor(
        position: input.origin + Int(distance), time: time, origin: input.origin,
        frameCount: input.frameCount, sampleRate: rate))
  }

  // MARK: Samples

  /// Prepares for buffers of another format; flushes the previous format's samples to the encoder.
  private mutating func change(to format: PCMFormat) throws(AudioConversion.Failure) {
    let conversion = try AudioConversion(
      from: format, byteCount: nil, sampleRate: timing.sampleRate,
      channelCount: encoder.configuration.channelCount)
    flush()
    input = Input(format: format, conversion: conversion, origin: position)
  }

  /// Inserts `frameCount` frames of silence, one second at a time.
  private mutating func fill(_ frameCount: Int, _ channelCount: Int) {
    guard let rate = input?.format.sampleRate else { return }
    var rest = frameCount
    while rest > 0 {
      let count = min(rest, rate)
      push([Float](repeating: 0, count: count * channelCount))
      rest -= count
    }
  }

  /// Converts frames and passes them to the encoder.
  private mutating func push(_ samples: [Float]) {
    guard var input else { return }
    // Moved to a local variable, so that its storage is changed in place.
    self.input = nil
    input.frameCount += samples.count / input.format.channelCount
    var output: [Float] = []
    swap(&output, &converted)
    output.removeAll(keepingCapacity: true)
    var integers: [Int16] = []
    unsafe samples.withUnsafeBytes { bytes in
      let bytes = unsafe bytes.bindMemory(to: UInt8.self)
      unsafe input.conversion.push(bytes.span, integers: &integers, samples: &output)
    }
    self.input = input
    converted = output
    encodeConverted()
  }

  /// Passes the samples that remain in the conversion to the encoder.
  private mutating func flush() {
    guard var input else { return }
    self.input = nil
    converted.removeAll(keepingCapacity: true)
    input.conversion.finish(samples: &converted)
    self.input = input
    encodeConverted()
  }

  /// Fills the unit in progress with silence, so that the next sample is a unit's first.
  private mutating func completeUnit() {
    flush()
    input = nil
    let begun = (position + timing.priming) % timing.samplesPerUnit
    if begun == 0 { return }
    converted.removeAll(keepingCapacity: true)
    let count = (timing.samplesPerUnit - begun) * encoder.configuration.channelCount
    converted.append(contentsOf: repeatElement(0, count: count))
    encodeConverted()
  }

  private mutating func encodeConverted() {
    let samples = converted
    encoder.encode(interleaved: samples.span)
    position += samples.count / encoder.configuration.channelCount
  }
}
