import AacornCodec
import AacornContainers
import AacornSystem

extension CodedFileError.Codec {
  /// What people call the coding; nil if it is not known by name.
  var name: String? {
    switch self {
    case .sampleEntry(let code): Self.name(ofEntry: String(decoding: code.bytes, as: UTF8.self))
    case .objectTypeIndication(let number): Self.name(ofIndication: number)
    case .audioObjectType(let type): Self.name(of: type)
    case .streamType(let number): Self.name(ofStream: number)
    }
  }

  /// How the file itself calls the coding.
  var code: String {
    switch self {
    case .sampleEntry(let code): AACFileError.letters(of: code.rawValue)
    case .objectTypeIndication(let number): "0x" + hexadecimal(UInt32(number), digits: 2)
    case .audioObjectType(let type): "object type \(type.rawValue)"
    case .streamType(let number): "stream type 0x" + hexadecimal(UInt32(number), digits: 2)
    }
  }

  /// Sample entries of MP4 and QuickTime files, as registered.
  private static func name(ofEntry code: String) -> String? {
    switch code {
    case "alac": "ALAC (Apple Lossless)"
    case ".mp3", "ms\0U": "MP3"
    case "ac-3": "AC-3 (Dolby Digital)"
    case "ec-3": "E-AC-3 (Dolby Digital Plus)"
    case "ac-4": "AC-4 (Dolby)"
    case "mlpa": "Dolby TrueHD"
    case "dtsc", "dtse", "dtsh", "dtsl", "dtsx": "DTS"
    case "Opus": "Opus"
    case "fLaC": "FLAC"
    case "samr": "AMR"
    case "sawb": "AMR-WB"
    case "mha1", "mha2", "mhm1", "mhm2": "MPEG-H Audio"
    case "ulaw": "µ-law"
    case "alaw": "A-law"
    case "ima4": "IMA ADPCM"
    case "fl32", "fl64", "fpcm", "in24", "in32", "ipcm", "lpcm", "NONE", "raw ", "sowt", "twos":
      "PCM"
    default: nil
    }
  }

  /// Object type indications (ISO/IEC 14496-1, table 5, and its registration authority).
  private static func name(ofIndication number: UInt8) -> String? {
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

  /// Audio object types other than those of AAC (ISO/IEC 14496-3, table 1.17).
  private static func name(of type: AudioObjectType) -> String? {
    switch type.rawValue {
    case 32: "MP1"
    case 33: "MP2"
    case 34: "MP3"
    case 36: "ALS (MPEG-4 Lossless)"
    default: nil
    }
  }

  /// Stream types of transport streams (ISO/IEC 13818-1, table 2-34, and ATSC).
  private static func name(ofStream number: UInt8) -> String? {
    switch number {
    case 0x03, 0x04: "MPEG audio (MP2 or MP3)"
    case 0x2D, 0x2E: "MPEG-H Audio"
    case 0x81: "AC-3 (Dolby Digital)"
    case 0x87: "E-AC-3 (Dolby Digital Plus)"
    default: nil
    }
  }
}
