extension TransportProgram {
  /// Returns the name of a stream type, or nil if it is unknown (ISO/IEC 13818-1, table 2-34; the
  /// last two are from ATSC).
  package static func name(ofType type: UInt8) -> StaticString? {
    switch type {
    case 0x01, 0x02: "MPEG video"
    case 0x03, 0x04: "MPEG audio (MP2 or MP3)"
    case 0x06: "private data"
    case 0x0F, 0x11: "AAC"
    case 0x15: "metadata"
    case 0x1B: "H.264 video"
    case 0x24: "H.265 video"
    case 0x2D, 0x2E: "MPEG-H Audio"
    case 0x81: "AC-3 (Dolby Digital)"
    case 0x87: "E-AC-3 (Dolby Digital Plus)"
    default: nil
    }
  }
}
