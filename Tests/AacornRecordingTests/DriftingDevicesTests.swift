import AacornDevices
import AacornSignal
import DeviceRigs
import Foundation
import TestSignals
import Testing

@testable import AacornRecording

/// A tone in a room, captured by a device with a drifting clock.
struct RoomTone: SyntheticSignal {
  static let hertz = 100.0
  /// The change of the tone per second at its steepest point.
  static let steepness = 0.5 * 2 * Double.pi * hertz

  let sampleRate: Int
  let channelCount = 1
  /// The drift of the device's clock, in parts per million.
  let drift: Double
  /// The capture time of the first frame, in seconds.
  let start: Double
  private var frame = 0

  init(sampleRate: Int, drift: Double, start: Double) {
    (self.sampleRate, self.drift, self.start) = (sampleRate, drift, start)
  }

  static func value(at seconds: Double) -> Double { 0.5 * sin(2 * Double.pi * hertz * seconds) }

  /// The capture time of a frame of a device with a drift, in seconds since its first frame.
  static func time(of frame: Int, _ rate: Int, drift: Double) -> Double {
    Double(frame) / Double(rate) * (1 + drift * 1e-6)
  }

  mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    for frame in frame..<frame + frameCount {
      let time = start + Self.time(of: frame, sampleRate, drift: drift)
      samples.append(Float(Self.value(at: time)))
    }
    frame += frameCount
    return frameCount
  }
}

/// A device without a thread.
///
/// It delivers the blocks that are complete at a given time.
private struct DriftingDevice {
  private var device: FaultyDevice
  private var next: (block: CaptureBlock, samples: [Float], time: Int64)?

  init(rate: Int, drift: Double, start: Double, playing signal: any SyntheticSignal, seed: UInt64) {
    device = FaultyDevice(
      Device(backend: .synthetic, id: "card", name: "Card"), playing: signal,
      faults: SyntheticFaults(
        driftPartsPerMillion: drift, jitter: .microseconds(250), seed: seed),
      startTime: 1_000_000_000 + Int64(start * 1e9))
  }

  mutating func block(by time: Int64) -> (block: CaptureBlock, samples: [Float], time: Int64)? {
    if next == nil {
      var samples: [Float] = []
      guard case .block(let block, let end) = device.next(into: &samples) else { return nil }
      next = (block, samples, end)
    }
    guard let block = next, block.time <= time else { return nil }
    next = nil
    return block
  }
}

/// Two sound cards that record for an hour.
@Suite struct DriftingDevicesTests {
  /// The clocks deviate by 200 ppm in opposite directions, which adds up to 1.4 s in an hour.
  ///
  /// Timestamps jitter by 0.25 ms.
  ///
  /// The alignment calculates in seconds, so the test can use a low sample rate. The tolerance is
  /// one sample at 48 kHz.
  @Test(arguments: [200.0, -200])
  func theSecondIsHeldToTheFirstWithinASample(drift: Double) throws {
    let (rate, length) = (4000, isDebugBuild ? 600.0 : 3600)
    var rig = try AlignmentRig(rate: rate)
    var leader = DriftingDevice(
      rate: rate, drift: drift, start: 0,
      playing: SilenceSignal(sampleRate: rate, channelCount: 1), seed: 3)
    var follower = DriftingDevice(
      rate: rate, drift: -drift, start: 0.1,
      playing: RoomTone(sampleRate: rate, drift: -drift, start: 0.1), seed: 4)
    // The alignment needs the first two minutes to estimate the other clock.
    var (mixedFrame, now, worst, worstBefore, sharpest) = (0, 0.0, 0.0, 0.0, 0.0)
    var last: (Float, Float) = (0, 0)
    while now < length + 1 {
      now += 0.01
      let time = 1_000_000_000 + Int64(now * 1e9)
      while let (block, samples, _) = leader.block(by: time) { rig.lead(block, samples) }
      while let (block, samples, _) = follower.block(by: time) { rig.follow(block, samples) }
      try rig.mix()
      for sample in rig.output {
        let seconds = RoomTone.time(of: mixedFrame, rate, drift: drift)
        let error = abs(Double(sample) - RoomTone.value(at: seconds)) / RoomTone.steepness
        if seconds > 120 {
          worst = max(worst, error)
        } else if seconds > 1 {
          worstBefore = max(worstBefore, error)
        }
        if seconds > 1 { sharpest = max(sharpest, abs(Double(sample - 2 * last.0 + last.1))) }
        last = (sample, last.0)
        mixedFrame += 1
      }
      rig.output.removeAll(keepingCapacity: true)
    }
    #expect(RoomTone.time(of: mixedFrame, rate, drift: drift) > length)
    #expect(worst < 1 / 48_000, "\(worst * 1e6) microseconds of misplacement")
    #expect(worstBefore < 0.001, "\(worstBefore * 1e6) microseconds at first")
    // A dropped or repeated sample would cause a step as large as the slope, six times the bend.
    let bend = RoomTone.steepness / Double(rate) * 2 * Double.pi * RoomTone.hertz / Double(rate)
    #expect(sharpest < 1.1 * bend, "\(sharpest) instead of \(bend)")
    #expect(rig.gaps.isEmpty)
    let found = rig.mixdown.followers[0].track.input.partsPerMillion
    #expect(abs(found + 2 * drift) < 5, "\(found)")
  }
}
