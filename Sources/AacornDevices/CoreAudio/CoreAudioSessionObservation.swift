#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio
import AudioToolbox
// Only Foundation provides notifications; on these systems it is always loaded.
import Foundation

/// Observes the audio session from creation until `end`.
///
/// `Sendable` is unchecked because the type of the tokens is not sendable. The tokens are only
/// passed back to the notification center, under a lock or in `deinit`, which is allowed on any
/// thread.
final class CoreAudioSessionObservation: CoreAudioObservation, @unchecked Sendable {
  private var tokens: [any NSObjectProtocol] = []

  /// The name of `UIApplication.didBecomeActiveNotification`, written out to avoid importing UIKit.
  private static var appActive: Notification.Name {
    Notification.Name("UIApplicationDidBecomeActiveNotification")
  }

  /// Passes events to `post`, which is called on any thread.
  init(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) {
    observe(AVAudioSession.interruptionNotification) { notification in
      #if os(tvOS)
      let reason: UInt? = nil
      #else
      let reason = Self.number(AVAudioSessionInterruptionReasonKey, notification)
      #endif
      let event = CoreAudioEvent(
        interruptionType: Self.number(AVAudioSessionInterruptionTypeKey, notification),
        reason: reason,
        options: Self.number(AVAudioSessionInterruptionOptionKey, notification))
      if let event { post(event) }
    }
    observe(AVAudioSession.routeChangeNotification) { notification in
      let reason = Self.number(AVAudioSessionRouteChangeReasonKey, notification)
        .flatMap { CoreAudioRouteReason(rawValue: $0) }
      post(.routeChanged(reason ?? .unknown))
    }
    observe(AVAudioSession.mediaServicesWereLostNotification) { _ in post(.servicesLost) }
    observe(AVAudioSession.mediaServicesWereResetNotification) { _ in post(.servicesReset) }
    observe(Self.appActive) { _ in post(.appActive) }
  }

  deinit {
    end()
  }

  func end() {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
    tokens.removeAll()
  }

  private func observe(
    _ name: Notification.Name, _ action: @escaping @Sendable (Notification) -> Void
  ) {
    tokens.append(
      NotificationCenter.default.addObserver(
        forName: name, object: nil, queue: nil, using: action))
  }

  private static func number(_ key: String, _ notification: Notification) -> UInt? {
    notification.userInfo?[key] as? UInt
  }
}
#endif
