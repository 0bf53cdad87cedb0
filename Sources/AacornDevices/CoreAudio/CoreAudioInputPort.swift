/// An input of a session, with the properties by which an input is chosen.
struct CoreAudioInputPort: Sendable, Equatable {
  var id: String
  /// The kind of the input; nil if `CoreAudioSessionOptions.Input` has no case for it.
  var kind: CoreAudioSessionOptions.Input?

  /// The decision about the session's input.
  enum Decision: Sendable, Equatable {
    /// Change nothing: the input matches, or the system chooses it.
    case keep
    /// Use the input with this id.
    case take(id: String)
    /// Fail: the requested device is not available.
    case fail
    /// Use the system's choice: no input of the preferred kind is available.
    case useDefault
  }

  /// Returns the decision for the available `ports`, of which `presentID` is in use.
  ///
  /// A pinned device is required; a kind is only a preference.
  static func decision(
    pinnedID: String?, kind: CoreAudioSessionOptions.Input?, among ports: [CoreAudioInputPort],
    presentID: String?
  ) -> Decision {
    if let pinnedID {
      if pinnedID == presentID { return .keep }
      return ports.contains { $0.id == pinnedID } ? .take(id: pinnedID) : .fail
    }
    guard let kind else { return .keep }
    let suitable = ports.filter { $0.kind == kind }
    if suitable.contains(where: { $0.id == presentID }) { return .keep }
    guard let first = suitable.first else { return .useDefault }
    return .take(id: first.id)
  }
}
