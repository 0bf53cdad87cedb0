import AacornSignal

/// Band replication and parametric stereo of all elements of a stream, if it has them.
struct SBRDecoder: Sendable {
  /// Whether band replication makes the output, rather than the core.
  private(set) var isActive = false
  /// Whether parametric stereo converts one channel to two.
  private(set) var isStereo = false
  /// The output, in the order of the plan's channels, in the scale of 16-bit samples.
  private(set) var outputs: [[Float]] = []

  private let configuration: AudioSpecificConfig
  private let isDownsampled: Bool
  /// Whether one channel is output as two before the stream signals parametric stereo.
  private let expectsStereo: Bool
  /// Whether the last valid unit had no payload.
  private var hasNoPayload = false
  private var plan: ElementPlan?
  /// The band replication of each element; the LFE has one without anything to replicate.
  private(set) var elements: [SBRElementDecoder] = []

  init(_ configuration: AudioSpecificConfig, isStereo: Bool) {
    self.configuration = configuration
    isDownsampled = configuration.extensionSampleRate == configuration.sampleRate
    isActive = configuration.extensionSampleRate != nil
    expectsStereo = isStereo || configuration.hasParametricStereo
  }

  /// The sampling rate of the output, in hertz.
  var sampleRate: Int { configuration.sampleRate * (doublesSampleRate ? 2 : 1) }
  /// Samples per channel of a frame.
  var sampleCount: Int { configuration.frameLength * (doublesSampleRate ? 2 : 1) }

  private var doublesSampleRate: Bool { isActive && !isDownsampled }

  mutating func setPlan(_ new: ElementPlan) {
    plan = new
    isStereo = false
    elements = []
    if isActive { activate() }
  }

  /// Resets all state that previous frames left.
  mutating func reset() {
    for index in 0..<elements.count { elements[index].reset() }
  }

  private mutating func activate() {
    guard let plan else { return }
    isActive = true
    isStereo = expectsStereo && plan.channelCount == 1
    elements = plan.elements.map { element in
      SBRElementDecoder(
        coreRate: configuration.sampleRate, frameLength: configuration.frameLength,
        channelCount: element.kind == .pair ? 2 : 1, isDownsampled: isDownsampled)
    }
    let count = isStereo ? 2 : plan.channelCount
    outputs = (0..<count).map { _ in [Float](repeating: 0, count: sampleCount) }
  }

  /// Reads the payloads of a unit; returns whether the rate or the channels of the output change.
  ///
  /// A payload in a stream that did not announce it means that the whole stream has band
  /// replication (implicit signaling, 1.6.5.2). After units without a payload, two in a row are
  /// required: a single payload is more likely to be damaged data.
  mutating func read(
    _ block: ParsedBlock, of unit: [UInt8], range: Range<Int>?, firstChannels: [Int]
  ) -> Bool {
    var hasChanged = false
    if !isActive {
      let hadNoPayload = hasNoPayload
      hasNoPayload = !block.extensions.contains { $0.kind.isSpectralBandReplication }
      guard configuration.signaling == .implicit, configuration.sampleRate <= 48_000, !hasNoPayload,
        !hadNoPayload
      else { return false }
      activate()
      hasChanged = true
    }
    let origin = (range?.lowerBound ?? 0) * 8
    var sounding = -1
    var next = 0
    for (index, element) in block.elements.enumerated() {
      if element.hasOutputChannels { sounding += 1 }
      while next < block.extensions.count && block.extensions[next].element == index {
        let payload = block.extensions[next]
        next += 1
        guard payload.kind.isSpectralBandReplication, sounding >= 0,
          let planIndex = plan?.elements.firstIndex(where: {
            $0.firstChannel == firstChannels[sounding]
          }),
          var bits = payload.content(in: unit, from: origin)
        else { continue }
        _ = elements[planIndex].read(
          &bits, hasChecksum: payload.kind == .checkedSpectralBandReplication)
      }
    }
    if !isStereo, elements.count == 1, elements[0].hasParametricStereo {
      isStereo = true
      outputs.append([Float](repeating: 0, count: sampleCount))
      hasChanged = true
    }
    return hasChanged
  }

  /// Computes the output from the core's samples.
  mutating func process(_ channels: [ChannelDecoder]) {
    guard isActive, let plan else { return }
    for (index, element) in plan.elements.enumerated() {
      let first = element.firstChannel
      if isStereo {
        var right: [Float] = []
        swap(&right, &outputs[1])
        elements[index].process(channels[first].samples, intoLeft: &outputs[0], right: &right)
        swap(&right, &outputs[1])
        continue
      }
      for offset in 0..<(element.kind == .pair ? 2 : 1) {
        elements[index].process(
          channel: offset, channels[first + offset].samples, into: &outputs[first + offset])
      }
    }
  }
}
