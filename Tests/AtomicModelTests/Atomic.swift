/// A shared value of the model, with the interface of the product's `Atomic`.
@usableFromInline struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
  // Unchecked because the model never runs two threads at a time.

  @usableFromInline enum LoadOrdering { case relaxed, acquiring }
  @usableFromInline enum StoreOrdering { case relaxed, releasing }

  private let history: ModelHistory

  @usableFromInline init(_ value: Value) { history = ModelHistory(value.atomicBits) }

  @usableFromInline func load(ordering: LoadOrdering) -> Value {
    Value(atomicBits: history.load(acquires: ordering == .acquiring))
  }

  @usableFromInline func store(_ value: Value, ordering: StoreOrdering) {
    history.store(value.atomicBits, releases: ordering == .releasing)
  }

  @usableFromInline func exchange(_ value: Value) -> Value {
    Value(atomicBits: history.change { _ in value.atomicBits })
  }

  @discardableResult
  @usableFromInline func replace(_ expected: Value, with wanted: Value) -> Bool {
    let bits = history.change { $0 == expected.atomicBits ? wanted.atomicBits : nil }
    return bits == expected.atomicBits
  }
}

/// A type whose values fit in 64 bits.
@usableFromInline protocol AtomicValue {
  init(atomicBits: Int64)
  var atomicBits: Int64 { get }
}

extension AtomicValue where Self: FixedWidthInteger {
  @usableFromInline init(atomicBits: Int64) { self.init(truncatingIfNeeded: atomicBits) }
  @usableFromInline var atomicBits: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Int: AtomicValue {}
extension Int64: AtomicValue {}

extension Bool: AtomicValue {
  @usableFromInline init(atomicBits: Int64) { self = atomicBits != 0 }
  @usableFromInline var atomicBits: Int64 { self ? 1 : 0 }
}

/// The stores to one shared value in a run, in their order.
private final class ModelHistory {
  private struct Store {
    var bits: Int64
    /// The thread that stored it, and the number of its events by then; nil for the first value.
    var event: (thread: Int, number: Int)?
    /// The events of all threads that happened before, for a thread that acquires the value.
    var released: [Int]
  }

  private var stores: [Store]
  /// For each thread, the newest store that it has seen.
  private var seen: [Int: Int] = [:]

  init(_ bits: Int64) { stores = [Store(bits: bits, event: nil, released: [])] }

  func load(acquires: Bool) -> Int64 {
    guard let model = Model.current, let thread = model.running else {
      return stores[stores.count - 1].bits
    }
    model.step(.load(ObjectIdentifier(self)))
    return read(model.choose(among: visible(to: thread), thread), thread, acquires: acquires)
  }

  /// The stores whose value a load of a thread may return, newest first.
  private func visible(to thread: ModelThread) -> [Int] {
    let known = stores.lastIndex { store in
      store.event.map { thread.clock[$0.thread] >= $0.number } ?? true
    }
    return (max(known ?? 0, seen[thread.index] ?? 0)..<stores.count).reversed()
  }

  private func read(_ index: Int, _ thread: ModelThread, acquires: Bool) -> Int64 {
    seen[thread.index] = index
    if acquires { thread.merge(stores[index].released) }
    return stores[index].bits
  }

  func store(_ bits: Int64, releases: Bool) {
    guard let model = Model.current, let thread = model.running else {
      stores = [Store(bits: bits, event: nil, released: [])]
      return
    }
    model.step(.store(ObjectIdentifier(self)))
    append(bits, thread, releases: releases)
  }

  /// Changes the newest value, and returns it; does not change it if `body` returns nil.
  func change(_ body: (Int64) -> Int64?) -> Int64 {
    let last = stores[stores.count - 1]
    guard let model = Model.current, let thread = model.running else {
      if let bits = body(last.bits) { store(bits, releases: true) }
      return last.bits
    }
    model.step(.store(ObjectIdentifier(self)))
    // A change that fails may have read an older value.
    let possible = visible(to: thread).filter {
      $0 == stores.count - 1 || body(stores[$0].bits) == nil
    }
    let value = read(model.choose(among: possible, thread), thread, acquires: true)
    if let bits = body(value) { append(bits, thread, releases: true) }
    return value
  }

  private func append(_ bits: Int64, _ thread: ModelThread, releases: Bool) {
    thread.clock[thread.index] += 1
    stores.append(
      Store(
        bits: bits, event: (thread.index, thread.clock[thread.index]),
        released: releases ? thread.clock : []))
    seen[thread.index] = stores.count - 1
  }
}

/// Memory that threads share without atomic operations: one value, such as a slot of a ring.
///
/// Two accesses, one of them a write, fail unless one happened before the other.
final class ModelMemory {
  private let name: String
  /// For each thread, the number of its events by its last access.
  private var writes: [Int: Int] = [:]
  private var reads: [Int: Int] = [:]

  init(_ name: String) { self.name = name }

  func read() {
    check(against: [writes])
    note(in: &reads)
  }

  func write() {
    check(against: [writes, reads])
    note(in: &writes)
  }

  private func check(against accesses: [[Int: Int]]) {
    guard let model = Model.current, let thread = model.running else { return }
    for (other, number) in accesses.joined() where other != thread.index {
      model.require(
        thread.clock[other] >= number, "threads \(other) and \(thread.index) race for \(name)")
    }
  }

  private func note(in accesses: inout [Int: Int]) {
    guard let thread = Model.current?.running else { return }
    // The thread's next release orders this access before those of other threads.
    accesses[thread.index] = thread.clock[thread.index] + 1
  }
}
