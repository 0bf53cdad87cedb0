import AacornSystem
import Testing

@testable import AacornDevices

struct AtomicTests {
  @Test func aValueIsWhatWasStoredLast() {
    let number = Atomic<Int32>(-3)
    #expect(number.load(ordering: .relaxed) == -3)
    number.store(.min, ordering: .releasing)
    #expect(number.load(ordering: .acquiring) == .min)
    #expect(number.exchange(7) == .min)
    #expect(number.load(ordering: .relaxed) == 7)

    let count = Atomic<Int>(.max)
    #expect(count.add(2) == .max)
    #expect(count.load(ordering: .relaxed) == .min + 1)

    let flag = Atomic(false)
    let (before, after) = (flag.exchange(true), flag.load(ordering: .acquiring))
    #expect(!before && after)

    let bits = Atomic<UInt8>(0b1000_0001)
    bits.insert(0b0000_0011)
    #expect(bits.load(ordering: .relaxed) == 0b1000_0011)
  }

  @Test func aValueIsReplacedOnlyIfItIsTheExpectedOne() {
    let number = Atomic<Int>(5)
    let isWronglyReplaced = number.replace(4, with: 6)
    #expect(!isWronglyReplaced && number.load(ordering: .relaxed) == 5)
    let isReplaced = number.replace(5, with: 6)
    #expect(isReplaced && number.load(ordering: .relaxed) == 6)
  }

  @Test func noAdditionOfSeveralThreadsIsLost() async {
    final class Counter: Sendable { let number = Atomic<Int>(0) }
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<10_000 { counter.number.add(1) } }
      }
    }
    #expect(counter.number.load(ordering: .acquiring) == 40_000)
  }

  /// Both numbers of an anchor come from the same call.
  @Test func anAnchorIsReadAsAWhole() async {
    final class Shared: Sendable {
      let anchor = PlaybackAnchor()
      let isFinished = Atomic(false)
    }
    let shared = Shared()
    #expect(shared.anchor.load() == nil)
    await withTaskGroup { group in
      group.addTask {
        for number in 1...200_000 { shared.anchor.store(frame: number, time: -Int64(number)) }
        shared.isFinished.store(true, ordering: .releasing)
      }
      group.addTask {
        var last = 0
        while !shared.isFinished.load(ordering: .acquiring) {
          guard let anchor = shared.anchor.load() else { continue }
          guard anchor.time == -Int64(anchor.frame), anchor.frame >= last else {
            Issue.record("\(anchor.frame) goes with \(anchor.time), after \(last)")
            return
          }
          last = anchor.frame
        }
      }
    }
    let last = shared.anchor.load()
    #expect(last?.frame == 200_000 && last?.time == -200_000)
  }
}
