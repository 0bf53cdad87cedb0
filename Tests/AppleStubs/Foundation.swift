// swift-format-ignore-file
// A stub of Apple's Foundation for Scripts/check-apple: the declarations that this package uses, in
// the form in which Swift sees them, and nothing else. It is for checking types on other systems;
// nothing can be linked or run with it.

public typealias TimeInterval = Double

public protocol NSObjectProtocol: AnyObject {}

public struct Notification {
  public struct Name: Sendable {
    public init(_ rawValue: String) {}
  }
  public var name: Name
  public var userInfo: [AnyHashable: Any]?
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
