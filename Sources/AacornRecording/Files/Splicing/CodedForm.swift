import AacornCodec
import AacornSystem

/// What the units of a file are, as far as units of several files can follow one another.
struct CodedForm: Equatable {
  /// The configuration; band replication that only the units tell is signaled in it.
  let stream: AudioSpecificConfig
  /// How the units map to samples.
  let timing: StreamTiming
  /// Channels that a decoder puts out.
  let channelCount: Int

  /// The form of a stream of which the first unit was decoded; nil if its configuration does not
  /// agree with what came out.
  init?(
    _ configuration: AudioSpecificConfig, sampleRate: Int, channelCount: Int, unitFrameCount: Int
  ) {
    var stream = configuration
    // An MP4 file counts in samples of the output, so it has to say what these are.
    if stream.extensionSampleRate == nil, unitFrameCount > stream.frameLength {
      stream.extensionSampleRate = sampleRate
      stream.signaling = .backwardCompatible
    }
    if stream.extensionSampleRate != nil, stream.channelCount == 1, channelCount == 2 {
      stream.hasParametricStereo = true
    }
    self.stream = stream
    self.channelCount = channelCount
    timing = StreamTiming(stream)
    guard timing.sampleRate == sampleRate, timing.samplesPerUnit == unitFrameCount else {
      return nil
    }
  }

  /// Samples per channel of a unit.
  var unitLength: Int64 { Int64(timing.samplesPerUnit) }

  /// Whether there is band replication.
  var hasBandReplication: Bool { stream.extensionSampleRate != nil }

  /// Whether units are predicted from all those before (ISO/IEC 14496-3, 4.6.6 and 4.6.7), so that
  /// none can be understood without them.
  var isPredicted: Bool {
    stream.objectType == .main || stream.objectType == .longTermPrediction
  }

  /// In what this form differs from another, so that its units cannot follow: “48 kHz instead of
  /// 44.1 kHz”; empty if they can.
  func differences(from other: CodedForm) -> [String] {
    var words: [String] = []
    func compare<Value: Equatable>(_ own: Value, _ others: Value, _ text: (Value) -> String) {
      if own != others { words.append("\(text(own)) instead of \(text(others))") }
    }
    compare(timing.sampleRate, other.timing.sampleRate, QuantityText.frequency)
    compare(channelCount, other.channelCount) { QuantityText.count($0, "channel") }
    compare(stream.objectType.rawValue, other.stream.objectType.rawValue) { "object type \($0)" }
    compare(hasBandReplication, other.hasBandReplication) {
      ($0 ? "" : "no ") + "band replication"
    }
    compare(stream.hasParametricStereo, other.stream.hasParametricStereo) {
      ($0 ? "" : "no ") + "parametric stereo"
    }
    compare(stream.frameLength, other.stream.frameLength) { "frames of \($0) samples" }
    if !words.isEmpty { return words }
    compare(stream.sampleRate, other.stream.sampleRate) {
      "a core of " + QuantityText.frequency($0)
    }
    if stream.channelConfiguration != other.stream.channelConfiguration
      || stream.programConfig != other.stream.programConfig
    {
      words.append("its channels in another arrangement")
    }
    return words
  }
}
