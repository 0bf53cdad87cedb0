// swift-format-ignore-file
// A stub of Apple's Dispatch for Scripts/check-apple: only the declarations that this package uses,
// as Swift imports them. It is for type checking on other systems and cannot be linked or run.

// The overlay's Queue.swift, macOS 10.10, iOS 8.
open class DispatchQueue: @unchecked Sendable {
  public convenience init(label: String) { fatalError() }
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) { fatalError() }
  public func asyncAfter(
    deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
  ) { fatalError() }
  public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) { fatalError() }
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
}
public final class DispatchSpecificKey<T> { public init() { fatalError() } }

// The overlay's Time.swift, macOS 10.10, iOS 8.
public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { fatalError() }
}
public enum DispatchTimeInterval: Sendable {
  case milliseconds(Int)
}
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
