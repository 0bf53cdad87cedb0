/// Mixes several channels to fewer, or one to two.
///
/// Mixing down uses the weights of ITU-R BS.775 (annex 4): fronts at 1, the center and the
/// surrounds at √½; the LFE is omitted. The weights are not scaled down to prevent overload, so a
/// mix of loud channels can exceed ±1; scaling would make ordinary mixes too quiet. Only stereo to
/// mono is a mean, so that two equal channels sound like one.
@frozen
public struct ChannelMixer: Sendable {
  /// The number of channels in an input frame.
  public let inputChannelCount: Int
  /// The number of channels in an output frame.
  public let outputChannelCount: Int
  /// The weights: a row of input channels for each output channel.
  @usableFromInline let weights: [Float]

  /// Creates a mixer from a layout to mono or stereo, or from mono to stereo.
  public init(from layout: ChannelLayout, to outputChannelCount: Int) throws(PCMError) {
    let speakers = layout.speakers
    var left: [Float] = []
    var right: [Float] = []
    for speaker in speakers {
      let weights = Self.stereoWeights(of: speaker)
      left.append(weights.left)
      right.append(weights.right)
    }
    inputChannelCount = speakers.count
    self.outputChannelCount = outputChannelCount
    switch (speakers.count, outputChannelCount) {
    case (1, 1): weights = [1]
    case (1, 2): weights = [1, 1]
    case (2, 1): weights = [0.5, 0.5]
    case (_, 2): weights = left + right
    case (_, 1):
      // The standard's mono weights are its stereo weights, summed and times √½.
      var mono: [Float] = []
      for channel in 0..<speakers.count {
        mono.append((left[channel] + right[channel]) * Self.halfPower)
      }
      weights = mono
    default: throw .unsupportedMix(from: speakers.count, to: outputChannelCount)
    }
  }

  /// Creates a mixer between channel counts in their standard layouts.
  public init(from inputChannelCount: Int, to outputChannelCount: Int) throws(PCMError) {
    guard let layout = ChannelLayout.standard(channelCount: inputChannelCount) else {
      throw .unsupportedMix(from: inputChannelCount, to: outputChannelCount)
    }
    try self.init(from: layout, to: outputChannelCount)
  }

  /// Creates a mixer with the downmix weights in a coded stream (ISO/IEC 14496-3, 4.5.1.2.2).
  ///
  /// It mixes five channels, with or without an LFE, to stereo or mono. Unlike the other mixes this
  /// one is scaled down so that it cannot overload. The result is nil for other channels or
  /// outputs, which the clause does not cover.
  public init?(
    from layout: ChannelLayout, to outputChannelCount: Int, surroundWeight: Float,
    isPseudoSurround: Bool
  ) {
    let order = layout.standardOrder
    let count = layout.speakers.count
    guard count == 5 || count == 6, let order, (1...2).contains(outputChannelCount) else {
      return nil
    }
    // The standard order is L R C, the LFE if there are six channels, Ls Rs.
    let (left, right, center) = (order[0], order[1], order[2])
    let (leftSurround, rightSurround) = (order[count - 2], order[count - 1])
    var weights = [Float](repeating: 0, count: count * outputChannelCount)
    if outputChannelCount == 1 {
      let scale = 1 / (3 + 2 * surroundWeight)
      for channel in [left, right, center] { weights[channel] = scale }
      for channel in [leftSurround, rightSurround] { weights[channel] = scale * surroundWeight }
    } else {
      let surround = isPseudoSurround ? 2 * surroundWeight : surroundWeight
      let scale = 1 / (1 + Self.halfPower + surround)
      weights[left] = scale
      weights[count + right] = scale
      weights[center] = scale * Self.halfPower
      weights[count + center] = scale * Self.halfPower
      weights[leftSurround] = scale * surroundWeight
      weights[count + rightSurround] = scale * surroundWeight
      if isPseudoSurround {
        weights[leftSurround] = -scale * surroundWeight
        weights[rightSurround] = -scale * surroundWeight
        weights[count + leftSurround] = scale * surroundWeight
      }
    }
    inputChannelCount = count
    self.outputChannelCount = outputChannelCount
    self.weights = weights
  }

  /// Creates a mixer that passes every channel to the same loudspeaker of another layout.
  ///
  /// A channel without a matching loudspeaker is omitted. Exception: a single channel goes to both
  /// fronts if there is no center.
  public init(routing layout: ChannelLayout, to target: ChannelLayout) {
    let count = layout.speakers.count
    var weights = [Float](repeating: 0, count: count * target.speakers.count)
    for (output, speaker) in target.speakers.enumerated() {
      let isFront = speaker == .frontLeft || speaker == .frontRight
      if let input = layout.speakers.firstIndex(of: speaker) {
        weights[output * count + input] = 1
      } else if count == 1, isFront, !target.speakers.contains(layout.speakers[0]) {
        weights[output * count] = 1
      }
    }
    inputChannelCount = count
    outputChannelCount = target.speakers.count
    self.weights = weights
  }

  /// Mixes whole interleaved frames and appends the result; ignores an incomplete frame at the end.
  public func mix(_ input: Span<Float>, into output: inout [Float]) {
    let end = input.wholeCount(inputChannelCount)
    var base = 0
    while base < end {
      for channel in 0..<outputChannelCount {
        let row = channel * inputChannelCount
        var sum: Float = 0
        for source in 0..<inputChannelCount { sum += weights[row + source] * input[base + source] }
        output.append(sum)
      }
      base += inputChannelCount
    }
  }

  /// Mixes whole interleaved frames and appends the result; ignores an incomplete frame at the end.
  public func mix(_ input: [Float], into output: inout [Float]) {
    mix(input.span, into: &output)
  }

  /// √½, −3 dB.
  private static let halfPower: Float = 0.707_106_77

  private static func stereoWeights(of speaker: SpeakerPosition) -> (left: Float, right: Float) {
    switch speaker {
    case .frontLeft, .frontLeftOfCenter: (1, 0)
    case .frontRight, .frontRightOfCenter: (0, 1)
    case .frontCenter: (halfPower, halfPower)
    case .lowFrequency: (0, 0)
    case .backLeft, .sideLeft, .topFrontLeft, .topBackLeft: (halfPower, 0)
    case .backRight, .sideRight, .topFrontRight, .topBackRight: (0, halfPower)
    // A single surround distributes half of its power to each side, and is then weighted like a
    // pair.
    case .backCenter, .topCenter, .topFrontCenter, .topBackCenter: (0.5, 0.5)
    }
  }
}
