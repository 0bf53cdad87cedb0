/// An input of a session, as far as it is chosen by that.
struct CoreAudioInputPort: Sendable, Equatable {
  var id: String
  /// Its kind; nil if that cannot be asked for.
  var kind: CoreAudioSessionChoice.Input?

  /// What to do about the session's input.
  enum Decision: Sendable, Equatable {
    /// Nothing: it is right, or left to the system.
    case keep
    /// Take the input with this id.
    case take(id: String)
    /// The device that was asked for is not there.
    case refuse
    /// There is none of the wished kind, and the system chooses.
    case doWithout
  }

  /// What to do when these inputs are available and `presentID` is in use.
  ///
  /// A certain device is the only one that will do; a kind is a wish.
  static func decision(
    pinnedID: String?, kind: CoreAudioSessionChoice.Input?, among ports: [CoreAudioInputPort],
    presentID: String?
  ) -> Decision {
    if let pinnedID {
      if pinnedID == presentID { return .keep }
      return ports.contains { $0.id == pinnedID } ? .take(id: pinnedID) : .refuse
    }
    guard let kind else { return .keep }
    let suitable = ports.filter { $0.kind == kind }
    if suitable.contains(where: { $0.id == presentID }) { return .keep }
    guard let first = suitable.first else { return .doWithout }
    return .take(id: first.id)
  }
}
