/// Keeps a large value apart from the one that holds it.
///
/// Copying or destroying the holder then handles one reference, where it would take kilobytes of
/// code to handle every field of what it holds. A copy is shared until one side changes.
@propertyWrapper
@frozen
package struct Boxed<Value> {
  @usableFromInline var storage: [Value]

  /// Keeps a value.
  @inlinable
  package init(wrappedValue: Value) { storage = [wrappedValue] }

  /// The value.
  @inlinable
  package var wrappedValue: Value {
    get { storage[0] }
    _modify { yield &storage[0] }
  }
}

extension Boxed: Sendable where Value: Sendable {}
