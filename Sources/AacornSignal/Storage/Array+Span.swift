#if canImport(Darwin)
// Of arrays, the standard library gives spans from system 26 on, because there arrays of objects
// may be those of Objective-C. Arrays of plain values never are, so that theirs can be had on every
// system with spans. These stand for the library's where they are visible.

extension Array where Element: BitwiseCopyable {
  /// The elements, as long as nobody changes the array.
  @inlinable
  package var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      let elements = unsafe withUnsafeBufferPointer { elements in unsafe elements }
      return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
    }
  }

  /// The elements, to be changed in place.
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
