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
