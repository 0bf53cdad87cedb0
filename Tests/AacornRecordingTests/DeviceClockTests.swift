import Foundation
import TestSignals
import Testing

@testable import AacornRecording

@Suite struct DeviceClockTests {
  /// A device with its own rate, whose timestamps are early or late.
  struct Device {
    var sampleRate = 48_000
    var drift = 0.0
    /// The maximum error of a timestamp, in seconds, in both directions.
    var jitter = 0.0
    var origin: Int64 = 1_000_000_000
    var blocks = 480...480
    var dice = SeededNumbers(seed: 5)
    var frame = 0

    /// The capture time of a frame, in seconds since the first frame.
    func seconds(of frame: Int) -> Double {
      Double(frame) / (Double(sampleRate) * (1 + drift * 1e-6))
    }

    func time(of frame: Int) -> Int64 { origin + Int64((seconds(of: frame) * 1e9).rounded()) }

    /// Passes blocks to a clock, and reports the clock's error before each block.
    mutating func run(
      _ clock: inout DeviceClock, seconds: Double, probe: (Double) -> Void = { _ in }
    ) {
      let end = frame + Int(seconds * Double(sampleRate))
      while frame < end {
        probe(Double(clock.nextTime - time(of: frame)) * 1e-9)
        let count = Int.random(in: blocks, using: &dice)
        let error = jitter > 0 ? Double.random(in: -jitter...jitter, using: &dice) : 0
        clock.advance(by: count, at: time(of: frame) + Int64(error * 1e9))
        frame += count
      }
    }

    /// A clock that has followed the device from its first frame.
    mutating func clock(after seconds: Double = 0) -> DeviceClock {
      var clock = DeviceClock(sampleRate: sampleRate, time: time(of: frame))
      run(&clock, seconds: seconds)
      return clock
    }
  }

  @Test(
    arguments: [-900.0, -150, -20, 0, 3, 80, 400, 900], [8000, 44_100, 48_000, 192_000])
  func aDriftIsRecovered(drift: Double, sampleRate: Int) throws {
    var device = Device(sampleRate: sampleRate, drift: drift)
    device.blocks = sampleRate / 100...sampleRate / 100
    let clock = device.clock(after: 120)
    let found = try #require(clock.driftPartsPerMillion)
    #expect(abs(found - drift) < 2 + abs(drift) * 0.01, "\(found)")
  }

  /// Jitter averages out over ten minutes.
  @Test(arguments: [-80.0, 35, 300], [0.0005, 0.003, 0.008])
  func aDriftIsRecoveredFromTimesThatJitter(drift: Double, jitter: Double) throws {
    var device = Device(drift: drift, jitter: jitter)
    let clock = device.clock(after: 600)
    let found = try #require(clock.driftPartsPerMillion)
    #expect(abs(found - drift) < 2 + jitter * 1500, "\(found)")
    #expect(abs(clock.jitter / (jitter / 2) - 1) < 0.3, "\(clock.jitter)")
  }

  /// The estimated drift does not depend on the block size.
  @Test(arguments: [1...1, 64...64, 1...3000, 4800...4800, 48_000...48_000])
  func theSizeOfBlocksDoesNotMatter(blocks: ClosedRange<Int>) throws {
    var device = Device(drift: 120)
    device.blocks = blocks
    let clock = device.clock(after: blocks.upperBound == 1 ? 40 : 300)
    let found = try #require(clock.driftPartsPerMillion)
    #expect(abs(found - 120) < 4, "\(found)")
    #expect(abs(clock.error(of: device.time(of: device.frame))) < 2e-4)
  }

  @Test func theNextFrameIsPredictedBetterThanItsTimeIsRead() {
    var device = Device(drift: 60, jitter: 0.005)
    var clock = device.clock(after: 60)
    var (sum, count, worst) = (0.0, 0.0, 0.0)
    device.run(&clock, seconds: 60) { error in
      sum += error * error
      count += 1
      worst = max(worst, abs(error))
    }
    // The timestamps themselves have an error of 2.9 ms.
    #expect((sum / count).squareRoot() < 0.0006)
    #expect(worst < 0.0015)
  }

  @Test func driftIsNilUntilMeasured() {
    var device = Device(drift: 50)
    var clock = device.clock()
    #expect(clock.driftPartsPerMillion == nil)
    device.run(&clock, seconds: 9)
    #expect(clock.driftPartsPerMillion == nil)
    device.run(&clock, seconds: 3)
    #expect(clock.driftPartsPerMillion != nil)
  }

  /// Frames without a timestamp, as after a stall: the clock keeps the rate that it has estimated.
  @Test func framesWithoutATimeAreCountedAtTheRateThatWasFound() throws {
    var device = Device(drift: 250)
    var clock = device.clock(after: 300)
    clock.advance(by: 20 * 48_000)
    device.frame += 20 * 48_000
    // At the nominal rate the error would be 5 ms.
    #expect(abs(clock.error(of: device.time(of: device.frame))) < 2e-4)
    device.run(&clock, seconds: 60)
    let found = try #require(clock.driftPartsPerMillion)
    #expect(abs(found - 250) < 3, "\(found)")
  }

  @Test(arguments: [-0.5, 0.004, 3, 3600])
  func aJumpMovesTimeAndNotTheRate(seconds: Double) throws {
    var device = Device(drift: -120)
    var clock = device.clock(after: 200)
    let (before, drift) = (clock.nextTime, try #require(clock.driftPartsPerMillion))
    clock.shift(by: seconds)
    #expect(abs(clock.nextTime - before - Int64(seconds * 1e9)) <= 1)
    // The drift stays equal, except for rounding errors in the last bits of the time.
    #expect(abs(try #require(clock.driftPartsPerMillion) - drift) < 1e-3)
    // The device's timestamps jump too, as after a computer wakes up.
    device.origin += Int64(seconds * 1e9)
    var worst = 0.0
    device.run(&clock, seconds: 100) { worst = max(worst, abs($0)) }
    #expect(worst < 2e-4, "\(worst)")
    #expect(abs(try #require(clock.driftPartsPerMillion) + 120) < 3)
  }

  /// A single late timestamp hardly changes the prediction.
  @Test func singleLateTimeHardlyMovesPrediction() {
    var device = Device()
    var clock = device.clock(after: 200)
    let time = device.time(of: device.frame)
    #expect(abs(clock.error(of: time + 40_000_000) - 0.04) < 1e-6)
    clock.advance(by: 480, at: time + 40_000_000)
    device.frame += 480
    #expect(abs(clock.error(of: device.time(of: device.frame))) < 0.0005)
    device.run(&clock, seconds: 300)
    #expect(abs(clock.error(of: device.time(of: device.frame))) < 1e-5)
  }

  /// A deviation larger than any crystal's is treated as jitter, and the clock does not follow it.
  @Test(arguments: [-50_000.0, 50_000])
  func impossibleDriftIsLimited(drift: Double) {
    var device = Device(drift: drift)
    var clock = device.clock(after: 60)
    let time = clock.nextTime
    clock.advance(by: 48_000)
    let second = Double(clock.nextTime - time) * 1e-9
    #expect(second >= 0.999 - 1e-9 && second <= 1.001 + 1e-9)
  }

  /// After a week, on a machine that has run for years, times are as exact as at the start.
  @Test func timesKeepTheirPrecision() {
    var device = Device(drift: 77, origin: 200_000_000_000_000_000)
    device.blocks = 48_000...48_000
    let clock = device.clock(after: 7 * 86_400)
    #expect(abs(clock.nextTime - device.time(of: device.frame)) < 1000)
  }

  @Test func aBlockWithoutFramesChangesNothing() {
    var device = Device(drift: 40)
    var clock = device.clock(after: 30)
    let (next, drift, jitter) = (clock.nextTime, clock.driftPartsPerMillion, clock.jitter)
    clock.advance(by: 0, at: next + 30_000_000)
    clock.advance(by: 0)
    #expect(clock.nextTime == next && clock.driftPartsPerMillion == drift)
    #expect(clock.jitter == jitter)
  }
}
