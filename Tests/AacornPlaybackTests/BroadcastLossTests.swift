import Testing

@testable import AacornPlayback

/// The detected loss of live streams with broken connections, in simulated time.
@Suite struct BroadcastLossTests {
  private final class Rig {
    private var losses: BroadcastLoss

    init(byteRate: Int? = nil) { losses = BroadcastLoss(byteRate: byteRate) }

    /// Receives bytes, by default one second of them, at `time` in seconds.
    func take(
      _ byteCount: Int = 16_000, at time: Double, hasWaited: Bool = true
    ) -> Duration? {
      losses.take(
        BroadcastLoss.Arrival(
          byteCount: byteCount, time: Int64(time * 1e9), hasWaited: hasWaited))
    }

    func breakOff() { losses.recordBreak() }
  }

  private static func isNear(_ duration: Duration?, _ seconds: Double) -> Bool {
    duration.map { abs($0 / .seconds(1) - seconds) < 0.001 } ?? false
  }

  /// Returns a live stream after `seconds` of input.
  ///
  /// Two seconds arrive in advance.
  private static func lossesAfterPlaying(_ seconds: Int, byteRate: Int? = nil) -> Rig {
    let losses = Rig(byteRate: byteRate)
    #expect(losses.take(32_000, at: 0, hasWaited: false) == nil)
    for time in 1...seconds { #expect(losses.take(at: Double(time)) == nil) }
    return losses
  }

  @Test func theTimeWithoutAConnectionIsLost() {
    let losses = Self.lossesAfterPlaying(20)
    losses.breakOff()
    #expect(Self.isNear(losses.take(at: 31), 10))
    // The loss is reported only once.
    #expect(losses.take(at: 32) == nil)
  }

  @Test func burstAfterReconnectReducesLoss() {
    let losses = Self.lossesAfterPlaying(20)
    losses.breakOff()
    #expect(losses.take(64_000, at: 30, hasWaited: false) == nil)
    // Four seconds arrived together, and one second after a wait.
    #expect(Self.isNear(losses.take(at: 31), 6))
  }

  @Test func repeatedBytesReportNoLoss() {
    let losses = Self.lossesAfterPlaying(20)
    losses.breakOff()
    #expect(losses.take(160_000, at: 20.5, hasWaited: false) == nil)
    #expect(losses.take(at: 21) == nil)
    #expect(losses.take(at: 22) == nil)
  }

  @Test(arguments: [nil, 16_000] as [Int?])
  func bytesBufferedDuringPauseReduceLoss(byteRate: Int?) {
    let losses = Self.lossesAfterPlaying(20, byteRate: byteRate)
    // After a pause of a minute, ten seconds are in the buffers; then the server disconnects.
    for _ in 0..<10 { #expect(losses.take(at: 80, hasWaited: false) == nil) }
    losses.breakOff()
    #expect(Self.isNear(losses.take(at: 81), 50))
  }

  @Test func statedServerRateIsUsedUntilMeasured() {
    let losses = Self.lossesAfterPlaying(2, byteRate: 16_000)
    losses.breakOff()
    #expect(losses.take(32_000, at: 9, hasWaited: false) == nil)
    #expect(Self.isNear(losses.take(at: 10), 5))
  }

  @Test func unknownRateCountsWaitingTimeAsLoss() {
    let losses = Rig(byteRate: nil)
    #expect(losses.take(at: 1, hasWaited: false) == nil)
    losses.breakOff()
    #expect(Self.isNear(losses.take(at: 4, hasWaited: false), 3))
  }

  @Test func severalBreaksInARowAreOne() {
    let losses = Self.lossesAfterPlaying(20)
    losses.breakOff()
    losses.breakOff()
    losses.breakOff()
    #expect(Self.isNear(losses.take(at: 61), 40))
  }

  @Test func streamThatNeverBeganReportsNoLoss() {
    let losses = Rig(byteRate: 16_000)
    losses.breakOff()
    #expect(losses.take(at: 30) == nil)
  }
}
