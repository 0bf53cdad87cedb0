import AacornCodec
package import AacornContainers
import AacornInspection
import AacornSoundFiles
import AacornSystem

extension AACFileError {
  /// Creates the error for an AAC file that cannot be read.
  ///
  /// `use` is the purpose of reading, which determines the recovery suggestion.
  package init(_ error: CodedAudioError, path: String, for use: SoundUse = .decoding) {
    switch error {
    case .file(let error): self.init(error, path: path, for: use)
    case .decoder(let error): self.init(error, path: path)
    }
  }

  private init(_ error: CodedFileError, path: String, for use: SoundUse) {
    let quotedPath = "“\(displayed(path))”"
    switch error {
    case .notAAC(.other(.mp4)): self = .movieAfterTag(path)
    case .notAAC(let kind):
      self.init(
        .unsupported, "\(quotedPath) \(Self.text(for: kind)).", suggestion: use.suggestionWithoutAAC
      )
    case .noAudioTrack(let count):
      self.init(
        .unsupported,
        count == 0
          ? "\(quotedPath) has no track with AAC."
          : "\(quotedPath) has only \(QuantityText.count(count, "track")) with AAC.",
        suggestion: count == 0 ? use.suggestionWithoutAAC : .none)
    case .unsupportedCodec(let codec):
      self.init(
        .unsupported, "\(quotedPath) \(Self.text(for: codec)).",
        suggestion: use.suggestionForOtherCoding)
    case .unfinished(let hasAudio):
      self.init(
        .badInput,
        "\(quotedPath) was not completed, or is cut off: "
          + (hasAudio
            ? "the table of its frames is missing." : "it has no table of frames, and no audio."),
        suggestion: hasAudio ? .repair : .text("Check the program that created it."))
    case .requiresSeeking:
      self.init(
        .unsupported,
        "\(quotedPath) has its tables after the audio, so it cannot be read from a pipe.",
        suggestion: .passAsFile(because: "has its tables after the audio"))
    case .encrypted:
      self.init(
        .unsupported, "\(quotedPath) is encrypted.",
        suggestion: .text("Decrypt it with its key first."))
    case .noAudio: self.init(.unsupported, "\(quotedPath) contains no audio.")
    case .invalidConfiguration: self = .withoutConfiguration(path)
    case .pieceOfFragments(isBeginning: true):
      self.init(
        .badInput,
        "\(quotedPath) is the initialization segment of a fragmented stream, without audio.",
        suggestion: .text("Append the media segments to it: “cat \(Self.pieces)”."))
    case .pieceOfFragments(isBeginning: false):
      self.init(
        .badInput,
        "\(quotedPath) is a media segment without the initialization segment of its stream.",
        suggestion: .text("Put the initialization segment before it: “cat \(Self.pieces)”."))
    }
  }

  /// Returns the actual kind of a file, as the text after its name.
  private static func text(for kind: FileKind) -> String {
    switch kind {
    case .wav: "is a WAV file"
    case .aiff: "is an AIFF file"
    case .caf: "is a CAF file"
    case .other(let other) where !other.isDecoded: "is \(other.phrase)"
    case .other, .unknown: "contains no recognizable AAC"
    }
  }

  /// Returns the actual coding of a file, as the text after its name.
  private static func text(for codec: CodedFileError.Codec) -> String {
    if let name = codec.name { return "contains \(name), not AAC" }
    if case .audioObjectType(let type) = codec { return "contains \(rejectionReason(of: type))" }
    return "contains audio in an unknown format (\(codec.code)), not AAC"
  }

  /// Returns the reason for rejecting an object type, as in an inspection.
  private static func rejectionReason(of type: AudioObjectType) -> String {
    var text: [UInt8] = []
    type.appendUnsupportedTypeMessage(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private init(_ error: DecoderError, path: String) {
    let quotedPath = "“\(displayed(path))”"
    switch error {
    case .unsupportedObjectType(let type):
      self.init(.unsupported, "\(quotedPath) contains \(Self.rejectionReason(of: type)).")
    case .unsupportedChannels(let number):
      self.init(
        .unsupported, "\(quotedPath) has an unsupported channel configuration (\(number)).")
    case .invalidConfiguration:
      self = .withoutConfiguration(path)
    }
  }

  /// The arguments of the `cat` command that joins the segments of a stream.
  private static let pieces = "INITIALIZATION SEGMENT… > OUT.mp4"

  private static func withoutConfiguration(_ name: String) -> AACFileError {
    unusable(name, "has no valid decoder configuration.")
  }

  /// Returns the error for an MP4 file after a tag, which the offsets in its tables do not count.
  static func movieAfterTag(_ name: String) -> AACFileError {
    AACFileError(
      .badInput, "“\(displayed(name))” has a tag before its MP4 boxes, so its tables are wrong.",
      suggestion: .repair)
  }

  static func withoutDecodableFrames(_ name: String) -> AACFileError {
    unusable(name, "has no frame that can be decoded.")
  }

  /// Returns the error for a part that begins after the end of the audio; both times in seconds.
  static func startAfterEnd(of name: String, endingAt end: Double, from start: Double) -> Self {
    let (endText, startText) = (QuantityText.duration(end), QuantityText.duration(start))
    let verb = endText == startText ? "ends at" : "ends before"
    return AACFileError(
      .badInput, "“\(displayed(name))” \(verb) \(startText), the requested start.",
      suggestion: .text("Choose an earlier start."))
  }

  /// Returns the error for a part that is shorter than a sample.
  static func emptyPart(of name: String) -> Self {
    AACFileError(
      .badInput, "The part of “\(displayed(name))” would be empty.",
      suggestion: .text("Choose a longer part."))
  }
}

extension CodedFileError.Codec {
  /// The file's own code for the coding.
  var code: String {
    switch self {
    case .sampleEntry(let code): AACFileError.letters(of: code.rawValue)
    case .objectTypeIndication(let number): "0x" + hexadecimal(UInt32(number), digits: 2)
    case .audioObjectType(let type): "object type \(type.rawValue)"
    case .streamType(let number): "stream type 0x" + hexadecimal(UInt32(number), digits: 2)
    }
  }
}
