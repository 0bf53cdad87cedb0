// swift-format-ignore-file
// A stub of Apple's Foundation: the declarations that this package uses, as Swift imports them.
// Notifications work; the other declarations are for type checking. See README.md.

internal import SimulatedApple

// NSDate.h, macOS 10.0, iOS 2.
public typealias TimeInterval = Double

// The overlay's NSError.swift, macOS 10.10, iOS 8.
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var recoverySuggestion: String? { get }
}

extension LocalizedError {
  public var errorDescription: String? { nil }
  public var recoverySuggestion: String? { nil }
}

// NSObject.h, macOS 10.0, iOS 2.
public protocol NSObjectProtocol: AnyObject {}

// NSNotification.h and the overlay's Notification.swift, macOS 10.10, iOS 8.
public struct Notification {
  public struct Name: Sendable {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
  public var name: Name
  public var userInfo: [AnyHashable: Any]?
}

// NSOperation.h, macOS 10.5, iOS 2.
open class OperationQueue {}

// NSNotification.h, macOS 10.0, iOS 2; with a block macOS 10.6, iOS 4.
open class NotificationCenter: @unchecked Sendable {
  static let center = NotificationCenter()
  public class var `default`: NotificationCenter { center }

  public func addObserver(
    forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol {
    // Without a queue, the block runs on the thread that posts the notification.
    precondition(queue == nil)
    return Token(
      SimulatedNotifications.add(name?.rawValue ?? "", from: object.map { ObjectIdentifier($0 as AnyObject) }) {
        name, contents in
        block(Notification(name: Notification.Name(name), userInfo: contents))
      })
  }

  public func removeObserver(_ observer: Any) {
    if let token = observer as? Token { SimulatedNotifications.remove(token.observer) }
  }

  private final class Token: NSObjectProtocol {
    let observer: SimulatedNotifications.Observer
    init(_ observer: SimulatedNotifications.Observer) { self.observer = observer }
  }
}

// NSURL.h and the overlay's URL.swift, macOS 10.10, iOS 8.
public struct URL: Equatable, Sendable {
  public init(fileURLWithPath path: String) {}
  public var isFileURL: Bool { fatalError() }
  public var absoluteString: String { fatalError() }
  public var absoluteURL: URL { fatalError() }
  // The overlay's URL.swift, macOS 13, iOS 16, tvOS 16, watchOS 9.
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public static var documentsDirectory: URL { fatalError() }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public init(filePath path: String) {}
  public func appendingPathComponent(_ pathComponent: String) -> URL { fatalError() }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public func appending<S: StringProtocol>(path: S) -> URL { fatalError() }
}

// DataProtocol.swift of FoundationEssentials, macOS 10.15, iOS 13; an array of bytes conforms.
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension [UInt8]: DataProtocol {}

// Data.swift of FoundationEssentials, macOS 10.10, iOS 8.
public struct Data: Sendable, RandomAccessCollection, DataProtocol {
  public init() { fatalError() }
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
  public init?(base64Encoded base64String: String) { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 { fatalError() }
}

// NSFileHandle.h, macOS 10.6, iOS 4.
open class FileHandle {
  public init(forReadingFrom url: URL) throws { fatalError() }
  // The overlay's FileHandle, macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2.
  public func read(upToCount count: Int) throws -> Data? { fatalError() }
  public func write<T: DataProtocol>(contentsOf data: T) throws { fatalError() }
}

// The overlay's POSIXError.swift, macOS 10.10, iOS 8.
public enum POSIXErrorCode: Int32, Sendable {
  case ENETDOWN = 50
  case EADDRNOTAVAIL = 49
  case ENETUNREACH = 51
  // One of many codes that the package does not name.
  case ECONNRESET = 54
  case ETIMEDOUT = 60
  case ECONNREFUSED = 61
  case EHOSTDOWN = 64
  case EHOSTUNREACH = 65
}

// NSFileManager.h and NSPathUtilities.h, macOS 10.6, iOS 4.
open class FileManager {
  public class var `default`: FileManager { fatalError() }
  public enum SearchPathDirectory: UInt, Sendable {
    case documentDirectory = 9
  }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var userDomainMask: SearchPathDomainMask { SearchPathDomainMask(rawValue: 1) }
  }
  open func urls(
    for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask
  ) -> [URL] { fatalError() }
}
