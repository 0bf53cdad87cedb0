import AacornSoundFiles
import AacornSystem

extension AACFileError {
  /// Creates the error for an invalid or unsupported header of a sound file.
  init(_ error: PCMFileError, path: String) {
    let quotedPath = "“\(displayed(path))”"
    let convert = "Convert it to WAV first."
    switch error {
    case .notRecognized:
      self.init(
        .badInput, "\(quotedPath) is not a recognized sound file.", suggestion: .giveFormatOfSamples
      )
    case .otherFormat(let other):
      self.init(
        .unsupported, "\(quotedPath) is \(other.phrase).",
        suggestion: other == .midi ? .makeReadable("Render it to a WAV file first.") : .convert)
    case .compressedWAV(let tag):
      let code = "0x" + hexadecimal(UInt32(tag), digits: 4)
      self.init(
        .unsupported,
        "\(quotedPath) is a WAV file with compressed audio (\(code)).",
        suggestion: .text(convert))
    case .compressedAIFF(let type):
      self.init(
        .unsupported,
        "\(quotedPath) is an AIFC file with compressed audio (\(Self.letters(of: type))).",
        suggestion: .text(convert))
    case .compressedCAF(let type):
      self.init(
        .unsupported,
        "\(quotedPath) is a CAF file with compressed audio (\(Self.letters(of: type))).",
        suggestion: .text(convert))
    case .unsupportedBitDepth(let bits):
      self.init(
        .unsupported, "\(quotedPath) has \(bits)-bit samples, which are not supported.",
        suggestion: .text("Convert them to 16 or 24 bits first."))
    case .unsupportedChannelCount(let count):
      self.init(
        .badInput,
        "\(quotedPath) has an invalid header: "
          + "it specifies \(QuantityText.count(count, "channel")).",
        suggestion: .text("Check the file."))
    case .unsupportedSampleRate(let rate):
      self.init(
        .badInput,
        "\(quotedPath) has an invalid header: it specifies a sampling rate of \(rate) Hz.",
        suggestion: .text("Check the file."))
    case .malformedChunk(let offset):
      self.init(
        .badInput, "\(quotedPath) is damaged at byte \(offset).",
        suggestion: .text("Create it again, or repair it."))
    case .missingFormat:
      self.init(
        .badInput, "\(quotedPath) does not specify its sample format.",
        suggestion: .giveMissingFormat)
    case .missingData: self = .withoutSamples(path)
    case .truncatedHeader(let offset):
      self.init(
        .badInput, "\(quotedPath) ends inside its header, after \(offset) bytes.",
        suggestion: .text("Copy it again."))
    case .requiresSeeking:
      self.init(
        .unsupported,
        "\(quotedPath) specifies its sample format after the samples, "
          + "so it cannot be read from a pipe.",
        suggestion: .passAsFile(because: "specifies its sample format after the samples"))
    }
  }

  package static func changedDuringRead(_ name: String) -> AACFileError {
    AACFileError(
      .cannotRead, "“\(displayed(name))” was changed by another program while it was read.",
      suggestion: .text("Encode it when it is complete."))
  }

  static func withoutSamples(_ name: String) -> AACFileError {
    unusable(name, "contains no samples.")
  }

  /// Returns the error for a file that its program should have created differently.
  static func unusable(_ name: String, _ clause: String) -> AACFileError {
    AACFileError(
      .badInput, "“\(displayed(name))” \(clause)",
      suggestion: .text("Check the program that created it."))
  }

  static func notRegular(_ path: String) -> AACFileError {
    AACFileError(
      .unsupported, "“\(displayed(path))” is not a regular file.",
      suggestion: .text("Save it as a file first."))
  }

  package static func empty(_ path: String) -> AACFileError {
    if path == SoundOrigin.standardInput.name {
      return AACFileError(
        .badInput, "No data arrived on standard input.",
        suggestion: .text("Check the program that writes to it."))
    }
    return unusable(path, "is empty.")
  }

  /// Returns the letters of a four-character code.
  static func letters(of code: UInt32) -> String {
    var text = ""
    for shift in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: code >> UInt32(shift))
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return displayed(text)
  }
}
