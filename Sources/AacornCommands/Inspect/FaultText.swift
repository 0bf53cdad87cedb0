import AACCodec
import AACContainers
import AACInspection
import Platform

/// Faults in words.
enum FaultText {
  /// One line: how bad, where, what.
  static func line(_ fault: Fault) -> String {
    let place = "byte \(fault.offset), \(QuantityText.count(Int(clamping: fault.length), "byte"))"
    return "\(word(fault.severity)) at \(place), frame \(fault.frame): \(sentence(fault.kind))"
  }

  /// The object for programs.
  static func json(_ fault: Fault) -> JSONValue {
    .object([
      .init("severity", .text(word(fault.severity))), .init("kind", .text(name(fault.kind))),
      .init("offset", .integer(Int(clamping: fault.offset))),
      .init("length", .integer(Int(clamping: fault.length))),
      .init("frame", .integer(Int(clamping: fault.frame))),
      .init("message", .text(sentence(fault.kind))),
    ])
  }

  static func word(_ severity: Fault.Severity) -> String {
    switch severity {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }

  private static func name(_ kind: Fault.Kind) -> String {
    switch kind {
    case .damage(let kind): damageName(kind)
    case .movie(let kind): movieName(kind)
    case .unreadable: "unreadable"
    case .trailingBytes: "trailing-bytes"
    case .missingBlock: "missing-block"
    case .checksum: "checksum"
    case .headerChecksum: "header-checksum"
    case .frameTooLarge: "frame-too-large"
    case .windowTransition: "window-transition"
    case .noiseInMPEG2: "noise-in-mpeg2"
    case .intensityOutsidePair: "intensity-outside-pair"
    case .reservedBit: "reserved-bit"
    case .channelCount: "channel-count"
    case .lostSynchronisation: "lost-synchronisation"
    case .noFrames: "no-frames"
    case .needsSeekableSource: "needs-seekable-source"
    }
  }

  private static func damageName(_ kind: StreamDamage.Kind) -> String {
    switch kind {
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
    }
  }

  private static func sentence(_ kind: Fault.Kind) -> String {
    switch kind {
    case .damage(let kind): damageSentence(kind)
    case .movie(let kind): movieSentence(kind)
    case .unreadable(let reason, let bit): "unreadable from bit \(bit) on: \(reasonText(reason))"
    case .trailingBytes(let count):
      "\(QuantityText.count(count, "byte")) between the end of the block and that of the frame"
    case .missingBlock: "the header announces a block that is not there"
    case .checksum: "the checksum does not agree with the block"
    case .headerChecksum: "the checksum does not agree with the header"
    case .frameTooLarge(let bits, let limit):
      "\(bits) bits, more than a decoder's buffer holds (\(limit))"
    case .windowTransition(let from, let to, let channel):
      "channel \(channel): a \(window(to)) window may not follow a \(window(from)) one"
    case .noiseInMPEG2: "noise substitution, which MPEG-2 does not have"
    case .intensityOutsidePair: "intensity stereo outside the second channel of a pair"
    case .reservedBit: "a reserved bit is set"
    case .channelCount(let found, let expected):
      "\(QuantityText.count(found, "channel")) instead of \(expected)"
    case .lostSynchronisation: "blocks without lengths cannot be found again after a damaged one"
    case .noFrames: "there is no AAC frame"
    case .needsSeekableSource: "this container cannot be read from a pipe; name it as a file"
    }
  }

  private static func damageSentence(_ kind: StreamDamage.Kind) -> String {
    switch kind {
    case .garbage: "bytes that are no frame"
    case .invalidHeader: "a header with impossible fields"
    case .frameTooShort: "a frame shorter than its header"
    case .truncatedFrame: "a frame that is cut off"
    case .truncatedTag: "a tag that is cut off"
    case .invalidBlockPositions: "impossible positions of blocks in a frame"
    case .parametersChanged: "rate, channels or type change here"
    case .missingConfiguration: "a frame before the first configuration"
    case .invalidConfiguration: "a configuration that makes no sense"
    case .unsupportedConfiguration: "a configuration for something else than one AAC stream"
    case .invalidPayload: "a payload that does not fit its frame"
    }
  }

  private static func movieName(_ kind: MP4Damage.Kind) -> String {
    switch kind {
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

  private static func movieSentence(_ kind: MP4Damage.Kind) -> String {
    switch kind {
    case .truncated: "the file ends inside a box"
    case .invalidBoxSize: "a box with an impossible size"
    case .boxExceedsParent: "a box longer than the one around it"
    case .boxTooLarge: "a box longer than any real one"
    case .countExceedsBox: "a table with more entries than its box can hold"
    case .missingMovie: "the movie box with the tables is missing; recording was broken off"
    case .fragmentBeforeMovie: "a fragment before the movie box"
    case .noAudioTrack: "there is no AAC track"
    case .invalidConfiguration: "the decoder's configuration is missing or makes no sense"
    case .missingTable: "a box that every track needs is missing"
    case .tableMismatch: "the tables contradict each other"
    case .sampleOutsideFile: "frames that would lie beyond the end of the file"
    }
  }

  private static func reasonText(_ reason: ParseError.Reason) -> String {
    switch reason {
    case .truncated: "the block ends too early"
    case .unsupportedObjectType(let type): "object type \(type) has another syntax"
    case .tooManyElements: "too many elements"
    case .tooManyBands(let count, let limit): "\(count) bands of at most \(limit)"
    case .sectionTooLong(let end, let limit): "a section up to band \(end) of \(limit)"
    case .reservedCodebook: "codebook 12 has no meaning"
    case .scaleFactorOutOfRange(let value): "scalefactor \(value) is out of range"
    case .pulsesInShortWindows: "pulses in short windows"
    case .pulseOutOfRange(let line): "a pulse at line \(line)"
    case .noiseShapingOrder(let order, let limit): "a filter of order \(order), at most \(limit)"
    case .escapeTooLong: "an escape sequence is too long"
    case .prediction: "prediction is not allowed here"
    case .gainControl: "gain control is not allowed here"
    case .reservedMidSideMask: "a reserved value for mid and side"
    case .programConfig: "a channel layout that makes no sense"
    }
  }

  /// A window sequence in a word.
  static func window(_ sequence: ParsedChannel.WindowSequence) -> String {
    switch sequence {
    case .onlyLong: "long"
    case .longStart: "start"
    case .eightShort: "short"
    case .longStop: "stop"
    }
  }
}
