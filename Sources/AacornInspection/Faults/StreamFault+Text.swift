public import AacornCodec
import AacornContainers
import AacornSignal

extension StreamFault {
  /// The machine-readable name of the fault.
  public var name: StaticString {
    switch kind {
    case .damage(let kind): kind.name
    case .movie(let kind): kind.name
    case .unreadable: "unreadable"
    case .trailingBytes: "trailing-bytes"
    case .missingBlock: "missing-block"
    case .checksum: "checksum"
    case .headerChecksum: "header-checksum"
    case .frameTooLarge: "frame-too-large"
    case .windowTransition: "window-transition"
    case .opaqueObjectType: "opaque-object-type"
    case .configurationChange: "configuration-change"
    case .noiseInMPEG2: "noise-in-mpeg2"
    case .intensityOutsidePair: "intensity-outside-pair"
    case .reservedBit: "reserved-bit"
    case .replication(let damage): damage.name
    case .channelCount: "channel-count"
    case .lostSynchronization: "lost-synchronization"
    case .sharedBytes: "shared-bytes"
    case .rateMismatch: "rate-mismatch"
    case .secondFile: "second-file"
    case .unfinishedRecording: "unfinished-recording"
    case .noFrames: "no-frames"
    case .noStream: "no-stream"
    case .needsSeekableSource: "needs-seekable-source"
    case .burst: "burst"
    }
  }

  /// A human-readable message, in ASCII.
  ///
  /// Unicode strings need tables that are too large for a browser's module.
  public var message: [UInt8] {
    var text: [UInt8] = []
    switch kind {
    case .damage(let kind): text.append(text: kind.message)
    case .movie(let kind): text.append(text: kind.message)
    case .unreadable(let reason, let bit):
      text.append("unreadable from bit ", bit, ": ")
      reason.append(to: &text)
    case .trailingBytes(let count):
      text.append(count, of: "byte")
      text.append(text: " between the end of the block and the end of the frame")
    case .missingBlock: text.append(text: "the header announces a block that is missing")
    case .checksum: text.append(text: "the checksum does not match the block")
    case .headerChecksum: text.append(text: "the checksum does not match the header")
    case .frameTooLarge(let bits, let limit):
      text.append(number: bits)
      text.append(" bits, more than a decoder's buffer holds (", limit, ")")
    case .windowTransition(let from, let to, let channel):
      text.append("channel ", channel, ": a ")
      text.append(text: to.name)
      text.append(text: " window follows a ")
      text.append(text: from.name)
      text.append(text: " one, whose slope does not match; this is allowed, but not exact")
    case .opaqueObjectType(let type):
      type.appendUnsupportedTypeMessage(to: &text)
      text.append(text: "; the container and the sizes and times of the frames were checked")
    case .configurationChange:
      text.append(text: "rate, channels or type change here, which the container allows")
    case .noiseInMPEG2: text.append(text: "noise substitution, which MPEG-2 does not support")
    case .intensityOutsidePair:
      text.append(text: "intensity stereo outside the second channel of a pair")
    case .reservedBit: text.append(text: "a reserved bit is set")
    case .replication(let damage): text.append(text: damage.message)
    case .channelCount(let found, let expected):
      text.append(found, of: "channel")
      text.append(" instead of ", expected)
    case .lostSynchronization:
      text.append(text: "blocks without lengths cannot be located after a damaged one")
    case .sharedBytes(let count):
      text.append(
        "the tables list bytes of the file for several frames, ", count, " bytes more than once")
    case .rateMismatch(let times, let audio):
      text.append("the times of the frames are for ", times, " Hz, but the audio has ")
      text.append(number: audio)
      text.append(text: " Hz; some programs play it at a wrong speed")
    case .secondFile: text.append(text: "another file begins here, which players do not read")
    case .unfinishedRecording:
      text.append(text: "the recording is unfinished; it can be played, and a repair completes it")
    case .noFrames: text.append(text: "there is no AAC frame")
    case .noStream(let error): error.append(to: &text)
    case .needsSeekableSource:
      text.append(text: "this container cannot be read from a pipe; pass it as a file")
    case .burst(let peak, let tenths):
      let decibels = Int64(min(999, Decibels.of(amplitude: peak)) + 0.5)
      text.append("the audio is ", decibels, " dB above full scale ")
      text.append(number: tenths / 10)
      text.append(".", tenths % 10, " s after its start, as at a damaged or spliced position; ")
      text.append(text: "cut it out")
    }
    return text
  }
}

extension AudioObjectType {
  /// Appends the message for frames of a type that is not decoded, used by all commands.
  package func appendUnsupportedTypeMessage(to text: inout [UInt8]) {
    text.append("frames of object type ", rawValue, " (")
    text.append(text: name)
    text.append(text: "), which are not supported")
  }
}

extension CodedFileError {
  /// Appends a human-readable reason why the file cannot be read.
  package func append(to text: inout [UInt8]) {
    switch self {
    case .encrypted: text.append(text: "the audio is encrypted")
    case .unsupportedCodec(let codec): codec.append(to: &text)
    case .noAudio: text.append(text: "there is no audio")
    case .pieceOfFragments(isBeginning: true):
      text.append(text: "an initialization segment without audio; append the media segments to it")
    case .pieceOfFragments(isBeginning: false):
      text.append(
        text: "a media segment of a fragmented stream; put the initialization segment before it")
    default: text.append(text: "no program has an AAC stream")
    }
  }
}

extension CodedFileError.Codec {
  /// Appends a human-readable description of a codec other than AAC.
  fileprivate func append(to text: inout [UInt8]) {
    if let name {
      text.append(text: "the audio is ")
      text.append(text: name)
      text.append(text: ", not AAC")
      return
    }
    if case .audioObjectType(let type) = self {
      return type.appendUnsupportedTypeMessage(to: &text)
    }
    text.append(text: "the audio is in an unsupported format: ")
    switch self {
    case .sampleEntry(let code):
      text.append(text: "sample entry ")
      text += code.printableBytes
    case .objectTypeIndication(let number):
      text.append("object type indication ", number)
    case .audioObjectType: break
    case .streamType(let number):
      text.append("stream type ", number)
    }
  }
}

extension StreamFault.Severity {
  /// A one-word name for the severity.
  public var name: StaticString {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

extension WindowSequence {
  /// A one-word name for the sequence.
  public var name: StaticString {
    switch self {
    case .onlyLong: "long"
    case .longStart: "start"
    case .eightShort: "short"
    case .longStop: "stop"
    }
  }
}

extension ParseError.Reason {
  /// Appends a human-readable reason why a block cannot be read.
  fileprivate func append(to text: inout [UInt8]) {
    switch self {
    case .truncated: text.append(text: "the block ends too early")
    case .unsupportedObjectType(let type):
      text.append("object type ", type, " uses a different syntax")
    case .tooManyElements: text.append(text: "too many elements")
    case .tooManyBands(let count, let limit):
      text.append(number: count)
      text.append(" bands, but at most ", limit, " are allowed")
    case .sectionTooLong(let end, let limit):
      text.append("a section up to band ", end)
      text.append(" of ", limit)
    case .reservedCodebook: text.append(text: "codebook 12 is reserved")
    case .scaleFactorOutOfRange(let value):
      text.append("scalefactor ", value, " is out of range")
    case .pulsesInShortWindows: text.append(text: "pulses in short windows")
    case .pulseOutOfRange(let line):
      text.append("a pulse at line ", line)
    case .noiseShapingOrder(let order, let limit):
      text.append("a filter of order ", order)
      text.append(", but at most ", limit, " is allowed")
    case .escapeTooLong: text.append(text: "an escape sequence is too long")
    case .prediction: text.append(text: "prediction is not allowed here")
    case .gainControl: text.append(text: "gain control is not allowed here")
    case .reservedMidSideMask: text.append(text: "a reserved mid/side mask value")
    case .programConfig: text.append(text: "an invalid channel layout")
    case .unexpectedElements: text.append(text: "elements for channels other than the stream's")
    case .burst: text.append(text: "a burst far above full scale")
    }
  }
}

// Text as bytes, to keep a browser's module small.
extension [UInt8] {
  /// Appends an integer in decimal between two texts.
  package mutating func append(
    _ text: StaticString, _ number: some BinaryInteger, _ end: StaticString = ""
  ) {
    append(text: text)
    append(number: number)
    append(text: end)
  }

  /// Appends a count and its noun: “1 byte”, “2 bytes”.
  package mutating func append(_ number: Int, of noun: StaticString) {
    append(number: number)
    append(UInt8(ascii: " "))
    append(text: noun)
    if number != 1 { append(UInt8(ascii: "s")) }
  }
}
