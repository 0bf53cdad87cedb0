/// The choice of a device in a request.
public enum DeviceChoice: Sendable, Equatable {
  /// The system's default device, and the new one when the default changes.
  case followingDefault
  /// This device only; while it is unavailable, the source or target waits for it.
  case pinned(id: String)

  /// The id of the required device; nil follows the default.
  var pinnedID: String? {
    switch self {
    case .followingDefault: nil
    case .pinned(let id): id
    }
  }
}
