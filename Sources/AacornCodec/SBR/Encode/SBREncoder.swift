import AacornSignal

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
  init(_ settings: SBRSettings, layout: ChannelConfiguration, elements: [Element]) {
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

/// Halves the sampling rate for the core, without a delay.
///
/// The low-pass filter is a Kaiser-windowed sinc at half the band. Every second tap except the
/// middle one is zero:
///
///     out[n] = x[2n]/2 + Σ h[j]·(x[2n − j] + x[2n + j]), j = 1, 3 … 2M − 1
///     h[j] ~ (−1)^((j − 1)/2)/j · I₀(β√(1 − (j/2M)²)), Σ h[j] = ¼
///
/// The pass band is unchanged, and its aliases are attenuated by 90 dB. Frequencies in between
/// alias to above the pass band, where the core has no lines.
struct HalfBandDecimator: Sendable {
  /// The number of samples on each side that affect an output sample: 2M − 1 of the longest filter.
  static let reach = 47
  /// The maximum number of the 64 bands that pass unchanged, without aliases.
  static let maxBandCount = 28

  /// The widest pass band, in cycles per sample: 28 of the 64 bands.
  static let widestPassBand = 0.2188

  /// Stop-band attenuation in decibels: 90, and 2 as a margin.
  private static let attenuation = 92.0

  /// The number of output samples per filling of `sides` and `middles`.
  private static let blockCount = 512

  /// The number of samples that the kernel computes in one step.
  private static let groupCount = 32

  /// The taps h from the outermost pair inward.
  private let weights: [Float]
  /// The input samples at odd distances from the output samples, and the samples between them.
  private var sides: [Float]
  private var middles: [Float]
  /// Scratch for the last output samples, if their count is not a multiple of `groupCount`.
  private var tailScratch: [Float]

  /// Creates the shortest filter whose pass band reaches `passBand` cycles per sample.
  ///
  /// The pass band is limited to ``widestPassBand``.
  init(passBand: Double = HalfBandDecimator.widestPassBand) {
    // Kaiser's formulas for the length, and for β from the attenuation at this length.
    let width = 0.5 - 2 * min(passBand, Self.widestPassBand)
    let length = (Self.attenuation - 7.95) / (14.36 * width)
    let pairs = Int((length + 2) / 4) + 1
    let beta = 0.1102 * (7.95 + 14.36 * width * Double(4 * pairs) - 8.7)
    var taps: [Double] = []
    var sum = 0.0
    for pair in 0..<pairs {
      let distance = Double(2 * (pairs - pair) - 1)
      let relative = distance / Double(2 * pairs)
      let window = ElementaryFunctions.besselI0(
        ofSquareRootOf: beta * beta * (1 - relative * relative))
      let tap = ((pairs - pair) % 2 == 1 ? window : -window) / distance
      taps.append(tap)
      sum += tap
    }
    var weights: [Float] = []
    for tap in taps { weights.append(Float(0.25 * tap / sum)) }
    self.weights = weights
    sides = [Float](repeating: 0, count: Self.blockCount + 2 * pairs)
    middles = sides
    tailScratch = [Float](repeating: 0, count: Self.groupCount)
  }

  /// Computes `count` output samples and stores them from `place` on.
  ///
  /// The first output sample is centered on the input sample `start`.
  ///
  /// Up to ``reach`` samples before the first and after the last center must exist.
  mutating func decimate(
    _ samples: [Float], from start: Int, count: Int, into output: inout [Float], at place: Int
  ) {
    let pairs = weights.count
    let reach = 2 * pairs - 1
    guard count > 0 else { return }
    precondition(start >= reach && samples.count > start + 2 * (count - 1) + reach)
    precondition(place >= 0 && output.count >= place + count)
    for done in stride(from: 0, to: count, by: Self.blockCount) {
      let block = min(Self.blockCount, count - done)
      unsafe Self.split(
        samples, from: start + 2 * done - reach, block + reach, sides: &sides, middles: &middles)
      let whole = block - block % Self.groupCount
      unsafe Self.filter(
        sides: sides, middles: middles, weights: weights, pairs, 0..<whole, into: &output,
        at: place + done)
      if whole < block {
        unsafe Self.filter(
          sides: sides, middles: middles, weights: weights, pairs, whole..<whole + Self.groupCount,
          into: &tailScratch, at: 0)
        for i in whole..<block { output[place + done + i] = tailScratch[i - whole] }
      }
    }
  }

  /// Splits samples from `from` on into `count` even ones and the samples between them.
  private static func split(
    _ samples: UnsafePointer<Float>, from: Int, _ count: Int,
    sides: UnsafeMutablePointer<Float>, middles: UnsafeMutablePointer<Float>
  ) {
    let source = unsafe samples + from
    var i = 0
    // The last side may be the last sample of the input.
    while i &+ 4 < count {
      let (a, b) = unsafe (source.lanes(2 &* i), source.lanes(2 &* i &+ 4))
      unsafe sides.store(Lanes(a[0], a[2], b[0], b[2]), i)
      unsafe middles.store(Lanes(a[1], a[3], b[1], b[3]), i)
      i &+= 4
    }
    while i < count {
      unsafe sides[i] = source[2 &* i]
      if i &+ 1 < count { unsafe middles[i] = source[2 &* i &+ 1] }
      i &+= 1
    }
  }

  /// Computes the samples of `range`, a multiple of 32 in length, from the outermost taps inward.
  private static func filter(
    sides: UnsafePointer<Float>, middles: UnsafePointer<Float>,
    weights: UnsafePointer<Float>, _ pairs: Int, _ range: Range<Int>,
    into output: UnsafeMutablePointer<Float>, at offset: Int
  ) {
    var n = range.lowerBound
    while n < range.upperBound {
      var first = LaneSquare(Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
      var second = first
      var (before, after) = unsafe (sides + n, sides + (n &+ 2 &* pairs &- 1))
      for pair in 0..<pairs {
        let weight = unsafe Lanes(repeating: weights[pair])
        unsafe first.a += (before.lanes(0) + after.lanes(0)) * weight
        unsafe first.b += (before.lanes(4) + after.lanes(4)) * weight
        unsafe first.c += (before.lanes(8) + after.lanes(8)) * weight
        unsafe first.d += (before.lanes(12) + after.lanes(12)) * weight
        unsafe second.a += (before.lanes(16) + after.lanes(16)) * weight
        unsafe second.b += (before.lanes(20) + after.lanes(20)) * weight
        unsafe second.c += (before.lanes(24) + after.lanes(24)) * weight
        unsafe second.d += (before.lanes(28) + after.lanes(28)) * weight
        unsafe before += 1
        unsafe after -= 1
      }
      let middle = unsafe middles + (n &+ pairs &- 1)
      let out = unsafe output + (offset &+ n &- range.lowerBound)
      unsafe out.store(first.a + middle.lanes(0) * 0.5, 0)
      unsafe out.store(first.b + middle.lanes(4) * 0.5, 4)
      unsafe out.store(first.c + middle.lanes(8) * 0.5, 8)
      unsafe out.store(first.d + middle.lanes(12) * 0.5, 12)
      unsafe out.store(second.a + middle.lanes(16) * 0.5, 16)
      unsafe out.store(second.b + middle.lanes(20) * 0.5, 20)
      unsafe out.store(second.c + middle.lanes(24) * 0.5, 24)
      unsafe out.store(second.d + middle.lanes(28) * 0.5, 28)
      n &+= 32
    }
  }
}
