import AacornCodec

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

  /// In what this form differs from that of a file before, so that its units cannot follow: “the
  /// sampling rates are 44100 and 48000 Hz”; empty if they can.
  func differences(from first: CodedForm) -> [String] {
    var words: [String] = []
    func compare<Value: Equatable>(_ one: Value, _ other: Value, _ text: (Value, Value) -> String) {
      if one != other { words.append(text(one, other)) }
    }
    compare(first.timing.sampleRate, timing.sampleRate) {
      "the sampling rates are \($0) and \($1) Hz"
    }
    compare(first.channelCount, channelCount) {
      "the first \(Self.words(forChannels: $0)), the second \(Self.words(forChannels: $1))"
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

  /// What people call this kind of AAC.
  private var codingName: String {
    if stream.hasParametricStereo { return "HE-AAC v2" }
    return hasBandReplication ? "HE-AAC" : "AAC \(stream.objectType.name)"
  }

  private static func words(forChannels count: Int) -> String {
    switch count {
    case 1: "is mono"
    case 2: "is stereo"
    default: "has \(count) channels"
    }
  }
}
