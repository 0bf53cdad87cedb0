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

// NSURL.h and the overlay's URL.swift, macOS 10.10, iOS 8.
public struct URL: Equatable, Sendable {
  public var isFileURL: Bool { fatalError() }
  public var absoluteString: String { fatalError() }
  public var absoluteURL: URL { fatalError() }
  // The overlay's URL.swift, macOS 13, iOS 16, tvOS 16, watchOS 9.
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public static var documentsDirectory: URL { fatalError() }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public init(filePath path: String) {}
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
}

// Data.swift of FoundationEssentials, macOS 10.10, iOS 8.
public struct Data: Sendable, RandomAccessCollection {
  public init() { fatalError() }
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
  public init?(base64Encoded base64String: String) { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 { fatalError() }
}

// The overlay's POSIXError.swift, macOS 10.10, iOS 8.
public enum POSIXErrorCode: Int32, Sendable {
  case ENETDOWN = 50
  case EADDRNOTAVAIL = 49
  case ENETUNREACH = 51
  case ECONNRESET = 54
  case ETIMEDOUT = 60
  case ECONNREFUSED = 61
  case EHOSTDOWN = 64
  case EHOSTUNREACH = 65
}
