// swift-format-ignore-file
// A stub of Apple's Dispatch for Scripts/check-apple: the declarations that this package uses, in
// the form in which Swift sees them, and nothing else. It is for checking types on other systems;
// nothing can be linked or run with it.

// The overlay's Queue.swift, macOS 10.10, iOS 8.
open class DispatchQueue: @unchecked Sendable {
  public convenience init(label: String) { fatalError() }
}
