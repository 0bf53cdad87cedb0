package import AacornCodec

extension AACEncoder.Preset {
  /// The word for it in options and forms.
  package var word: String {
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

  /// The preset of a word; nil if there is none.
  package init?(word: String) {
    guard let preset = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = preset
  }
}
