import AacornCodec

extension CodedFileError.Codec {
  /// The common name of the codec, or nil if it is unknown.
  package var name: StaticString? {
    switch self {
    case .sampleEntry(let code): Self.name(of: code)
    case .objectTypeIndication(let number): Self.name(ofIndication: number)
    case .audioObjectType(let type): Self.name(of: type)
    case .streamType(let number): TransportProgram.name(ofType: number)
    }
  }

  /// Returns the name of a registered sample entry of MP4 or QuickTime.
  ///
  /// Compares letters, because comparing strings requires Unicode tables.
  private static func name(of code: FourCharacterCode) -> StaticString? {
    let letters = code.bytes.map { Unicode.Scalar($0) }
    return switch (letters[0], letters[1], letters[2], letters[3]) {
    case ("a", "l", "a", "c"): "ALAC (Apple Lossless)"
    case (".", "m", "p", "3"), ("m", "s", "\0", "U"): "MP3"
    case ("a", "c", "-", "3"): "AC-3 (Dolby Digital)"
    case ("e", "c", "-", "3"): "E-AC-3 (Dolby Digital Plus)"
    case ("a", "c", "-", "4"): "AC-4 (Dolby)"
    case ("m", "l", "p", "a"): "Dolby TrueHD"
    case ("d", "t", "s", "c"), ("d", "t", "s", "e"), ("d", "t", "s", "h"), ("d", "t", "s", "l"),
      ("d", "t", "s", "x"):
      "DTS"
    case ("O", "p", "u", "s"): "Opus"
    case ("f", "L", "a", "C"): "FLAC"
    case ("s", "a", "m", "r"): "AMR"
    case ("s", "a", "w", "b"): "AMR-WB"
    case ("m", "h", "a", "1"), ("m", "h", "a", "2"), ("m", "h", "m", "1"), ("m", "h", "m", "2"):
      "MPEG-H Audio"
    case ("u", "l", "a", "w"): "µ-law"
    case ("a", "l", "a", "w"): "A-law"
    case ("i", "m", "a", "4"): "IMA ADPCM"
    case ("f", "l", "3", "2"), ("f", "l", "6", "4"), ("f", "p", "c", "m"), ("i", "n", "2", "4"),
      ("i", "n", "3", "2"), ("i", "p", "c", "m"), ("l", "p", "c", "m"), ("N", "O", "N", "E"),
      ("r", "a", "w", " "), ("s", "o", "w", "t"), ("t", "w", "o", "s"):
      "PCM"
    default: nil
    }
  }

  /// Returns the codec of an object type (ISO/IEC 14496-1, table 5, and registration authority).
  private static func name(ofIndication number: UInt8) -> StaticString? {
    switch number {
    case 0x69, 0x6B: "MP3"
    case 0xA0: "EVRC"
    case 0xA5: "AC-3 (Dolby Digital)"
    case 0xA6: "E-AC-3 (Dolby Digital Plus)"
    case 0xA9...0xAC: "DTS"
    case 0xAD: "Opus"
    case 0xAE: "AC-4 (Dolby)"
    case 0xDD: "Vorbis"
    case 0xE1: "QCELP"
    default: nil
    }
  }

  /// Returns the name of an audio object type other than AAC (ISO/IEC 14496-3, table 1.17).
  private static func name(of type: AudioObjectType) -> StaticString? {
    switch type.rawValue {
    case 32: "MP1"
    case 33: "MP2"
    case 34: "MP3"
    case 36: "ALS (MPEG-4 Lossless)"
    default: nil
    }
  }
}
