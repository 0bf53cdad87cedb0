#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AacornSystem
import AVFAudio

/// A source's or target's share in the app's only audio session.
///
/// To deactivate a session stops whatever still plays or captures in it. So that is left to the last
/// one that uses it.
final class CoreAudioSessionUse: Sendable {
  /// Those who use the session now.
  private static let users = Lock<Set<ObjectIdentifier>>([])

  /// Activates the session, or makes sure that it still is.
  func begin() throws(CaptureError) {
    let user = ObjectIdentifier(self)
    try Self.users.withLock { (users) throws(CaptureError) in
      try CoreAudioSession.calling("activate") {
        try AVAudioSession.sharedInstance().setActive(true, options: [])
      }
      users.insert(user)
    }
  }

  /// Deactivates the session unless somebody else uses it.
  func end() {
    let user = ObjectIdentifier(self)
    Self.users.withLock { users in
      guard users.remove(user) != nil, users.isEmpty else { return }
      // An error says only that something ran that is not of this library.
      try? AVAudioSession.sharedInstance().setActive(
        false, options: .notifyOthersOnDeactivation)
    }
  }

  deinit {
    end()
  }
}
#endif
