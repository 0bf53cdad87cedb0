/// The users of an app's only audio session, and the action required when a user leaves.
///
/// Deactivating a session stops all playback and capture in it. So only the last user deactivates
/// it, and never if the session is the app's own.
struct CoreAudioSessionUsers: Sendable {
  /// The action to perform on the session.
  enum Ending: Equatable {
    /// Nothing: the session is still in use.
    case nothing
    /// Restore the app's setup; deactivate the session first if it is not the app's own.
    case restore(deactivated: Bool)
  }

  /// The current users of the session.
  private var users: Set<ObjectIdentifier> = []
  /// The number of holds: other parts of the app that use the session.
  private var holdCount = 0
  /// Whether the library has taken the session over and not yet restored it.
  private var hasTakenOver = false
  /// Whether the app had chosen a category before the first user joined.
  private var isOwnedByApp = false
  /// Whether one of the users has activated the session.
  private var isActivated = false
  /// Whether every user up to now allows deactivation.
  private var mayDeactivate = true

  init() {}

  /// Adds a user; returns whether it is the first, so that the session still has the app's setup.
  mutating func join(_ user: ObjectIdentifier, appHasChosen: Bool, deactivates: Bool) -> Bool {
    let isFirst = !hasTakenOver
    if isFirst {
      hasTakenOver = true
      isOwnedByApp = appHasChosen
      mayDeactivate = true
    }
    users.insert(user)
    if !deactivates { mayDeactivate = false }
    return isFirst
  }

  /// Records that a user has activated the session.
  mutating func activate() {
    isActivated = true
  }

  /// Removes a user.
  mutating func leave(_ user: ObjectIdentifier) -> Ending {
    users.remove(user)
    return end()
  }

  /// Records that another part of the app uses the session.
  mutating func hold() {
    holdCount += 1
  }

  /// Records that a part of the app has stopped using the session.
  mutating func release() -> Ending {
    holdCount -= 1
    return end()
  }

  private mutating func end() -> Ending {
    guard hasTakenOver, users.isEmpty else { return .nothing }
    let mustDeactivate = isActivated && !isOwnedByApp && mayDeactivate
    if mustDeactivate && holdCount > 0 { return .nothing }
    hasTakenOver = false
    isActivated = false
    return .restore(deactivated: mustDeactivate)
  }
}

/// Keeps the audio session of a phone's app active for the lifetime of this object.
///
/// The session stays active even if no source or target of this library uses it any more. An app
/// that plays audio by other means keeps an instance during that playback, because a deactivated
/// session would stop it:
///
///     let activation = CoreAudioSessionActivation()
///
/// On other systems it has no effect.
public final class CoreAudioSessionActivation: Sendable {
  /// Keeps the session active from now on.
  public init() {
    #if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
    CoreAudioSessionUse.hold()
    #endif
  }

  deinit {
    #if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
    CoreAudioSessionUse.release()
    #endif
  }
}
