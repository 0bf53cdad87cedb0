// swift-format-ignore-file
// A stub for Scripts/check-apple, imported into every file it checks: what the standard library and
// Apple's overlays have on their systems, and the standard library for Embedded Swift, with which
// types are checked elsewhere, has not. Nothing can be linked or run with it.

@frozen
public enum CommandLine {
  public static var argc: Int32 { fatalError() }
  public static var unsafeArgv: UnsafeMutablePointer<UnsafeMutablePointer<Int8>?> { fatalError() }
}

extension Error {
  /// The number of an `NSError`.
  public var _code: Int { fatalError() }
}

/// The overlay's form of the C library's error number.
public var errno: Int32 {
  get { fatalError() }
  set { fatalError() }
}
