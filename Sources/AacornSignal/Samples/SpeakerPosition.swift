/// A loudspeaker position; the raw value is its bit in a WAVE channel mask.
///
/// Core Audio's channel labels 1…18 are these numbers plus one.
@frozen
public enum SpeakerPosition: UInt8, Equatable, Sendable, CaseIterable {
  /// Front left, L.
  case frontLeft
  /// Front right, R.
  case frontRight
  /// Front center, C.
  case frontCenter
  /// Low-frequency effects, LFE.
  case lowFrequency
  /// Back left, also the left surround of 5.1.
  case backLeft
  /// Back right, also the right surround of 5.1.
  case backRight
  /// Between front left and center.
  case frontLeftOfCenter
  /// Between front right and center.
  case frontRightOfCenter
  /// Back center, Cs.
  case backCenter
  /// Side left.
  case sideLeft
  /// Side right.
  case sideRight
  /// Above the listener.
  case topCenter
  /// Above front left.
  case topFrontLeft
  /// Above front center.
  case topFrontCenter
  /// Above front right.
  case topFrontRight
  /// Above back left.
  case topBackLeft
  /// Above back center.
  case topBackCenter
  /// Above back right.
  case topBackRight
}
