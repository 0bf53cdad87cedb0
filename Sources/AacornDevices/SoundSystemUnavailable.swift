/// A reason why a sound system cannot be used; the cases differ by the user's remedy.
enum SoundSystemUnavailable {
  /// A library is missing; the value is its Debian package.
  case package(String)
  /// The system's server is not running.
  case server
  /// Devices exist, but this program has no permission to use them.
  case permission
  /// The system works, but does not have the requested device.
  case device
  /// The user cannot do anything, as with a system of another platform.
  case other
}

extension [SoundSystemUnavailable] {
  /// Returns the quickest remedy, as a clause.
  ///
  /// `permitting` is the remedy for a missing permission. It comes first, because the device
  /// already exists. `connecting` is the remedy for a working system, which only needs a connected
  /// device.
  func remedy(connecting: String, permitting: String) -> String {
    var packages: [String] = []
    var isServerStopped = false
    var isUsable = false
    for unavailability in self {
      switch unavailability {
      case .package(let package): packages.append(package)
      case .server: isServerStopped = true
      case .permission: return permitting
      case .device: isUsable = true
      case .other: break
      }
    }
    if isUsable { return connecting }
    if isServerStopped { return "Start a sound server" }
    if packages.isEmpty { return connecting }
    return "Install a sound system (on Debian: \(packages.joined(separator: " or ")))"
  }
}
