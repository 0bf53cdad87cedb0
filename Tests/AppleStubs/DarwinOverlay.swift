// swift-format-ignore-file
// A stub for Scripts/check-apple, imported into every file it checks: what Apple's Swift overlay adds
// to the C library. Nothing can be linked or run with it.

// errno.h, macOS 10.0, iOS 2; the overlay's form of a macro.
public var errno: Int32 {
  get { fatalError() }
  set { fatalError() }
}
