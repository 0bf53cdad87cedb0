import AacornSignal

/// Maps the channels of a feed to the channels of a device.
///
/// A unit would play the first channels and drop the others, so the mapped frames always have the
/// device's channel count.
struct CoreAudioChannels {
  /// The channel count of the feed.
  let inputCount: Int
  /// The channel count of the device.
  let outputCount: Int
  /// For each channel of the device, the weights of the feed's channels; nil if the frames stay
  /// unchanged.
  private let weights: [Float]?

  /// Assigns each channel of a format to channels of the device.
  ///
  /// The device's channel layout decides if it is known. Otherwise equal channel counts pass
  /// unchanged, more channels are mixed to one or two, and one or two go to the device's stereo
  /// pair.
  init(
    of format: PlaybackFormat, to outputCount: Int, _ layout: ChannelLayout? = nil,
    stereoPair: [Int]? = nil
  ) {
    inputCount = format.channelCount
    self.outputCount = outputCount
    let weights = Self.weights(of: format, to: outputCount, layout, stereoPair)
    let isUnchanged = inputCount == outputCount && weights == Self.diagonal(inputCount, outputCount)
    self.weights = isUnchanged ? nil : weights
  }

  /// Whether frames may go to the device unchanged.
  var areSame: Bool { weights == nil }

  /// Mixes interleaved frames.
  func mix(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    guard let weights else {
      return unsafe output.update(from: input, count: frameCount * outputCount)
    }
    for frame in 0..<frameCount {
      let source = unsafe input + frame * inputCount
      let destination = unsafe output + frame * outputCount
      for channel in 0..<outputCount {
        let row = channel * inputCount
        var sum: Float = 0
        for index in 0..<inputCount { unsafe sum += weights[row + index] * source[index] }
        unsafe destination[channel] = sum
      }
    }
  }

  private static func weights(
    of format: PlaybackFormat, to outputCount: Int, _ layout: ChannelLayout?, _ stereoPair: [Int]?
  ) -> [Float] {
    let inputCount = format.channelCount
    var source = format.layout ?? ChannelLayout.standard(channelCount: inputCount)
    if let layout = source, layout.speakers.count != inputCount { source = nil }
    if let source, let layout, outputCount > 2, layout.speakers.count == outputCount {
      return weights(of: ChannelMixer(routing: source, to: layout))
    }
    if inputCount != outputCount, outputCount <= 2, let source,
      let mixer = try? ChannelMixer(from: source, to: outputCount)
    {
      return weights(of: mixer)
    }
    guard inputCount <= 2, outputCount > 2 else { return diagonal(inputCount, outputCount) }
    var pair = [0, 1]
    if let stereoPair, stereoPair.count == 2,
      stereoPair.allSatisfy({ (0..<outputCount).contains($0) })
    {
      pair = stereoPair
    }
    var weights = [Float](repeating: 0, count: inputCount * outputCount)
    for (side, output) in pair.enumerated() {
      weights[output * inputCount + min(side, inputCount - 1)] = 1
    }
    return weights
  }

  /// Returns the weights of a mixer, measured by mixing each channel alone.
  private static func weights(of mixer: ChannelMixer) -> [Float] {
    let (inputCount, outputCount) = (mixer.inputChannelCount, mixer.outputChannelCount)
    var weights = [Float](repeating: 0, count: inputCount * outputCount)
    for input in 0..<inputCount {
      var frame = [Float](repeating: 0, count: inputCount)
      frame[input] = 1
      var mixed: [Float] = []
      mixer.mix(frame.span, into: &mixed)
      for output in 0..<outputCount { weights[output * inputCount + input] = mixed[output] }
    }
    return weights
  }

  /// Returns the weights that leave channels unchanged.
  private static func diagonal(_ inputCount: Int, _ outputCount: Int) -> [Float] {
    var weights = [Float](repeating: 0, count: inputCount * outputCount)
    for channel in 0..<min(inputCount, outputCount) { weights[channel * inputCount + channel] = 1 }
    return weights
  }
}
