import AacornSystem
import Foundation
import Testing

struct RingBufferTests {
  @Test(arguments: [(0, 1), (1, 1), (2, 2), (3, 4), (1000, 1024), (1024, 1024)])
  func theCapacityIsTheNextPowerOfTwo(wanted: Int, capacity: Int) {
    #expect(RingBuffer<Int32>(capacity: wanted, filledWith: 0).capacity == capacity)
  }

  @Test func anEmptyBufferGivesNothing() {
    let ring = RingBuffer<Int32>(capacity: 4, filledWith: 7)
    #expect(ring.available == 0 && ring.free == 4)
    #expect(ring.read() == nil)
    #expect(!ring.read(count: 1) { _ in Issue.record("there is nothing") })
    #expect(ring.read(count: 0) { _ in Issue.record("nothing was asked for") })
  }

  @Test func aFullBufferTakesNothing() {
    let ring = RingBuffer<Int32>(capacity: 4, filledWith: 0)
    #expect(ring.write(count: 4) { Int32($0) })
    #expect(ring.available == 4 && ring.free == 0)
    #expect(!ring.write(count: 1) { _ in 99 })
    #expect(ring.write(count: 0) { _ in 99 })
    #expect((0..<4).map { _ in ring.read() } == [0, 1, 2, 3])
    #expect(ring.read() == nil)
  }

  @Test func ringRejectsTransfersThatDoNotFit() {
    let ring = RingBuffer<Int32>(capacity: 4, filledWith: 0)
    #expect(ring.write(count: 3) { Int32($0) })
    #expect(!ring.write(count: 2) { _ in 99 })
    #expect(!ring.write(count: 5) { _ in 99 })
    #expect(!ring.write(count: -1) { _ in 99 })
    #expect(!ring.write(count: .max) { _ in 99 })
    #expect(ring.available == 3)
    #expect(!ring.read(count: 4) { _ in Issue.record("there are three") })
    #expect(!ring.read(count: -1) { _ in Issue.record("fewer than none") })
    var taken: [Int32] = []
    #expect(ring.read(count: 3) { taken.append($0) })
    #expect(taken == [0, 1, 2])
  }

  @Test func positionsGoRoundAndRound() {
    let ring = RingBuffer<Int32>(capacity: 8, filledWith: 0)
    var written: Int32 = 0
    var read: Int32 = 0
    for round in 0..<1000 {
      let count = round % 8 + 1
      #expect(ring.write(count: count) { written + Int32($0) })
      written += Int32(count)
      // Every second round leaves one element, so that the positions shift.
      let taken = ring.available - (round % 2 == 0 && count < 8 ? 1 : 0)
      var isInOrder = true
      #expect(
        ring.read(count: taken) {
          isInOrder = isInOrder && $0 == read
          read += 1
        })
      #expect(isInOrder)
      while round % 2 == 0, let rest = ring.read() {
        #expect(rest == read)
        read += 1
      }
    }
    #expect(read == written)
  }

  /// A number in two halves, which detects a partial write.
  private struct Pair: BitwiseCopyable, Sendable {
    var low: Int
    var high: Int
  }

  private final class Shared: Sendable {
    let ring: RingBuffer<Pair>
    init(capacity: Int) { ring = RingBuffer(capacity: capacity, filledWith: Pair(low: 0, high: 0)) }
  }

  @Test(arguments: [1, 2, 64, 4096])
  func betweenTwoThreadsNothingIsLostOrTornOrOutOfOrder(capacity: Int) {
    let shared = Shared(capacity: capacity)
    // A smaller ring requires more switches between the threads.
    let total = min(200_000, 500 * capacity)
    let writer = Thread {
      var next = 0
      var size = 1
      while next < total {
        let count = min(size, capacity, total - next)
        if shared.ring.write(count: count, { Pair(low: next + $0, high: -next - $0) }) {
          next += count
          size = size % 77 + 1
        } else {
          // Neither side may wait for more elements than the other can provide. With a single core,
          // the other thread has to run.
          size = 1
          sched_yield()
        }
      }
    }
    writer.start()
    var expected = 0
    var faults = 0
    var size = 1
    while expected < total {
      let count = min(size, capacity, total - expected)
      let isRead = shared.ring.read(count: count) { pair in
        if pair.low != expected || pair.high != -expected { faults += 1 }
        expected += 1
      }
      size = isRead ? size % 53 + 1 : 1
      if !isRead { sched_yield() }
    }
    #expect(faults == 0)
    #expect(shared.ring.available == 0 && shared.ring.free == capacity)
  }
}
