/// The purpose of a file's audio, which determines the remedy for a file without AAC.
package enum SoundUse: Sendable {
  /// Decoding.
  case decoding
  /// Encoding again.
  case encoding
  /// Cutting or joining without encoding.
  case splicing

  var suggestionWithoutAAC: AACFileError.RecoverySuggestion {
    switch self {
    case .decoding: .decodeAAC
    case .encoding: .convert
    case .splicing: .spliceAAC
    }
  }

  /// The recovery suggestion for audio with an unsupported coding.
  var suggestionForOtherCoding: AACFileError.RecoverySuggestion {
    switch self {
    case .decoding: .decodeElsewhere
    case .encoding, .splicing: suggestionWithoutAAC
    }
  }
}
