#if canImport(Darwin)
// The standard library has spans of arrays from system 26 on, because on Apple's systems an array
// of objects may be a bridged `NSArray`. Arrays of plain values never are, so spans of them are
// possible on every system with spans. Where these properties are visible, they replace the
// library's.

extension Array where Element: BitwiseCopyable {
  /// The elements, valid while the array does not change.
  @inlinable
  package var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      let elements = unsafe withUnsafeBufferPointer { elements in unsafe elements }
      return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
    }
  }

  /// The elements, for changes in place.
  @inlinable
  package var mutableSpan: MutableSpan<Element> {
    @_lifetime(&self)
    mutating get {
      let elements = unsafe withUnsafeMutableBufferPointer { elements in unsafe elements }
      return unsafe _overrideLifetime(MutableSpan(_unsafeElements: elements), mutating: &self)
    }
  }
}
#endif
