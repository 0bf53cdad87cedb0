import AacornCodec

/// The properties of a file's units that must match for joining.
struct CodedForm: Equatable {
  /// The configuration, including band replication that is detected only in the units.
  let stream: AudioSpecificConfig
  /// The mapping of units to samples.
  let timing: StreamTiming
  let channelCount: Int

  /// Creates the form of a stream from its first decoded unit; nil if the configuration does not
  /// match the decoded samples.
  init?(
    _ configuration: AudioSpecificConfig, sampleRate: Int, channelCount: Int, unitFrameCount: Int
  ) {
    var stream = configuration
    // An MP4 file counts output samples, so it must signal their rate.
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

  /// Whether the stream has band replication.
  var hasBandReplication: Bool { stream.extensionSampleRate != nil }

  /// Whether units are predicted from all previous ones (ISO/IEC 14496-3, 4.6.6 and 4.6.7), so that
  /// none can be decoded without them.
  var isPredicted: Bool {
    stream.objectType == .main || stream.objectType == .longTermPrediction
  }

  /// Returns the differences from a previous file that prevent joining: “the sampling rates are
  /// 44100 and 48000 Hz”; empty if the files can be joined.
  func differences(from first: CodedForm) -> [String] {
    var words: [String] = []
    func compare<Value: Equatable>(_ one: Value, _ other: Value, text: (Value, Value) -> String) {
      if one != other { words.append(text(one, other)) }
    }
    compare(first.timing.sampleRate, timing.sampleRate) {
      "the sampling rates are \($0) and \($1) Hz"
    }
    compare(first.channelCount, channelCount) {
      "the first \(Self.text(forChannels: $0)), the second \(Self.text(forChannels: $1))"
    }
    compare(first.codingName, codingName) { "the first is \($0), the second \($1)" }
    compare(first.stream.frameLength, stream.frameLength) {
      "their frames have \($0) and \($1) samples"
    }
    if !words.isEmpty { return words }
    compare(first.stream.sampleRate, stream.sampleRate) {
      "the sampling rates without band replication are \($0) and \($1) Hz"
    }
    compare(first.stream.objectType.rawValue, stream.objectType.rawValue) {
      "the object types are \($0) and \($1)"
    }
    if stream.channelConfiguration != first.stream.channelConfiguration
      || stream.programConfig != first.stream.programConfig
    {
      words.append("their channels are arranged differently")
    }
    return words
  }

  /// The common name of this kind of AAC.
  private var codingName: String {
    if stream.hasParametricStereo { return "HE-AAC v2" }
    return hasBandReplication ? "HE-AAC" : "AAC \(stream.objectType.name)"
  }

  private static func text(forChannels count: Int) -> String {
    switch count {
    case 1: "is mono"
    case 2: "is stereo"
    default: "has \(count) channels"
    }
  }
}
