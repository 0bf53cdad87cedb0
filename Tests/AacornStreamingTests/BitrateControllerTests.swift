import AacornStreaming
import Testing

/// The bitrate of a stream over simulated networks.
@Suite struct BitrateControllerTests {
  /// A stream over a network, simulated in steps of 100 ms.
  struct Stream {
    var controller: BitrateController
    /// The unsent bits of each 100 ms of audio.
    private(set) var queue: [Double] = []
    private(set) var time = 0
    private(set) var droppedCount = 0
    private(set) var changes: [(time: Int, change: BitrateChange)] = []

    init(from bitrate: Int = 128_000, _ bounds: ClosedRange<Int> = 32_000...128_000) {
      controller = BitrateController(bounds, from: bitrate)
    }

    /// Streams for `seconds` over a network with this capacity in bits per second at each time.
    mutating func run(_ seconds: Int, _ capacity: (_ second: Double) -> Double) {
      for _ in 0..<seconds * 10 {
        time += 1
        queue.append(Double(controller.bitrate) / 10)
        var room = capacity(Double(time) / 10) / 10
        while room > 0, let first = queue.first {
          if first <= room {
            queue.removeFirst()
          } else {
            queue[0] = first - room
          }
          room -= first
        }
        while queue.count > 100 {
          queue.removeFirst()
          droppedCount += 1
        }
        let change = controller.take(
          BitrateController.Observation(
            queued: .milliseconds(queue.count * 100),
            dropped: .milliseconds(droppedCount * 100), at: .milliseconds(time * 100)))
        if let change { changes.append((time, change)) }
      }
    }

    /// The times at which the bitrate fell immediately after a rise.
    var flaps: [Int] {
      zip(changes, changes.dropFirst()).compactMap { before, after in
        before.change.to > before.change.from && after.change.to < after.change.from
          ? after.time : nil
      }
    }

    /// Returns whether all changes are consistent, within the bounds and far enough apart.
    func hasConsistentChanges() -> Bool {
      var bitrate = changes.first?.change.from
      var last: (time: Int, change: BitrateChange)?
      for (time, change) in changes {
        guard change.from == bitrate, change.from != change.to,
          controller.bounds.contains(change.to),
          (change.to > change.from) == (change.because == .queueEmpty)
        else { return false }
        if let last {
          let wait = change.to > change.from ? 100 : last.change.to > last.change.from ? 0 : 20
          if time - last.time < wait { return false }
        }
        bitrate = change.to
        last = (time, change)
      }
      let distances = zip(flaps, flaps.dropFirst()).map { $1 - $0 }
      let end = bitrate ?? controller.bitrate
      return distances.allSatisfy { $0 >= 100 } && end == controller.bitrate
    }
  }

  @Test func aSteadyNetworkLeavesItAlone() {
    var stream = Stream()
    stream.run(600) { _ in 200_000 }
    #expect(stream.changes.isEmpty && stream.controller.bitrate == 128_000)
  }

  @Test func roomIsUsedSlowly() {
    var stream = Stream(from: 48_000)
    stream.run(9) { _ in 200_000 }
    #expect(stream.changes.isEmpty)
    stream.run(21) { _ in 200_000 }
    #expect((49_000..<80_000).contains(stream.controller.bitrate))
    stream.run(120) { _ in 200_000 }
    #expect(stream.controller.bitrate == 128_000)
    stream.run(600) { _ in 200_000 }
    #expect(stream.controller.bitrate == 128_000 && stream.droppedCount == 0)
    #expect(stream.hasConsistentChanges())
  }

  @Test func halvedBandwidthLowersBitrateWithinASecond() throws {
    var stream = Stream()
    stream.run(60) { _ in 200_000 }
    stream.run(600) { _ in 64_000 }
    try #require(!stream.changes.isEmpty)
    let first = stream.changes[0]
    #expect(first.time <= 650 && first.change.because == .queueGrew)
    #expect(first.change.from == 128_000 && first.change.to <= 64_000)
    #expect(stream.changes.allSatisfy { $0.change.to <= 80_000 && $0.change.to >= 32_000 })
    #expect(stream.droppedCount == 0)
    #expect(stream.hasConsistentChanges())
    // A bitrate that was too high is tried less and less often.
    #expect(stream.flaps.count < 12)
    // The network recovers.
    stream.run(600) { _ in 200_000 }
    #expect(stream.controller.bitrate == 128_000)
    #expect(stream.hasConsistentChanges())
  }

  @Test(arguments: [2, 5, 7, 11, 19, 40]) func intermittentNetworkCausesFewBitrateChanges(
    period: Int
  ) {
    var stream = Stream()
    stream.run(1200) { second in Int(second) / period % 2 == 0 ? 200_000 : 40_000 }
    #expect(stream.hasConsistentChanges())
    #expect(stream.changes.count < 240)
    #expect(stream.flaps.count <= 1200 / 10)
  }

  @Test func deadNetworkLowersBitrateToMinimumThenRecovers() {
    var stream = Stream()
    stream.run(60) { _ in 200_000 }
    stream.run(20) { _ in 0 }
    #expect(stream.controller.bitrate == 32_000)
    #expect(stream.droppedCount > 0)
    #expect(stream.changes.count == 2)
    let changeCount = stream.changes.count
    // The queue is sent first, and is not a reason to lower the bitrate further.
    stream.run(10) { _ in 200_000 }
    #expect(stream.changes.count == changeCount)
    stream.run(300) { _ in 200_000 }
    #expect(stream.controller.bitrate == 128_000)
    #expect(stream.hasConsistentChanges())
  }

  /// Passes the milliseconds of waiting audio at times in milliseconds, and returns the last change.
  private func last(
    from bitrate: Int = 48_000, _ observations: [(time: Int, queued: Int)]
  ) -> BitrateChange? {
    var controller = BitrateController(1000...128_000, from: bitrate)
    return observations.map { observation in
      controller.take(
        BitrateController.Observation(
          queued: .milliseconds(observation.queued), at: .milliseconds(observation.time)))
    }.last ?? nil
  }

  @Test func limitsAreExact() {
    // The bitrate rises by a seventh, at least by 1 kbit/s, after ten seconds with at most 200 ms.
    #expect(last([(0, 200), (9999, 200)]) == nil)
    #expect(last([(0, 201), (10_000, 200)]) == nil)
    #expect(last([(0, 200), (10_000, 200)])?.to == 54_000)
    #expect(last(from: 3000, [(0, 0), (10_000, 0)])?.to == 4000)
    #expect(last([(0, 0), (10_000, 0), (19_999, 0)]) == nil)
    #expect(last([(0, 0), (10_000, 0), (20_000, 0)])?.to == 61_000)
    // It falls if a second of audio waits and does not shrink by a fiftieth.
    #expect(last([(0, 500), (1000, 999)]) == nil)
    #expect(last([(0, 500), (999, 1000)]) == nil)
    #expect(last([(0, 500), (1000, 1000)])?.to == 20_000)
    #expect(last([(0, 1020), (1000, 1000)]) == nil)
    #expect(last([(0, 1019), (1000, 1000)])?.to == 38_000)
    #expect(last([(0, 0), (1000, 1000)])?.to == 14_000)
    // Then it stays for two seconds, and for the time that the queue needs, up to four seconds.
    let half = [(0, 500), (1000, 1000), (2000, 1000)]
    #expect(last(half + [(4999, 3000)]) == nil)
    #expect(last(half + [(5000, 3000)]) != nil)
    let all = [(0, 0), (1000, 1000), (2000, 1000)]
    #expect(last(all + [(6999, 3000)]) == nil)
    #expect(last(all + [(7000, 3000)]) != nil)
  }

  /// A bitrate that failed within 30 s is tried again after 20 s without waiting audio.
  @Test func failedBitrateIsTriedAgainLater() {
    let raised = [(0, 0), (10_000, 0)]
    for (failure, delay) in [(39_000, 20_000), (41_000, 10_000)] {
      // The bitrate falls to 80 %, from which it rises to 49,000, more than 90 % of 54,000.
      let failed = raised + [(failure - 1000, 950), (failure, 1000)]
      let empty = failure + 10_000
      #expect(last(failed)?.to == 43_000)
      let waiting = failed + [(empty, 0)]
      #expect(last(waiting + [(empty + delay - 1, 0)]) == nil)
      #expect(last(waiting + [(empty + delay, 0)])?.to == 49_000)
    }
  }

  /// A bitrate of 45,000 counts like the failed 50,000, but 44,000 does not count like 49,000.
  @Test(arguments: [(44_000, 45_000, 20_000), (43_000, 44_000, 10_000)])
  func ninetyPercentOfTheFailedBitrateIsTriedLater(first: Int, next: Int, delay: Int) {
    let failed = [(0, 0), (10_000, 0), (20_000, 950), (21_000, 1000), (31_000, 0)]
    #expect(last(from: first, failed + [(31_000 + delay - 1, 0)]) == nil)
    #expect(last(from: first, failed + [(31_000 + delay, 0)])?.to == next)
  }

  /// Returns an observation of waiting and dropped audio, in milliseconds.
  private func observation(
    at second: Int, queued: Int, dropped: Int = 0
  ) -> BitrateController.Observation {
    BitrateController.Observation(
      queued: .milliseconds(queued), dropped: .milliseconds(dropped), at: .seconds(second))
  }

  @Test func droppedAudioLowersBitrateDespiteShortQueue() {
    var controller = BitrateController(32_000...128_000, from: 128_000)
    #expect(controller.take(observation(at: 1, queued: 100)) == nil)
    let change = controller.take(observation(at: 2, queued: 100, dropped: 250))
    // Three quarters of the audio were sent.
    #expect(change == BitrateChange(from: 128_000, to: 81_000, because: .framesDropped))
  }

  /// Observations during a reconnection say nothing about the network.
  @Test func reconnectionDoesNotChangeBitrate() {
    var controller = BitrateController(32_000...128_000, from: 128_000)
    #expect(controller.take(observation(at: 1, queued: 0)) == nil)
    controller.pause()
    for second in 0...10 {
      let next = observation(at: 60 + second, queued: 10_000 - 1000 * second, dropped: 50_000)
      #expect(controller.take(next) == nil)
    }
    #expect(controller.bitrate == 128_000)
  }

  @Test func invalidObservationsAreIgnored() {
    var controller = BitrateController(32_000...128_000, from: 128_000)
    // If the time or the dropped duration decreases, the observation starts again.
    for (second, dropped) in [(100, 1000), (3, 1000), (9, 0), (9, 0)] {
      let next = observation(at: second, queued: 5000, dropped: dropped)
      #expect(controller.take(next) == nil)
    }
    #expect(controller.bitrate == 128_000)
    #expect(controller.take(observation(at: 10, queued: 5000))?.because == .queueGrew)
  }

  @Test func initialBitrateIsClampedToBounds() {
    #expect(BitrateController(32_000...64_000, from: 128_000).bitrate == 64_000)
    #expect(BitrateController(32_000...64_000, from: 1).bitrate == 32_000)
    // If the bounds allow one bitrate only, nothing changes.
    var stream = Stream(from: 64_000, 64_000...64_000)
    stream.run(60) { second in second < 30 ? 0 : 200_000 }
    #expect(stream.changes.isEmpty)
  }

  @Test func observationsAndBoundsOfAnySizeDoNotTrap() {
    let times = [Duration.seconds(Int64.min), .zero, .seconds(2), .seconds(Int64.max)]
    for bounds in [Int.min...Int.max, Int.max...Int.max, Int.min...Int.min, 0...Int.max] {
      for bitrate in [Int.min, 0, Int.max] {
        var controller = BitrateController(bounds, from: bitrate)
        for queued in times {
          for dropped in times {
            for time in times {
              _ = controller.take(.init(queued: queued, dropped: dropped, at: time))
              #expect(controller.bounds.contains(controller.bitrate))
            }
          }
        }
      }
    }
  }
}
