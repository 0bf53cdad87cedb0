// swift-format-ignore-file
// A stub of Apple's Foundation for Scripts/check-apple: the declarations that this package uses, in
// the form in which Swift sees them, and nothing else. It is for checking types on other systems;
// nothing can be linked or run with it.

public typealias TimeInterval = Double

public protocol NSObjectProtocol: AnyObject {}

/// Embedded Swift has no `AnyHashable`, so the keys are strings here.
public struct Notification {
  public struct Name: Sendable {
    public init(_ rawValue: String) {}
  }
  public var name: Name
  public var userInfo: [String: Any]?
}

open class OperationQueue {}

open class NotificationCenter: @unchecked Sendable {
  public class var `default`: NotificationCenter { fatalError() }

  public func addObserver(
    forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { fatalError() }

  public func removeObserver(_ observer: Any) {}
}

// `init(filePath:)`, `path(percentEncoded:)` and `documentsDirectory` iOS 16, macOS 13.
public struct URL: Sendable {
  public static var documentsDirectory: URL { fatalError() }
  public init(filePath path: String) {}
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
}
