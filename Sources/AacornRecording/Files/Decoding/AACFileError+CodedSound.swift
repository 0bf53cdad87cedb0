import AacornCodec
package import AacornContainers
import AacornInspection
import AacornSoundFiles
import AacornSystem

extension AACFileError {
  /// Why the sound of a file with AAC cannot be had.
  package init(_ error: CodedSoundError, path: String) {
    switch error {
    case .file(let error): self.init(error, path: path)
    case .decoder(let error): self.init(error, path: path)
    }
  }

  private init(_ error: CodedFileError, path: String) {
    let file = "“\(displayed(path))”"
    switch error {
    case .notAAC(let kind):
      self.init(.unsupported, "\(file) \(Self.words(for: kind)).", .decodeAAC)
    case .noAudioTrack(let count):
      self.init(
        .unsupported,
        count == 0
          ? "\(file) has no track with AAC."
          : "\(file) has only \(QuantityText.count(count, "track")) with AAC.",
        count == 0 ? .decodeAAC : .none)
    case .unsupportedCodec(.audioObjectType(let type)):
      self.init(.unsupported, "\(file) holds \(Self.refusal(of: type)).", .decodeAAC)
    case .unsupportedCodec(let codec):
      self.init(
        .unsupported, "\(file) contains sound of another kind (\(Self.name(of: codec))).",
        .decodeAAC)
    case .requiresSeeking:
      self.init(
        .unsupported,
        "\(file) has its tables behind the sound, so it cannot be read from a pipe.",
        .words("Pass it as a file."))
    case .encrypted:
      self.init(
        .unsupported, "\(file) is encrypted.", .words("Only those who have its key can read it."))
    }
  }

  /// What a file is instead, after its name.
  private static func words(for kind: PCMFileKind) -> String {
    switch kind {
    case .wav: "is a WAV file"
    case .aiff: "is an AIFF file"
    case .caf: "is a CAF file"
    case .other(let other) where !other.isDecoded: "is \(other.phrase)"
    case .other, .unknown: "contains no AAC that could be found"
    }
  }

  private static func name(of codec: CodedFileError.Codec) -> String {
    switch codec {
    case .sampleEntry(let code): letters(of: code.rawValue)
    case .objectTypeIndication(let number): "0x" + hexadecimal(UInt32(number), digits: 2)
    case .audioObjectType(let type): "\(type.name)"
    case .streamType(let number): "stream type 0x" + hexadecimal(UInt32(number), digits: 2)
    }
  }

  /// What an inspection says as well.
  private static func refusal(of type: AudioObjectType) -> String {
    var text: [UInt8] = []
    type.appendRefusal(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private init(_ error: DecoderError, path: String) {
    let file = "“\(displayed(path))”"
    switch error {
    case .unsupportedObjectType(let type):
      self.init(.unsupported, "\(file) holds \(Self.refusal(of: type)).")
    case .unsupportedChannels(let number):
      self.init(
        .unsupported, "\(file) has channels that are not decoded (configuration \(number)).")
    case .invalidConfiguration:
      self.init(
        .badInput, "\(file) does not say in a valid way how it is coded.",
        .words("Check where it comes from."))
    }
  }
}
