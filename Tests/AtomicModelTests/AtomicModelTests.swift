import Testing

/// All interleavings of the product's lock-free parts; see ``Model``.
@Suite(.serialized) struct AtomicModelTests {
  // MARK: The product

  @Test(arguments: [(1, 3, 1), (2, 4, 1), (2, 3, 2), (4, 4, 2)])
  func aRingLosesNothing(capacity: Int, total: Int, batch: Int) {
    let result = Model.explore {
      let ring = Shared(RingBuffer<Int>(capacity: capacity, filledWith: -1))
      let slots = (0..<capacity).map { ModelMemory("slot \($0)") }
      var (written, read) = (0, 0)
      return (
        [
          {
            for _ in 0..<4 where written < total {
              let count = min(batch, total - written)
              let isWritten = ring.value.write(count: count) { index in
                slots[(written + index) % capacity].write()
                return written + index
              }
              if isWritten { written += count }
            }
          },
          {
            for _ in 0..<3 {
              let available = ring.value.available
              require(available >= 0 && available <= capacity, "\(available) are available")
              _ = ring.value.read(count: min(available, batch)) { element in
                slots[read % capacity].read()
                require(element == read, "\(element) instead of \(read)")
                read += 1
              }
            }
          },
        ],
        {
          while let element = ring.value.read() {
            require(element == read, "\(element) instead of \(read) at the end")
            read += 1
          }
          require(read == written, "\(read) of \(written) were read")
        }
      )
    }
    #expect(result.failure == nil)
    #expect(result.runCount > 1000)
  }

  @Test func anAnchorIsReadAsAWhole() {
    let result = Model.explore {
      let anchor = Shared(PlaybackAnchor())
      anchor.value.store(frame: 1, time: -1)
      return (
        [
          { anchor.value.store(frame: 2, time: -2) },
          {
            var last = 1
            for _ in 0..<2 {
              guard let record = anchor.value.load() else { continue }
              require(
                record.time == -Int64(record.frame) && record.frame >= last,
                "\(record.frame) goes with \(record.time), after \(last)")
              last = record.frame
            }
          },
        ],
        {
          let record = anchor.value.load()
          require(record?.frame == 2 && record?.time == -2, "the last record is lost")
        }
      )
    }
    #expect(result.failure == nil)
    #expect(result.runCount > 1000)
  }

  @Test func deviceThreadLeavesSinkAloneAfterTheGateIsClosed() {
    let result = Model.explore {
      let gate = DeviceGate()
      let sink = ModelMemory("the sink")
      var isClosed = false
      return (
        [
          {
            for _ in 0..<2 {
              gate.perform {
                require(!isClosed, "the device uses the sink after the end")
                sink.write()
              }
            }
          },
          {
            gate.close()
            isClosed = true
            sink.write()
          },
        ],
        { require(!gate.isOpen, "the gate is open") }
      )
    }
    #expect(result.failure == nil)
    #expect(result.runCount > 20)
  }

  // MARK: The model

  @Test func aStoreWithoutReleaseIsFound() throws {
    for (store, load) in [(Order.relaxed, Order.ordered), (.ordered, .relaxed)] {
      let failure = try #require(passing(store: store, load: load).failure)
      #expect(failure.contains("threads 0 and 1 race for the message"))
    }
    #expect(passing(store: .ordered, load: .ordered).failure == nil)
  }

  private enum Order { case relaxed, ordered }

  /// A thread passes a message, and sets a flag.
  private func passing(store: Order, load: Order) -> Model.Result {
    Model.explore {
      let flag = Shared(Atomic(false))
      let message = ModelMemory("the message")
      return (
        [
          {
            message.write()
            flag.value.store(true, ordering: store == .ordered ? .releasing : .relaxed)
          },
          {
            if flag.value.load(ordering: load == .ordered ? .acquiring : .relaxed) {
              message.read()
            }
          },
        ], {}
      )
    }
  }

  /// Releases and acquires do not order a store before a load of another value.
  @Test func twoFlagsMayBothSeemUnset() {
    var results: Set<[Bool]> = []
    let result = Model.explore {
      let flags = (0..<2).map { _ in Shared(Atomic(false)) }
      var seen = [false, false]
      return (
        (0..<2).map { index in
          {
            flags[index].value.store(true, ordering: .releasing)
            seen[index] = flags[1 - index].value.load(ordering: .acquiring)
          }
        },
        { results.insert(seen) }
      )
    }
    #expect(result.failure == nil)
    #expect(results == [[false, false], [false, true], [true, false], [true, true]])
  }

  /// A thread that spins lets others run, but may still be first.
  @Test func allOrdersAroundASpinAreFound() {
    var results: Set<Int> = []
    let result = Model.explore {
      let (first, second, third) = (Shared(Atomic(0)), Shared(Atomic(0)), Shared(Atomic(0)))
      var seen = -1
      return (
        [
          {
            first.value.store(1, ordering: .releasing)
            second.value.store(1, ordering: .releasing)
          },
          {
            third.value.store(1, ordering: .releasing)
            System.spin()
            seen = second.value.exchange(2)
          },
        ],
        { results.insert(seen) }
      )
    }
    #expect(result.failure == nil)
    #expect(results == [0, 1])
  }

  @Test func aWaitForEverIsFound() {
    let result = Model.explore {
      let flag = Shared(Atomic(false))
      return ([{ while !flag.value.load(ordering: .acquiring) { System.spin() } }, {}], {})
    }
    #expect(result.failure?.contains("the threads do not end") == true)
  }

  /// A gate that tests and sets in two steps is used after its end.
  @Test func aTestAndASetInTwoStepsAreFound() {
    let result = Model.explore {
      let isClosed = Shared(Atomic(false))
      var isUsed = false
      return (
        [
          {
            if !isClosed.value.load(ordering: .acquiring) {
              isUsed = true
              System.spin()
              isUsed = false
            }
          },
          {
            _ = isClosed.value.exchange(true)
            require(!isUsed, "the sink is in use after the end")
          },
        ], {}
      )
    }
    #expect(result.failure?.contains("in use after the end") == true)
  }
}

/// A value without copies, for several threads.
private final class Shared<Value: ~Copyable> {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

/// Fails the run of the model unless a condition holds.
private func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  Model.current?.require(condition, message())
}
