/// Stores a large value outside its owner.
///
/// Copying or destroying the owner then handles one reference, instead of kilobytes of code for
/// every field of the value. A copy is shared until one side changes.
@propertyWrapper
@frozen
package struct Boxed<Value> {
  @usableFromInline var storage: [Value]

  /// Stores a value.
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
