import AacornRecording

extension SoundFileFormat {
  /// The media type for browsers (from IANA's registry, or what browsers use if it has none).
  var contentType: String {
    switch self {
    case .m4a: "audio/mp4"
    case .aac: "audio/aac"
    case .wav: "audio/wav"
    case .caf: "audio/x-caf"
    case .aiff: "audio/aiff"
    case .latm: "audio/MP4A-LATM"
    }
  }
}
