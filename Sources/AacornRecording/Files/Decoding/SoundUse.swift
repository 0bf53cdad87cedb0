/// What the sound of a file is wanted for; what helps where there is no AAC depends on it.
package enum SoundUse: Sendable {
  /// To be decoded.
  case decoding
  /// To be encoded again.
  case encoding
  /// To be cut or joined as it is.
  case splicing

  /// What to do about a file without AAC.
  var adviceWithoutAAC: AACFileError.Advice {
    switch self {
    case .decoding: .decodeAAC
    case .encoding: .convert
    case .splicing: .spliceAAC
    }
  }

  /// What to do about sound that is coded in a way that is not decoded.
  var adviceForOtherCoding: AACFileError.Advice {
    switch self {
    case .decoding: .decodeElsewhere
    case .encoding, .splicing: adviceWithoutAAC
    }
  }
}
