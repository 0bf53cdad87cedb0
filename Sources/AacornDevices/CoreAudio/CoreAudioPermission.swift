#if canImport(AudioToolbox) && !os(watchOS)
import AVFAudio

/// Whether the user lets this program use microphones.
///
/// Without permission the system delivers silence and no error, so it is always checked. An app
/// must say in its Info.plist what it wants the microphone for (`NSMicrophoneUsageDescription`);
/// for a command, the question concerns the terminal.
enum CoreAudioPermission {
  /// The answer; nil if the user has not been asked yet.
  static var isGranted: Bool? {
    switch AVAudioApplication.shared.recordPermission {
    case .granted: true
    case .denied: false
    default: nil
    }
  }

  /// Asks the user; the answer comes on any thread.
  static func request(_ answer: @escaping @Sendable (Bool) -> Void) {
    AVAudioApplication.requestRecordPermission(completionHandler: answer)
  }
}
#endif
