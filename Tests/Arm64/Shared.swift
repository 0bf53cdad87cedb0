import CAacornAtomics

// The shared values of threads.c. Pointers instead of globals, which an object without a start
// cannot initialize.

private struct Shared: ~Copyable {
  let ring = RingBuffer<Int>(capacity: 64, filledWith: -1)
  let anchor = PlaybackAnchor()
  let count = Atomic<Int>(0)
}

/// Creates the shared values of both threads.
@c(make_shared) public func makeShared() -> UnsafeMutableRawPointer {
  let shared = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
  shared.initialize(to: Shared())
  return UnsafeMutableRawPointer(shared)
}

private func shared(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Shared> {
  pointer.assumingMemoryBound(to: Shared.self)
}

/// Writes numbers from `first` on; false if they do not fit.
@c(write_numbers) public func writeNumbers(
  _ pointer: UnsafeMutableRawPointer, _ first: Int, _ count: Int
) -> Bool {
  shared(pointer).pointee.ring.write(count: count) { first + $0 }
}

/// Returns how many numbers are not those from `first` on; −1 if fewer are available.
@c(read_numbers) public func readNumbers(
  _ pointer: UnsafeMutableRawPointer, _ first: Int, _ count: Int
) -> Int {
  var wrong = 0
  var next = first
  let isRead = shared(pointer).pointee.ring.read(count: count) { number in
    if number != next { wrong += 1 }
    next += 1
  }
  return isRead ? wrong : -1
}

/// Stores a number twice.
@c(store_anchor) public func storeAnchor(_ pointer: UnsafeMutableRawPointer, _ number: Int) {
  shared(pointer).pointee.anchor.store(frame: number, time: -Int64(number))
}

/// Returns the last number; −1 if its two parts differ.
@c(load_anchor) public func loadAnchor(_ pointer: UnsafeMutableRawPointer) -> Int {
  guard let record = shared(pointer).pointee.anchor.load() else { return 0 }
  return record.time == -Int64(record.frame) ? record.frame : -1
}

/// Adds one, and returns the sum.
@c(add_one) public func addOne(_ pointer: UnsafeMutableRawPointer) -> Int {
  shared(pointer).pointee.count.add(1) + 1
}
