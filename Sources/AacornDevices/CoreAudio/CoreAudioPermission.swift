#if canImport(AudioToolbox) && !os(watchOS)
import AVFAudio
#if os(macOS)
import AVFoundation
#endif

/// The user's permission for this program to use microphones.
///
/// Without permission the system delivers silence and no error, so the permission is always
/// checked. An app must describe its use of the microphone in its Info.plist
/// (`NSMicrophoneUsageDescription`). For a command, the permission belongs to the terminal.
enum CoreAudioPermission {
  /// Whether the user has granted access; nil if the user has not been prompted yet.
  static var isGranted: Bool? {
    guard #available(iOS 17, macOS 14, tvOS 17, *) else { return legacyPermission }
    return switch AVAudioApplication.shared.recordPermission {
    case .granted: true
    case .denied: false
    default: nil
    }
  }

  /// Prompts the user; calls `answer` on any thread.
  static func request(_ answer: @escaping @Sendable (Bool) -> Void) {
    guard #available(iOS 17, macOS 14, tvOS 17, *) else { return requestFormerly(answer) }
    AVAudioApplication.requestRecordPermission(completionHandler: answer)
  }

  // MARK: Before iOS 17 and macOS 14

  #if os(macOS)
  private static var legacyPermission: Bool? {
    switch AVCaptureDevice.authorizationStatus(for: .audio) {
    case .authorized: true
    case .denied, .restricted: false
    default: nil
    }
  }

  private static func requestFormerly(_ answer: @escaping @Sendable (Bool) -> Void) {
    AVCaptureDevice.requestAccess(for: .audio, completionHandler: answer)
  }
  #elseif os(iOS)
  private static var legacyPermission: Bool? {
    switch AVAudioSession.sharedInstance().recordPermission {
    case .granted: true
    case .denied: false
    default: nil
    }
  }

  private static func requestFormerly(_ answer: @escaping @Sendable (Bool) -> Void) {
    AVAudioSession.sharedInstance().requestRecordPermission(answer)
  }
  #else
  // Before tvOS 17 Apple TVs had no microphones, and visionOS is newer than iOS 17.
  private static var legacyPermission: Bool? { false }

  private static func requestFormerly(_ answer: @escaping @Sendable (Bool) -> Void) {
    answer(false)
  }
  #endif
}
#endif
