package import AacornCodec

extension AACEncoder.Preset {
  /// The name in options and forms.
  package var keyword: String {
    switch self {
    case .smallSpeech: "small-speech"
    case .speech: "speech"
    case .fineSpeech: "fine-speech"
    case .smallRadio: "small-radio"
    case .radio: "radio"
    case .music: "music"
    case .fineMusic: "fine-music"
    }
  }

  /// Creates the preset with this name; nil if there is no such preset.
  package init?(keyword: String) {
    guard let preset = Self.allCases.first(where: { $0.keyword == keyword }) else { return nil }
    self = preset
  }
}
