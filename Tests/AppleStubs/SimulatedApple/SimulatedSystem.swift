#if SIMULATED_APPLE
#if canImport(Glibc)
import Glibc
#endif

/// The version of the simulated system.
public enum SimulatedSystem {
  /// Whether the system is the oldest one that the package supports: iOS 16 or macOS 13.
  ///
  /// Otherwise it is the newest. `AACORN_SIMULATED_SYSTEM=oldest` in the environment selects the
  /// oldest.
  public static let isOldest: Bool = {
    guard let value = unsafe getenv("AACORN_SIMULATED_SYSTEM") else { return false }
    return unsafe String(cString: value) == "oldest"
  }()

  /// Replaces `#available` in the code under test; Scripts/compile compares the version with the
  /// oldest system.
  public static func has(newer isNewer: Bool) -> Bool { !isNewer || !isOldest }
}
#endif
