public import CAacornAtomics

/// A value that threads share without a lock.
///
/// The standard library's `Atomic` does the same, but Apple's systems have it only since iOS 18 and
/// macOS 15. A change (exchange, addition …) always has acquire and release ordering.
///
/// The type is public, like ``RingBuffer``, because only public code is inlined into the real-time
/// callbacks of other modules, which must not allocate.
@safe
public struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointer; every access to its memory is atomic.

  /// The memory ordering of a load.
  public enum LoadOrdering {
    /// No ordering of other memory accesses.
    case relaxed
    /// Acquire ordering: after the load, this thread sees all writes that preceded the releasing
    /// store of the value.
    case acquiring
  }

  /// The memory ordering of a store.
  public enum StoreOrdering {
    /// No ordering of other memory accesses.
    case relaxed
    /// Release ordering: a thread that loads the value with `acquiring` sees all earlier writes of
    /// this thread.
    case releasing
  }

  @usableFromInline let cell: UnsafeMutablePointer<Int64>

  /// Creates a shared value.
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

  /// Returns the current value.
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

  /// Replaces the value and returns the previous one.
  @inlinable
  @inline(__always)
  public func exchange(_ value: Value) -> Value {
    Value(atomicBits: unsafe aacorn_atomic_exchange(cell, value.atomicBits))
  }

  /// Replaces the value if it equals `expected`, and returns whether it did.
  @inlinable
  @inline(__always)
  @discardableResult
  public func replace(_ expected: Value, with wanted: Value) -> Bool {
    unsafe aacorn_atomic_replace(cell, expected.atomicBits, wanted.atomicBits)
  }
}

extension Atomic where Value == Int {
  /// Adds to the value with wraparound, and returns the previous value.
  @inlinable
  @inline(__always)
  @discardableResult
  public func add(_ value: Value) -> Value {
    Value(atomicBits: unsafe aacorn_atomic_add(cell, value.atomicBits))
  }
}

extension Atomic where Value == UInt8 {
  /// Sets the given bits of the value.
  @inlinable
  @inline(__always)
  public func insert(_ bits: Value) {
    _ = unsafe aacorn_atomic_or(cell, bits.atomicBits)
  }
}

/// A type whose values fit in the 64 bits of an atomic cell.
public protocol AtomicValue {
  /// Creates the value from the bits of `atomicBits`.
  init(atomicBits: Int64)
  /// The value as 64 bits, equal for equal values.
  var atomicBits: Int64 { get }
}

extension AtomicValue where Self: FixedWidthInteger {
  /// Creates the value from the low bits.
  @inlinable
  @inline(__always)
  public init(atomicBits: Int64) { self.init(truncatingIfNeeded: atomicBits) }
  /// The value, sign-extended or zero-extended to 64 bits.
  @inlinable
  @inline(__always)
  public var atomicBits: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Int: AtomicValue {}
extension Int32: AtomicValue {}
extension Int64: AtomicValue {}
extension UInt8: AtomicValue {}

extension Bool: AtomicValue {
  /// Creates a value that is true if any bit is set.
  @inlinable
  @inline(__always)
  public init(atomicBits: Int64) { self = atomicBits != 0 }
  /// 1 for true, 0 for false.
  @inlinable
  @inline(__always)
  public var atomicBits: Int64 { self ? 1 : 0 }
}
