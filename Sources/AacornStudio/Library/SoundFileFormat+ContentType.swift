import AacornRecording

extension SoundFileFormat {
  /// The media type for browsers (IANA registry, or the type that browsers use if there is no
  /// registered one).
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
