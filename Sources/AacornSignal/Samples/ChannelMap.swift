/// Picks channels from interleaved frames and mixes them to the wanted number.
///
/// If the number picked is the number wanted, they are passed on in the order they were picked;
/// otherwise they are assumed to have the standard layout and are mixed by the rules of
/// ``ChannelMixer``: one channel becomes two equal ones, two become their mean.
///
///     frame of the input    0  1 [2][3] 4  5         picking [2, 3]
///                                 └──┼───► mixer ───► frame of the output
public struct ChannelMap: Sendable {
  /// Channels in a frame of the input.
  public let inputChannelCount: Int
  /// Channels in a frame of the output.
  public let outputChannelCount: Int
  /// The picked channels, by index in the frame; one may occur more than once.
  public let picked: [Int]
  /// The mixer's weights: a row of picked channels for each output; nil if there is no mixing.
  private let weights: [Float]?

  /// A map that picks one or more of `inputChannelCount` channels.
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

  /// What a header of a file can say.
  private static let mostChannels = 65_536

  /// A map that takes all channels.
  public init(
    from inputChannelCount: Int, to outputChannelCount: Int
  ) throws(PCMError) {
    guard inputChannelCount >= 1, inputChannelCount <= Self.mostChannels else {
      throw .unsupportedChannelCount(inputChannelCount)
    }
    try self.init(
      picking: Array(0..<inputChannelCount), of: inputChannelCount, to: outputChannelCount)
  }

  /// A map of channels whose loudspeakers are known.
  ///
  /// As many as wanted are brought into the order of the standard layout, if they are its channels,
  /// and stay as they are otherwise; other numbers are mixed by what each channel is.
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

  /// Whether frames stay as they are.
  private var isIdentity: Bool {
    weights == nil && picked.count == inputChannelCount
      && picked.indices.allSatisfy { picked[$0] == $0 }
  }

  /// Maps whole interleaved frames and appends the result; an incomplete frame at the end is ignored.
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
