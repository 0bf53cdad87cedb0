extension [Float] {
  /// Moves `count` elements from `start` on to the front.
  mutating func moveToFront(from start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && count <= self.count - start)
    unsafe withUnsafeMutableBufferPointer { elements in
      guard let base = elements.baseAddress else { return }
      unsafe base.update(from: base + start, count: count)
    }
  }

  /// Copies `count` elements of `other`, from `start` on, to the elements from `index` on.
  mutating func replace(at index: Int, by other: [Float], from start: Int = 0, count: Int) {
    precondition(index >= 0 && count >= 0 && count <= self.count - index)
    precondition(start >= 0 && count <= other.count - start)
    unsafe withUnsafeMutableBufferPointer { elements in
      unsafe other.withUnsafeBufferPointer { other in
        guard let base = elements.baseAddress, let source = other.baseAddress else { return }
        unsafe (base + index).update(from: source + start, count: count)
      }
    }
  }
}
