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

/// Selects channels from interleaved frames and mixes them to the requested number.
///
/// If the number of selected channels is the requested one, they are passed on in the order of
/// selection. Otherwise they are assumed to have the standard layout and are mixed by the rules of
/// ``ChannelMixer``: one channel becomes two equal ones, two become their mean.
///
///     frame of the input    0  1 [2][3] 4  5         picking [2, 3]
///                                 └──┼───► mixer ───► frame of the output
public struct ChannelMap: Sendable {
  /// The number of channels in an input frame.
  public let inputChannelCount: Int
  /// The number of channels in an output frame.
  public let outputChannelCount: Int
  /// The indices of the selected channels in the frame; an index may occur more than once.
  public let picked: [Int]
  /// The mixer's weights: a row of selected channels for each output; nil without mixing.
  private let weights: [Float]?

  /// Creates a map that selects one or more of `inputChannelCount` channels.
  public init(
    picking picked: [Int], of inputChannelCount: Int, to outputChannelCount: Int
  ) throws(PCMError) {
    guard outputChannelCount >= 1 else { throw .unsupportedChannelCount(outputChannelCount) }
    guard !picked.isEmpty else { throw .unsupportedChannelCount(0) }
    for channel in picked where channel < 0 || channel >= inputChannelCount {
      throw .unsupportedChannelCount(inputChannelCount)
    }
    self.inputChannelCount = inputChannelCount
    self.outputChannelCount = outputChannelCount
    self.picked = picked
    weights =
      picked.count == outputChannelCount
      ? nil : try ChannelMixer(from: picked.count, to: outputChannelCount).weights
  }

  /// The maximum number of channels that a file header can specify.
  private static let maxChannelCount = 65_536

  /// Creates a map that selects all channels.
  public init(
    from inputChannelCount: Int, to outputChannelCount: Int
  ) throws(PCMError) {
    guard inputChannelCount >= 1, inputChannelCount <= Self.maxChannelCount else {
      throw .unsupportedChannelCount(inputChannelCount)
    }
    try self.init(
      picking: Array(0..<inputChannelCount), of: inputChannelCount, to: outputChannelCount)
  }

  /// Creates a map of channels whose loudspeakers are known.
  ///
  /// If the number of channels is the requested one, they are reordered to the standard layout, or
  /// stay unchanged if they are not the channels of that layout. Other numbers are mixed by their
  /// loudspeakers.
  public init(from layout: ChannelLayout, to outputChannelCount: Int) throws(PCMError) {
    let count = layout.speakers.count
    let all = Array(0..<count)
    inputChannelCount = count
    self.outputChannelCount = outputChannelCount
    if count == outputChannelCount {
      picked = layout.standardOrder ?? all
      weights = nil
    } else {
      picked = all
      weights = try ChannelMixer(from: layout, to: outputChannelCount).weights
    }
  }

  /// Whether frames stay unchanged.
  private var isIdentity: Bool {
    weights == nil && picked.count == inputChannelCount
      && picked.indices.allSatisfy { picked[$0] == $0 }
  }

  /// Maps whole interleaved frames and appends the result; ignores an incomplete frame at the end.
  public func apply(_ input: Span<Float>, into output: inout [Float]) {
    let input = input.extracting(0..<input.wholeCount(inputChannelCount))
    if isIdentity {
      unsafe input.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
      return
    }
    var base = 0
    while base < input.count {
      if let weights {
        for channel in 0..<outputChannelCount {
          let row = channel * picked.count
          var sum: Float = 0
          for index in 0..<picked.count {
            sum += weights[row + index] * input[base + picked[index]]
          }
          output.append(sum)
        }
      } else {
        for channel in picked { output.append(input[base + channel]) }
      }
      base += inputChannelCount
    }
  }
}
