/// Who uses an app's only audio session, and what follows from that when the last one leaves.
///
/// To deactivate a session stops whatever still plays or captures in it, so that is left to the
/// last one, and not done at all where the session is the app's own.
struct CoreAudioSessionShares: Sendable {
  /// What has to be done with the session.
  enum Ending: Equatable {
    /// Nothing: somebody still uses it.
    case nothing
    /// Give it back as it was found, and deactivate it before if it is not the app's own.
    case giveBack(deactivated: Bool)
  }

  /// Those who use the session now.
  private var users: Set<ObjectIdentifier> = []
  /// How many parts of the app use it in ways that this library does not see.
  private var holdCount = 0
  /// Whether it was taken over and has not been given back.
  private var isTaken = false
  /// Whether the app had chosen a category before the first user came.
  private var isOfApp = false
  /// Whether one of the users has activated it.
  private var isActivated = false
  /// Whether every user so far lets it be deactivated.
  private var mayDeactivate = true

  init() {}

  /// Takes a user in; true if the session is the app's up to now.
  mutating func join(_ user: ObjectIdentifier, appHasChosen: Bool, deactivates: Bool) -> Bool {
    let isFirst = !isTaken
    if isFirst {
      isTaken = true
      isOfApp = appHasChosen
      mayDeactivate = true
    }
    users.insert(user)
    if !deactivates { mayDeactivate = false }
    return isFirst
  }

  /// Notes that one of the users has activated the session.
  mutating func activate() {
    isActivated = true
  }

  /// Lets a user go.
  mutating func leave(_ user: ObjectIdentifier) -> Ending {
    users.remove(user)
    return end()
  }

  /// Notes that a part of the app uses the session, too.
  mutating func hold() {
    holdCount += 1
  }

  /// Notes that a part of the app no longer does.
  mutating func release() -> Ending {
    holdCount -= 1
    return end()
  }

  private mutating func end() -> Ending {
    guard isTaken, users.isEmpty else { return .nothing }
    let mustDeactivate = isActivated && !isOfApp && mayDeactivate
    if mustDeactivate && holdCount > 0 { return .nothing }
    isTaken = false
    isActivated = false
    return .giveBack(deactivated: mustDeactivate)
  }
}
