/// The input samples of all channels that an encoder has not encoded yet.
///
/// Every sample format is converted to one scale, and each channel is appended to its own queue, in
/// AAC's order. The result does not depend on the division into chunks.
public struct SampleInput: Sendable {
  /// The samples of each channel, in AAC's order.
  var queues: [SampleQueue]
  /// Samples per channel received up to now.
  private(set) var sampleCount = 0
  /// Ignored samples: samples after the end, and planar ones with different counts per channel.
  private(set) var ignoredCount = 0
  private(set) var isFinished = false
  /// The received channels of an incomplete frame.
  private var partialFrame: [Float] = []
  /// The index in a WAV file for each channel in AAC's order.
  private let sourceOrder: [Int]

  /// Creates an input for frames of `frameLength` samples; `lead` more must precede a frame.
  ///
  /// It begins with a frame of silence, which the first block overlaps.
  init(_ layout: ChannelConfiguration, frameLength: Int = 1024, lead: Int = 0) {
    self.init(empty: layout, frameLength: frameLength, lead: lead)
    fill(upTo: frameLength)
  }

  /// Creates an input without the leading frame of silence.
  init(empty layout: ChannelConfiguration, frameLength: Int = 1024, lead: Int = 0) {
    let queue = SampleQueue(frameLength: frameLength, lead: lead)
    queues = [SampleQueue](repeating: queue, count: layout.channelCount)
    sourceOrder = layout.sourceOrder
    partialFrame.reserveCapacity(layout.channelCount)
  }

  /// The number of samples per channel from the start of the frame on.
  var available: Int { queues[0].available }

  /// Appends 16-bit samples, with the channels in the order of a WAV file.
  ///
  /// Interleaved samples may end inside a frame; planar ones are one channel after another.
  mutating func append(_ samples: Span<Int16>, isPlanar: Bool) {
    if !isPlanar, queues.count == 2, partialFrame.isEmpty, samples.count % 2 == 0, !isFinished {
      appendStereo(samples)
    } else {
      appendConverted(isPlanar: isPlanar, count: samples.count) {
        unsafe Float(samples[unchecked: $0])
      }
    }
  }

  /// Appends the most common input, 16-bit stereo, four frames at a time.
  private mutating func appendStereo(_ samples: Span<Int16>) {
    let frames = samples.count / 2
    let left = queues[0].appendZeros(count: frames)
    let right = queues[1].appendZeros(count: frames)
    unsafe samples.withUnsafeBytes { bytes in
      unsafe queues.withUnsafeMutableBufferPointer { queues in
        guard let base = bytes.baseAddress else { return }
        unsafe SampleQueue.fillStereo(
          &queues[0], at: left, &queues[1], at: right, count: frames, from: base)
      }
    }
    sampleCount += frames
  }

  /// Appends 32-bit samples.
  mutating func append(_ samples: Span<Int32>, isPlanar: Bool) {
    appendConverted(isPlanar: isPlanar, count: samples.count) {
      unsafe Float(samples[unchecked: $0]) * 0x1p-16
    }
  }

  /// Appends samples in −1…1.
  ///
  /// Values beyond ±4 are clipped, and NaN becomes silence.
  mutating func append(_ samples: Span<Float>, isPlanar: Bool) {
    appendConverted(isPlanar: isPlanar, count: samples.count) {
      unsafe Self.bounded(samples[unchecked: $0] * 32_768)
    }
  }

  /// Ends the input; missing channels of the last frame are silent.
  ///
  /// Later samples are ignored.
  mutating func finish() {
    completeFrame()
    isFinished = true
  }

  private mutating func completeFrame() {
    while !partialFrame.isEmpty { appendConverted(isPlanar: false, count: 1) { _ in 0 } }
  }

  /// Appends silence until `count` samples per channel are available.
  mutating func fill(upTo count: Int) {
    for channel in queues.indices { queues[channel].fill(upTo: count) }
  }

  mutating func advance(by frameCount: Int) {
    for channel in queues.indices { queues[channel].advance(by: frameCount) }
  }

  /// Returns a separate input with `count` samples per channel from the start of the frame on.
  ///
  /// It begins `leadCount` frames earlier. Samples that have not arrived are silent.
  func segment(leadCount: Int, count: Int) -> SampleInput {
    var part = self
    for channel in queues.indices {
      part.queues[channel] = queues[channel].segment(leadCount: leadCount, count: count)
    }
    part.isFinished = false
    return part
  }

  /// Returns this unused input as it is at frame `index`, but without samples.
  ///
  /// The next sample to append is number `first`.
  func beginning(atFrame index: Int) -> (input: SampleInput, first: Int) {
    var input = self
    var first = 0
    for channel in queues.indices {
      (input.queues[channel], first) = queues[channel].beginning(atFrame: index)
    }
    return (input, first)
  }

  /// Clamps to four times full scale; a comparison with a NaN is false, so NaN becomes silence.
  @inline(__always)
  private static func bounded(_ sample: Float) -> Float {
    if sample >= -131_072 && sample <= 131_072 { return sample }
    return sample > 0 ? 131_072 : (sample < 0 ? -131_072 : 0)
  }

  /// Ignores all samples after `finish`, and planar ones whose number is not a multiple of the
  /// number of channels.
  @inline(__always)
  private mutating func appendConverted(isPlanar: Bool, count: Int, _ sample: (Int) -> Float) {
    let channelCount = queues.count
    guard !isFinished, !isPlanar || count % channelCount == 0 else {
      ignoredCount &+= count
      return
    }
    if count == 0 { return }
    if isPlanar {
      completeFrame()
      append(frames: count / channelCount, stride: 1, step: count / channelCount, sample)
    } else if partialFrame.isEmpty && count % channelCount == 0 {
      append(frames: count / channelCount, stride: channelCount, step: 1, sample)
    } else {
      // A chunk that starts or ends inside a frame: complete the partial frame.
      for index in 0..<count {
        partialFrame.append(sample(index))
        if partialFrame.count == channelCount {
          let frame = partialFrame
          append(frames: 1, stride: channelCount, step: 1) { frame[$0] }
          partialFrame.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  /// Appends frames whose sample for source channel c and time t is at c·step + t·stride.
  @inline(__always)
  private mutating func append(
    frames: Int, stride: Int, step: Int, _ sample: (Int) -> Float
  ) {
    for channel in 0..<queues.count {
      let source = sourceOrder[channel]
      let start = queues[channel].appendZeros(count: frames)
      queues[channel].fill(from: start, count: frames) { sample(source * step + $0 * stride) }
    }
    sampleCount += frames
  }
}
