/// The encoder of band replication, before the core's encoder (ISO/IEC 14496-3, 4.6.18).
///
/// It halves the sampling rate for the core, and describes the bands that the core does not code.
struct SBREncoder: SegmentStage {
  /// The number of samples that the filters need before a block.
  private static let lead = 1536

  /// The input samples, at the output rate.
  var input: SampleInput
  /// The preprocessor of parametric stereo; nil in HE-AAC.
  private var stereo: StereoPreprocessor?
  private var decimator = HalfBandDecimator()
  /// Samples passed from the decimator to the core.
  private var halved = [Float](repeating: 0, count: AACEncoder.coreSamples)
  /// An encoder for each element; nil for an LFE.
  private var encoders: [SBRElementEncoder?] = []

  /// Creates an analysis of input with a layout; `elements` lists the coded channels.
  init(_ settings: SBRSettings, _ layout: ChannelConfiguration, _ elements: [Element]) {
    input = SampleInput(layout, frameLength: 2048, lead: Self.lead)
    if let bitrate = settings.stereoBitrate {
      stereo = StereoPreprocessor(bitrate: bitrate, headerDistance: settings.headerDistance)
    }
    for element in elements {
      encoders.append(
        element.kind == .lowFrequency
          ? nil : SBRElementEncoder(settings, channels: element.channels))
    }
  }

  static var lookBack: Int { SBRElementEncoder.lookBack }

  mutating func begin(atFrame index: Int) {
    for index in encoders.indices { encoders[index]?.begin(atFrame: index) }
  }

  /// The number of samples needed for a frame: the core's block, and the filters' lookahead.
  var neededSamples: Int {
    stereo == nil
      ? 2 * AACEncoder.coreSamples + HalfBandDecimator.reach : StereoPreprocessor.neededSamples
  }

  /// Computes samples for the core until it has enough for frame `index`.
  mutating func fill(_ core: inout SampleInput, frame index: Int) {
    if stereo == nil {
      decimate(&core)
    } else {
      stereo?.fill(&core.queues[0], of: input, frame: index)
    }
  }

  private mutating func decimate(_ core: inout SampleInput) {
    let available = core.available
    let count = AACEncoder.coreSamples - available
    guard count > 0 else { return }
    for channel in input.queues.indices {
      let queue = input.queues[channel]
      decimator.decimate(
        queue.samples, from: queue.head + 2 * available, count: count, into: &halved, at: 0)
      core.queues[channel].append(halved, count: count)
    }
  }

  /// Describes frame `index`, whose block begins at the head of the input.
  ///
  /// Returns the bits of all elements, together at most half of `maxBitCount` if that is possible.
  mutating func describe(
    frame index: Int, into payloads: inout [BitWriter], maxBitCount: Int
  ) -> Int {
    var bits = 0
    let byteLimit = maxBitCount / (16 * encoders.count)
    for element in encoders.indices where encoders[element] != nil {
      if let stereo {
        encoders[element]?.copyBands(from: stereo)
      } else {
        encoders[element]?.analyzeBands(of: input)
      }
      encoders[element]?.encode(
        frame: index, stereo: stereo?.data(ofFrame: index), into: &payloads[element],
        byteLimit: byteLimit)
      var counter = FrameWriter(BitCounter())
      counter.putReplication(payloads[element])
      bits += counter.bitCount
    }
    return bits
  }
}

extension AACEncoder {
  /// Describes the replicated bands of the frame, and passes samples to the core.
  mutating func replicate() {
    for index in replication.indices {
      replication[index].fill(&input, frame: frameIndex)
      replicationBits = replication[index].describe(
        frame: frameIndex, into: &payloads, maxBitCount: rate.maxBitCount)
    }
  }

  mutating func advance() {
    input.advance(by: 1)
    for index in replication.indices { replication[index].input.advance(by: 1) }
  }
}
