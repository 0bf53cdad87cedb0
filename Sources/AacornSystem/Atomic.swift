public import CAacornAtomics

/// A value that threads share without a lock.
///
/// The standard library's `Atomic` does the same, but Apple's systems have it only since iOS 18 and
/// macOS 15. A change (exchange, addition …) acquires and releases, whatever its caller needs.
///
/// It is public, as is ``RingBuffer``, because only what is public is compiled into the callbacks of
/// other modules, which may not allocate.
@safe
public struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointer; all that touches its memory is atomic.

  /// What else a load orders.
  public enum LoadOrdering {
    /// Nothing.
    case relaxed
    /// All that a thread wrote before it stored the value is seen behind the load.
    case acquiring
  }

  /// What else a store orders.
  public enum StoreOrdering {
    /// Nothing.
    case relaxed
    /// All that this thread wrote before is seen by who loads the value.
    case releasing
  }

  @usableFromInline let cell: UnsafeMutablePointer<Int64>

  /// A shared value.
  @inlinable
  @inline(__always)
  public init(_ value: Value) {
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: value.atomicBits)
  }

  @inlinable
  deinit {
    unsafe cell.deallocate()
  }

  /// The value.
  @inlinable
  @inline(__always)
  public func load(ordering: LoadOrdering) -> Value {
    switch ordering {
    case .relaxed: Value(atomicBits: unsafe aacorn_atomic_load_relaxed(cell))
    case .acquiring: Value(atomicBits: unsafe aacorn_atomic_load(cell))
    }
  }

  /// Replaces the value.
  @inlinable
  @inline(__always)
  public func store(_ value: Value, ordering: StoreOrdering) {
    switch ordering {
    case .relaxed: unsafe aacorn_atomic_store_relaxed(cell, value.atomicBits)
    case .releasing: unsafe aacorn_atomic_store(cell, value.atomicBits)
    }
  }

  /// Replaces the value and returns the one before.
  @inlinable
  @inline(__always)
  public func exchange(_ value: Value) -> Value {
    Value(atomicBits: unsafe aacorn_atomic_exchange(cell, value.atomicBits))
  }

  /// Replaces the value if it is `expected`; whether it was.
  @inlinable
  @inline(__always)
  @discardableResult
  public func replace(_ expected: Value, with wanted: Value) -> Bool {
    unsafe aacorn_atomic_replace(cell, expected.atomicBits, wanted.atomicBits)
  }
}

extension Atomic where Value == Int {
  /// Adds to the value, which wraps around, and returns the one before.
  @inlinable
  @inline(__always)
  @discardableResult
  public func add(_ value: Value) -> Value {
    Value(atomicBits: unsafe aacorn_atomic_add(cell, value.atomicBits))
  }
}

extension Atomic where Value == UInt8 {
  /// Sets bits of the value.
  @inlinable
  @inline(__always)
  public func insert(_ bits: Value) {
    _ = unsafe aacorn_atomic_or(cell, bits.atomicBits)
  }
}

/// What fits into 64 bits that change at once.
public protocol AtomicValue {
  /// The value of bits that it gave.
  init(atomicBits: Int64)
  /// Its bits, the same for equal values.
  var atomicBits: Int64 { get }
}

extension AtomicValue where Self: FixedWidthInteger {
  /// The value of bits that it gave.
  @inlinable
  @inline(__always)
  public init(atomicBits: Int64) { self.init(truncatingIfNeeded: atomicBits) }
  /// Its bits, with those above filled up.
  @inlinable
  @inline(__always)
  public var atomicBits: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Int: AtomicValue {}
extension Int32: AtomicValue {}
extension Int64: AtomicValue {}
extension UInt8: AtomicValue {}

extension Bool: AtomicValue {
  /// Whether the bits are not zero.
  @inlinable
  @inline(__always)
  public init(atomicBits: Int64) { self = atomicBits != 0 }
  /// 1 for true, 0 for false.
  @inlinable
  @inline(__always)
  public var atomicBits: Int64 { self ? 1 : 0 }
}
