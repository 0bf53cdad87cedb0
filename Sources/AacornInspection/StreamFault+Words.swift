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
    case .damage(let kind): text.append(words: kind.sentence)
    case .movie(let kind): text.append(words: kind.sentence)
    case .unreadable(let reason, let bit):
      text.append(words: "unreadable from bit ")
      text.append(number: bit)
      text.append(words: ": ")
      reason.append(to: &text)
    case .trailingBytes(let count):
      text.append(count, of: "byte")
      text.append(words: " between the end of the block and the end of the frame")
    case .missingBlock: text.append(words: "the header announces a block that is missing")
    case .checksum: text.append(words: "the checksum does not match the block")
    case .headerChecksum: text.append(words: "the checksum does not match the header")
    case .frameTooLarge(let bits, let limit):
      text.append(number: bits)
      text.append(words: " bits, more than a decoder's buffer holds (")
      text.append(number: limit)
      text.append(words: ")")
    case .windowTransition(let from, let to, let channel):
      text.append(words: "channel ")
      text.append(number: channel)
      text.append(words: ": a ")
      text.append(words: to.name)
      text.append(words: " window follows a ")
      text.append(words: from.name)
      text.append(words: " one, whose slope does not match; this is allowed, but not exact")
    case .opaqueObjectType(let type):
      type.appendRefusal(to: &text)
      text.append(words: "; the container and the sizes and times of the frames were checked")
    case .configurationChange:
      text.append(words: "rate, channels or type change here, which the container allows")
    case .noiseInMPEG2: text.append(words: "noise substitution, which MPEG-2 does not support")
    case .intensityOutsidePair:
      text.append(words: "intensity stereo outside the second channel of a pair")
    case .reservedBit: text.append(words: "a reserved bit is set")
    case .replication(let damage): text.append(words: damage.sentence)
    case .channelCount(let found, let expected):
      text.append(found, of: "channel")
      text.append(words: " instead of ")
      text.append(number: expected)
    case .lostSynchronization:
      text.append(words: "blocks without lengths cannot be located after a damaged one")
    case .sharedBytes(let count):
      text.append(words: "the tables list bytes of the file for several frames, ")
      text.append(number: count)
      text.append(words: " bytes more than once")
    case .noFrames: text.append(words: "there is no AAC frame")
    case .noStream(let error): error.append(to: &text)
    case .needsSeekableSource:
      text.append(words: "this container cannot be read from a pipe; pass it as a file")
    case .burst(let peak, let tenths):
      text.append(words: "the audio is ")
      text.append(number: Int64(min(999, Decibels.of(amplitude: peak)) + 0.5))
      text.append(words: " dB above full scale ")
      text.append(number: tenths / 10)
      text.append(words: ".")
      text.append(number: tenths % 10)
      text.append(
        words: " s after its start, as at a damaged or spliced position; cut it out")
    }
    return text
  }
}

extension AudioObjectType {
  /// Appends the message for frames of a type that is not decoded, used by all commands.
  package func appendRefusal(to text: inout [UInt8]) {
    text.append(words: "frames of object type ")
    text.append(number: rawValue)
    text.append(words: " (")
    text.append(words: name)
    text.append(words: "), which are not supported")
  }
}

extension CodedFileError {
  /// Appends a human-readable reason why the file cannot be read.
  package func append(to text: inout [UInt8]) {
    switch self {
    case .encrypted: text.append(words: "the audio is encrypted")
    case .unsupportedCodec(let codec): codec.append(to: &text)
    case .noAudio: text.append(words: "there is no audio")
    case .pieceOfFragments(isBeginning: true):
      text.append(words: "an initialization segment without audio; append the media segments to it")
    case .pieceOfFragments(isBeginning: false):
      text.append(
        words: "a media segment of a fragmented stream; put the initialization segment before it")
    default: text.append(words: "no program has an AAC stream")
    }
  }
}

extension CodedFileError.Codec {
  /// Appends a human-readable description of a codec other than AAC.
  fileprivate func append(to text: inout [UInt8]) {
    if let name {
      text.append(words: "the audio is ")
      text.append(words: name)
      text.append(words: ", not AAC")
      return
    }
    if case .audioObjectType(let type) = self { return type.appendRefusal(to: &text) }
    text.append(words: "the audio is in an unsupported format: ")
    switch self {
    case .sampleEntry(let code):
      text.append(words: "sample entry ")
      // Other bytes may not be printable.
      text += code.bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }
    case .objectTypeIndication(let number):
      text.append(words: "object type indication ")
      text.append(number: number)
    case .audioObjectType: break
    case .streamType(let number):
      text.append(words: "stream type ")
      text.append(number: number)
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
    case .truncated: text.append(words: "the block ends too early")
    case .unsupportedObjectType(let type):
      text.append(words: "object type ")
      text.append(number: type)
      text.append(words: " uses a different syntax")
    case .tooManyElements: text.append(words: "too many elements")
    case .tooManyBands(let count, let limit):
      text.append(number: count)
      text.append(words: " bands, but at most ")
      text.append(number: limit)
      text.append(words: " are allowed")
    case .sectionTooLong(let end, let limit):
      text.append(words: "a section up to band ")
      text.append(number: end)
      text.append(words: " of ")
      text.append(number: limit)
    case .reservedCodebook: text.append(words: "codebook 12 is reserved")
    case .scaleFactorOutOfRange(let value):
      text.append(words: "scalefactor ")
      text.append(number: value)
      text.append(words: " is out of range")
    case .pulsesInShortWindows: text.append(words: "pulses in short windows")
    case .pulseOutOfRange(let line):
      text.append(words: "a pulse at line ")
      text.append(number: line)
    case .noiseShapingOrder(let order, let limit):
      text.append(words: "a filter of order ")
      text.append(number: order)
      text.append(words: ", but at most ")
      text.append(number: limit)
      text.append(words: " is allowed")
    case .escapeTooLong: text.append(words: "an escape sequence is too long")
    case .prediction: text.append(words: "prediction is not allowed here")
    case .gainControl: text.append(words: "gain control is not allowed here")
    case .reservedMidSideMask: text.append(words: "a reserved mid/side mask value")
    case .programConfig: text.append(words: "an invalid channel layout")
    case .unexpectedElements: text.append(words: "elements for channels other than the stream's")
    }
  }
}
