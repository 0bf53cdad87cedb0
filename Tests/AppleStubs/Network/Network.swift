// swift-format-ignore-file
// A stub of Apple's Network for Scripts/check-apple: only the declarations that this package uses,
// as Swift imports them. It is for type checking on other systems and cannot be linked or run.

public import Dispatch
public import Foundation

extension NWEndpoint.Host {
  public init(_ string: String) { fatalError() }
}

// The overlay's NWConnection.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public final class NWConnection: @unchecked Sendable {
  public enum SendCompletion {
    case contentProcessed(@Sendable (_ error: NWError?) -> Void)
    case idempotent
  }

  public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) { fatalError() }
  public var stateUpdateHandler: (@Sendable (_ state: NWConnection.State) -> Void)?
  public var currentPath: NWPath? { fatalError() }
  public var endpoint: NWEndpoint { fatalError() }
  public func start(queue: DispatchQueue) { fatalError() }
  public func cancel() { fatalError() }
  public func forceCancel() { fatalError() }
  public func send(
    content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: SendCompletion
  ) { fatalError() }
  public func receive(
    minimumIncompleteLength: Int, maximumLength: Int,
    completion: @escaping @Sendable (
      _ content: Data?, _ contentContext: ContentContext?, _ isComplete: Bool, _ error: NWError?
    ) -> Void
  ) { fatalError() }
}

// The overlay's NWListener.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public final class NWListener: @unchecked Sendable {
  public init(using: NWParameters, on: NWEndpoint.Port = .any) throws { fatalError() }
  public var stateUpdateHandler: (@Sendable (_ newState: NWListener.State) -> Void)?
  public var newConnectionHandler: (@Sendable (_ connection: NWConnection) -> Void)?
  public var newConnectionLimit: Int
  public var port: NWEndpoint.Port? { fatalError() }
  public func start(queue: DispatchQueue) { fatalError() }
  public func cancel() { fatalError() }
}
