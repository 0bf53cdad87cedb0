import AacornContainers

extension StreamDamage.Kind {
  /// The machine-readable name of the damage.
  var name: StaticString {
    switch self {
    case .garbage: "garbage"
    case .invalidHeader: "invalid-header"
    case .frameTooShort: "frame-too-short"
    case .truncatedFrame: "truncated-frame"
    case .truncatedTag: "truncated-tag"
    case .invalidBlockPositions: "invalid-block-positions"
    case .parametersChanged: "parameters-changed"
    case .missingConfiguration: "missing-configuration"
    case .invalidConfiguration: "invalid-configuration"
    case .unsupportedConfiguration: "unsupported-configuration"
    case .invalidPayload: "invalid-payload"
    case .wrongChecksum: "wrong-checksum"
    case .missingPackets: "missing-packets"
    case .missingUnits: "missing-frames"
    }
  }

  /// A human-readable description of the damage.
  var message: StaticString {
    switch self {
    case .garbage: "bytes that are not a frame"
    case .invalidHeader: "a header with impossible fields"
    case .frameTooShort: "a frame shorter than its header"
    case .truncatedFrame: "a frame that is cut off"
    case .truncatedTag: "a tag that is cut off"
    case .invalidBlockPositions: "impossible block positions in a frame"
    case .parametersChanged: "rate, channels or type change here"
    case .missingConfiguration: "a frame before the first configuration"
    case .invalidConfiguration: "an invalid configuration"
    case .unsupportedConfiguration: "a configuration for something other than a single AAC stream"
    case .invalidPayload: "a payload that does not fit its frame"
    case .wrongChecksum: "a wrong checksum"
    case .missingPackets: "missing packets"
    case .missingUnits: "missing frames"
    }
  }
}

extension MP4Damage.Kind {
  /// The machine-readable name of the damage.
  var name: StaticString {
    switch self {
    case .truncated: "truncated"
    case .invalidBoxSize: "invalid-box-size"
    case .boxExceedsParent: "box-exceeds-parent"
    case .boxTooLarge: "box-too-large"
    case .countExceedsBox: "count-exceeds-box"
    case .missingMovie: "missing-movie"
    case .fragmentBeforeMovie: "fragment-before-movie"
    case .noAudioTrack: "no-audio-track"
    case .invalidConfiguration: "invalid-configuration"
    case .missingTable: "missing-table"
    case .tableMismatch: "table-mismatch"
    case .sampleOutsideFile: "sample-outside-file"
    }
  }

  /// A human-readable description of the damage.
  var message: StaticString {
    switch self {
    case .truncated: "the file ends too early"
    case .invalidBoxSize: "a part of the file (an MP4 box) has an impossible size"
    case .boxExceedsParent:
      "a part of the index (an MP4 box) is longer than the part that contains it"
    case .boxTooLarge: "a part of the file (an MP4 box) is too large to read"
    case .countExceedsBox: "a table claims more entries than it has room for"
    case .missingMovie:
      "the index of the file (the MP4 movie box) is missing; the recording was interrupted"
    case .fragmentBeforeMovie: "audio (an MP4 fragment) precedes the index that describes it"
    case .noAudioTrack: "there is no AAC track"
    case .invalidConfiguration: "the decoder configuration is missing or invalid"
    case .missingTable: "a required table (an MP4 box) is missing"
    case .tableMismatch: "tables contradict each other"
    case .sampleOutsideFile: "the index lists audio beyond the end of the file"
    }
  }
}
