/// The bands of two channels in rows, one for each slot.
struct StereoPair: Sendable {
  var left: [Float]
  var leftIm: [Float]
  var right: [Float]
  var rightIm: [Float]

  /// The pointers through which kernels read a pair.
  @unsafe
  struct Pointers {
    var left, leftIm, right, rightIm: UnsafePointer<Float>
    /// The distance from one slot to the next.
    var step: Int
  }
}

extension StereoPair {
  init(count: Int) {
    left = [Float](repeating: 0, count: count)
    leftIm = left
    right = left
    rightIm = left
  }

  func hasCapacity(for count: Int) -> Bool {
    left.count >= count && leftIm.count >= count && right.count >= count && rightIm.count >= count
  }

  /// Calls `body` with pointers to the elements from `start` on, which are valid until it returns.
  @inline(__always)
  func withPointers(from start: Int = 0, step: Int, _ body: (Pointers) -> Void) {
    precondition(start >= 0 && hasCapacity(for: start))
    unsafe Self.withPointers(
      left: left, leftIm: leftIm, right: right, rightIm: rightIm, from: start, step: step, body)
  }

  @inline(__always)
  private static func withPointers(
    left: UnsafePointer<Float>, leftIm: UnsafePointer<Float>, right: UnsafePointer<Float>,
    rightIm: UnsafePointer<Float>, from start: Int, step: Int, _ body: (Pointers) -> Void
  ) {
    unsafe body(
      Pointers(
        left: left + start, leftIm: leftIm + start, right: right + start,
        rightIm: rightIm + start, step: step))
  }

  /// Moves `count` elements to the front.
  mutating func move(from start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && hasCapacity(for: start + count))
    unsafe Self.move(&left, start, count)
    unsafe Self.move(&leftIm, start, count)
    unsafe Self.move(&right, start, count)
    unsafe Self.move(&rightIm, start, count)
  }

  private static func move(_ values: UnsafeMutablePointer<Float>, _ start: Int, _ count: Int) {
    unsafe values.update(from: values + start, count: count)
  }
}
