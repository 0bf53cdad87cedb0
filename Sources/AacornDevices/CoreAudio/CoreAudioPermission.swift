#if canImport(AudioToolbox) && !os(watchOS)
import AVFAudio

/// Whether a person lets this program use microphones.
///
/// Without the permission the system delivers silence and no error, so it is always looked at. An
/// app must say in its Info.plist what it wants the microphone for (`NSMicrophoneUsageDescription`);
/// for a command it is the terminal that is asked for.
enum CoreAudioPermission {
  /// The answer; nil if the person has not been asked yet.
  static var isGranted: Bool? {
    switch AVAudioApplication.shared.recordPermission {
    case .granted: true
    case .denied: false
    default: nil
    }
  }

  /// Asks; the answer comes on any thread.
  static func request(_ answer: @escaping @Sendable (Bool) -> Void) {
    AVAudioApplication.requestRecordPermission(completionHandler: answer)
  }
}
#endif
