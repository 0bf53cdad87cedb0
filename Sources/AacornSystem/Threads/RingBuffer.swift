/// A lock-free queue between exactly one writing and one reading thread that never allocates.
///
///     positions only grow; a slot is position & mask
///
///     ──┬────────────┬──────────────────────┬──────────►
///       read         written                read + capacity
///       └ elements ──┘└────── free ─────────┘
///
/// Each side changes only its own position. It first accesses the elements, then publishes the
/// position with release order, and the other side loads the position with acquire order. So the
/// reader never sees a partial element, and the writer never overwrites an unread one. Neither side
/// ever waits.
@safe
public struct RingBuffer<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointer; the position protocol above orders every access.

  /// The maximum number of elements in the buffer.
  public let capacity: Int
  @usableFromInline let elements: UnsafeMutablePointer<Element>
  @usableFromInline let readPosition = Atomic<Int>(0)
  @usableFromInline let writePosition = Atomic<Int>(0)

  /// Creates a buffer for at least `capacity` elements, rounded up to a power of two.
  @inlinable
  public init(capacity: Int, filledWith element: Element) {
    var size = 1
    while size < capacity { size *= 2 }
    self.capacity = size
    unsafe elements = .allocate(capacity: size)
    unsafe elements.initialize(repeating: element, count: size)
  }

  @inlinable
  deinit {
    unsafe elements.deallocate()
  }

  /// The number of elements that can be written now; for the writing thread.
  @inlinable
  @inline(__always)
  public var free: Int {
    capacity
      &- (writePosition.load(ordering: .relaxed) &- readPosition.load(ordering: .acquiring))
  }

  /// The number of elements that can be read now; for the reading thread.
  @inlinable
  @inline(__always)
  public var available: Int {
    writePosition.load(ordering: .acquiring) &- readPosition.load(ordering: .relaxed)
  }

  /// Writes the results of `element` for the indices below `count`; writes nothing and returns
  /// false if there is no room.
  @inlinable
  @inline(__always)
  public func write(count: Int, _ element: (Int) -> Element) -> Bool {
    guard count >= 0, count <= free else { return false }
    let position = writePosition.load(ordering: .relaxed)
    let mask = capacity &- 1
    for index in 0..<count {
      unsafe elements[(position &+ index) & mask] = element(index)
    }
    writePosition.store(position &+ count, ordering: .releasing)
    return true
  }

  /// Passes `count` elements to `take`, oldest first; returns false without a call if fewer are
  /// available.
  @inlinable
  @inline(__always)
  public func read(count: Int, _ take: (Element) -> Void) -> Bool {
    guard count >= 0, count <= available else { return false }
    let position = readPosition.load(ordering: .relaxed)
    let mask = capacity &- 1
    for index in 0..<count {
      take(unsafe elements[(position &+ index) & mask])
    }
    readPosition.store(position &+ count, ordering: .releasing)
    return true
  }

  /// Removes and returns the oldest element; nil if the buffer is empty.
  @inlinable
  public func read() -> Element? {
    guard available > 0 else { return nil }
    let position = readPosition.load(ordering: .relaxed)
    let element = unsafe elements[position & (capacity &- 1)]
    readPosition.store(position &+ 1, ordering: .releasing)
    return element
  }
}
