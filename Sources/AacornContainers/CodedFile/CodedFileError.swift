public import AacornCodec
public import AacornSoundFiles

/// The reason why no AAC can be read from a file.
public enum CodedFileError: Error, Equatable, Sendable {
  /// A codec other than AAC.
  public enum Codec: Equatable, Sendable {
    /// The name of an MP4 sample entry, such as "alac".
    case sampleEntry(FourCharacterCode)
    /// An MPEG-4 object type indication, such as 0x6B for MP3 (ISO/IEC 14496-1, 7.2.6.6).
    case objectTypeIndication(UInt8)
    /// A type of MPEG-4 audio other than AAC.
    case audioObjectType(AudioObjectType)
    /// A stream type of a transport stream (ISO/IEC 13818-1, 2.4.4.9).
    case streamType(UInt8)
  }

  /// The file contains no AAC frames. The kind is the detected format, possibly `unknown`.
  case notAAC(FileKind)
  /// There is no AAC track, or not the requested one. `found` is the number of AAC tracks.
  case noAudioTrack(found: Int)
  /// The audio is coded with another codec.
  case unsupportedCodec(Codec)
  /// An MP4 file that is incomplete: its tables are missing or cut off.
  ///
  /// `hasAudio` is whether there is audio whose frames could be found without the tables.
  case unfinished(hasAudio: Bool)
  /// An MP4 file from a pipe, with its tables after the audio.
  case requiresSeeking
  /// The audio is encrypted.
  case encrypted
  /// There is no audio track of any codec.
  case noAudio
  /// The decoder's configuration is missing or invalid.
  case invalidConfiguration
  /// A part of a fragmented stream, as used by DASH and HLS: an initialization segment without
  /// fragments, or fragments without their initialization segment.
  case pieceOfFragments(isBeginning: Bool)
}

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
