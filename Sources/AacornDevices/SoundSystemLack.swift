/// What keeps a sound system from being used, as far as a user can do something about it.
enum SoundSystemLack {
  /// A library is missing, which is in this package of Debian's.
  case package(String)
  /// Nobody has started its server.
  case server
  /// Devices exist, and are withheld from us.
  case permission
  /// It works, and has no device that was sought.
  case device
  /// Nothing helps, as with a system of another platform.
  case other
}

extension [SoundSystemLack] {
  /// The quickest way to a device, as a clause: one that is withheld from us already exists, and a
  /// working system only needs one connected, as `connecting` says.
  func remedy(connecting: String, permitting: String) -> String {
    var packages: [String] = []
    var hasServer = false
    var isUsable = false
    for lack in self {
      switch lack {
      case .package(let package): packages.append(package)
      case .server: hasServer = true
      case .permission: return permitting
      case .device: isUsable = true
      case .other: break
      }
    }
    if isUsable { return connecting }
    if hasServer { return "Start a sound server" }
    if packages.isEmpty { return connecting }
    return "Install a sound system (on Debian: \(packages.joined(separator: " or ")))"
  }
}
