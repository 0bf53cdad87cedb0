import AacornSignal

/// The samples of all channels on their way into an encoder.
///
/// Every sample format is brought to one scale, and channel after channel goes into a queue of its
/// own, in AAC's order. How the samples are split into chunks makes no difference.
struct SampleInput: Sendable {
  /// The samples of each channel, in AAC's order.
  var queues: [SampleQueue]
  /// Samples per channel so far.
  private(set) var sampleCount = 0
  /// Samples that were not taken: those after the end, and planar ones that are not as many for each channel.
  private(set) var ignoredCount = 0
  /// Whether the input has ended.
  private(set) var isFinished = false
  /// The channels that have arrived of a frame whose others have not.
  private var partialFrame: [Float] = []
  /// For each channel in AAC's order, the index of that channel in a WAV file.
  private let sourceOrder: [Int]

  /// An input whose frames have `frameLength` samples; `lead` more before a frame can be read.
  ///
  /// It begins with a frame of silence, which the first block overlaps.
  init(_ layout: ChannelConfiguration, frameLength: Int = 1024, lead: Int = 0) {
    self.init(empty: layout, frameLength: frameLength, lead: lead)
    fill(upTo: frameLength)
  }

  /// An input without that frame.
  init(empty layout: ChannelConfiguration, frameLength: Int = 1024, lead: Int = 0) {
    let queue = SampleQueue(frameLength: frameLength, lead: lead)
    queues = [SampleQueue](repeating: queue, count: layout.channelCount)
    sourceOrder = layout.sourceOrder
    partialFrame.reserveCapacity(layout.channelCount)
  }

  /// The number of samples per channel from the start of the frame on.
  var available: Int { queues[0].available }

  /// Takes interleaved 16-bit samples, channel by channel in the order of a WAV file.
  ///
  /// Any number of samples may be passed at a time; a frame split across calls is joined again.
  mutating func append(interleaved samples: Span<Int16>) {
    if queues.count == 2, partialFrame.isEmpty, samples.count % 2 == 0, !isFinished {
      appendStereo(samples)
    } else {
      take(count: samples.count) { unsafe Float(samples[unchecked: $0]) }
    }
  }

  /// By far the most common input, four frames at a time.
  private mutating func appendStereo(_ samples: Span<Int16>) {
    let frames = samples.count / 2
    let left = queues[0].extend(by: frames)
    let right = queues[1].extend(by: frames)
    unsafe samples.withUnsafeBytes { bytes in
      unsafe queues.withUnsafeMutableBufferPointer { queues in
        guard let base = bytes.baseAddress else { return }
        unsafe SampleQueue.fillStereo(&queues[0], left, &queues[1], right, count: frames, base)
      }
    }
    sampleCount += frames
  }

  /// Takes interleaved samples of `significantBits` bits (16…32) in 32-bit integers.
  ///
  /// The low bits of the value count: 24-bit samples lie in −2²³…2²³−1.
  mutating func append(interleaved samples: Span<Int32>, significantBits: Int) {
    let scale = Self.scale(significantBits: significantBits)
    take(count: samples.count) { unsafe Self.bounded(Float(samples[unchecked: $0]) * scale) }
  }

  /// Takes interleaved samples from −1 to 1.
  ///
  /// Values beyond ±4 are clipped, and NaN becomes silence.
  mutating func append(interleaved samples: Span<Float>) {
    take(count: samples.count) { unsafe Self.sane(samples[unchecked: $0]) }
  }

  /// Takes one span of 16-bit samples for each channel, one channel after another in `samples`.
  mutating func append(planar samples: Span<Int16>) {
    takePlanar(count: samples.count) { unsafe Float(samples[unchecked: $0]) }
  }

  /// Takes samples of `significantBits` bits (16…32), one channel after another in `samples`.
  mutating func append(planar samples: Span<Int32>, significantBits: Int) {
    let scale = Self.scale(significantBits: significantBits)
    takePlanar(count: samples.count) {
      unsafe Self.bounded(Float(samples[unchecked: $0]) * scale)
    }
  }

  /// Takes samples from −1 to 1, one channel after another in `samples`.
  mutating func append(planar samples: Span<Float>) {
    takePlanar(count: samples.count) { unsafe Self.sane(samples[unchecked: $0]) }
  }

  /// Ends the input; missing channels of the last frame are silent.
  ///
  /// Samples that come afterwards are ignored.
  mutating func finish() {
    completeFrame()
    isFinished = true
  }

  private mutating func completeFrame() {
    while !partialFrame.isEmpty { take(count: 1) { _ in 0 } }
  }

  /// Appends silence until `count` samples per channel are available.
  mutating func fill(upTo count: Int) {
    for channel in queues.indices { queues[channel].fill(upTo: count) }
  }

  /// Advances by `frameCount` frames.
  mutating func advance(by frameCount: Int) {
    for channel in queues.indices { queues[channel].advance(by: frameCount) }
  }

  /// A separate input with `count` samples per channel from the start of the frame on, and those
  /// before it.
  ///
  /// It begins `leadCount` frames earlier. Samples that have not arrived are silence.
  func part(leadCount: Int, count: Int) -> SampleInput {
    var part = self
    for channel in queues.indices {
      part.queues[channel] = queues[channel].part(leadCount: leadCount, count: count)
    }
    part.isFinished = false
    return part
  }

  /// Converts any Float to a valid sample in 16-bit scale.
  @inline(__always)
  private static func sane(_ sample: Float) -> Float {
    bounded(sample * 32_768)
  }

  /// Limits to four times full scale; a comparison with a NaN is false, so NaN becomes silence.
  @inline(__always)
  private static func bounded(_ sample: Float) -> Float {
    if sample >= -131_072 && sample <= 131_072 { return sample }
    return sample > 0 ? 131_072 : (sample < 0 ? -131_072 : 0)
  }

  /// The factor from `significantBits` bits to 16-bit scale.
  private static func scale(significantBits: Int) -> Float {
    let bits = min(max(significantBits, 16), 32)
    return ElementaryFunctions.exp2(Float(16 - bits))
  }

  @inline(__always)
  private mutating func take(count: Int, _ sample: (Int) -> Float) {
    if isFinished { ignoredCount &+= count }
    guard !isFinished, count > 0 else { return }
    let channelCount = queues.count
    if partialFrame.isEmpty && count % channelCount == 0 {
      append(frames: count / channelCount, stride: channelCount, step: 1, sample)
      return
    }
    // For chunks that end inside a frame: join the rest with what comes now.
    for index in 0..<count {
      partialFrame.append(sample(index))
      if partialFrame.count == channelCount {
        let frame = partialFrame
        append(frames: 1, stride: channelCount, step: 1) { frame[$0] }
        partialFrame.removeAll(keepingCapacity: true)
      }
    }
  }

  @inline(__always)
  private mutating func takePlanar(count: Int, _ sample: (Int) -> Float) {
    let channelCount = queues.count
    guard !isFinished, count % channelCount == 0 else {
      ignoredCount &+= count
      return
    }
    if count == 0 { return }
    completeFrame()
    append(frames: count / channelCount, stride: 1, step: count / channelCount, sample)
  }

  /// Queues frames whose sample for source channel c and time t is at c·step + t·stride.
  @inline(__always)
  private mutating func append(
    frames: Int, stride: Int, step: Int, _ sample: (Int) -> Float
  ) {
    for channel in 0..<queues.count {
      let source = sourceOrder[channel]
      let start = queues[channel].extend(by: frames)
      queues[channel].fill(from: start, count: frames) { sample(source * step + $0 * stride) }
    }
    sampleCount += frames
  }
}
