import AacornSignal
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornDevices

/// The behavior of a target on fake outputs.
@Suite(.simulated(seeds: 5)) struct CoreAudioTargetTests {
  private static let blockLength = 480
  private static let signal: [Float] = (0..<20 * blockLength * 2).map { Float($0 + 1) / 65_536 }

  private let hardware = FakePlaybackHardware()
  private let feed: PlaybackFeed

  init() {
    feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 20 * Self.blockLength)
    _ = feed.write(array: Self.signal)
  }

  private func makeTarget() -> CoreAudioTarget {
    CoreAudioTarget(on: hardware)
  }

  private func startTarget() throws -> CoreAudioTarget {
    let target = makeTarget()
    try target.start(feed)
    return target
  }

  /// Returns block `number` of the signal.
  private func block(_ number: Int) -> [Float] {
    let length = Self.blockLength * 2
    return Array(Self.signal[number * length..<(number + 1) * length])
  }

  /// Waits for the next events and returns them.
  private func next(_ count: Int) -> [DeviceEvent] {
    var events: [DeviceEvent] = []
    let hasEvents = eventually {
      while events.count < count, let event = feed.nextEvent() { events.append(event) }
      return events.count >= count
    }
    #expect(hasEvents, "The target reports its events.")
    return events
  }

  /// Waits until units have played `count` blocks, and expects the first blocks of the signal.
  private func expectBlocks(_ count: Int) {
    #expect(eventually { hardware.value.blocks.count >= count }, "The target plays on.")
    #expect(hardware.value.blocks == (0..<count).map { block($0) })
  }

  @Test func soundFlowsFromStartToStop() throws {
    let target = try startTarget()
    expectBlocks(1)
    #expect(target.device == FakePlaybackHardware.loudspeakers)
    #expect(target.diagnostics == ["a remark"])
    #expect(target.failure == nil)
    target.stop()
    target.stop()
    #expect(hardware.log == ["activate", "open speakers", "unobserve", "close", "deactivate"])
    #expect(feed.nextEvent() == nil)
    #expect(feed.underrunCount == 0)
  }

  @Test func aStoppedTargetCanStartAgainButNotTwice() throws {
    let target = makeTarget()
    for round in 1...3 {
      try target.start(feed)
      #expect(throws: DeviceError.self) { try target.start(feed) }
      expectBlocks(round)
      target.stop()
      #expect(hardware.value.openCount == 0 && !hardware.value.isActive)
    }
    #expect(feed.consumedFrameCount == 3 * Self.blockLength)
  }

  @Test(arguments: ["activate", "open", "start"])
  func aFailedSetUpLeavesNothingOpen(step: String) {
    let error = DeviceError.deviceBusy(id: step)
    hardware.change {
      switch step {
      case "activate": $0.activateError = error
      case "open": $0.openError = error
      default: $0.startError = error
      }
    }
    let target = makeTarget()
    #expect(throws: DeviceError.deviceBusy(id: step)) { try target.start(feed) }
    target.stop()
    #expect(hardware.value.openCount == 0)
    #expect(!hardware.value.isActive)
    #expect(hardware.value.post == nil)
    #expect(feed.consumedFrameCount == 0)
  }

  @Test func unsupportedFormatThrowsBeforeOpeningDevice() {
    let many = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 65), frameCapacity: 16)
    #expect(throws: DeviceError.self) { try makeTarget().start(many) }
    let fast = PlaybackFeed(
      PlaybackFormat(sampleRate: 2_000_000, channelCount: 2), frameCapacity: 16)
    #expect(throws: DeviceError.self) { try makeTarget().start(fast) }
    #expect(hardware.log.isEmpty)
  }

  @Test func changedDeviceRateReopensUnitWithoutEvent() throws {
    let target = try startTarget()
    hardware.change { $0.device?.sampleRate = 96_000 }
    hardware.post(.routeChanged(.configuration))
    #expect(eventually { hardware.value.blocks.count == 2 }, "The unit is opened again.")
    target.stop()
    #expect(hardware.value.lastOrder?.route.device.sampleRate == 96_000)
    // The feed keeps its sample rate; the unit converts.
    #expect(hardware.value.lastOrder?.format.sampleRate == 48_000)
    #expect(feed.nextEvent() == nil)
  }

  @Test func otherLoudspeakersOfADeviceNeedAnotherUnit() throws {
    let target = try startTarget()
    hardware.change {
      $0.device?.channelCount = 6
      $0.layout = ChannelLayout.standard(channelCount: 6)
    }
    hardware.post(.routeChanged(.configuration))
    #expect(eventually { hardware.value.blocks.count == 2 }, "The unit is opened again.")
    target.stop()
    // Stereo plays only on the front loudspeakers.
    let frame = Array(hardware.value.blocks[1].prefix(6))
    #expect(frame == Array(block(1).prefix(2)) + [0, 0, 0, 0])
  }

  @Test func aChangeOfTheLatencyAloneInterruptsNothing() throws {
    let target = try startTarget()
    for _ in 0..<100 { hardware.post(.routeChanged(.category)) }
    hardware.change { $0.latency = 7 }
    hardware.post(.routeChanged(.configuration))
    #expect(eventually { hardware.count("latency 7") > 0 }, "The latency is taken over.")
    target.stop()
    // Another unit would have played a second block.
    expectBlocks(1)
    #expect(feed.nextEvent() == nil)
  }

  @Test(arguments: [
    CoreAudioEvent.routeChanged(.oldDeviceGone), .interrupted(.deviceGone), .servicesLost,
  ])
  func aLostDeviceIsWaitedForAndLosesNoSample(event: CoreAudioEvent) throws {
    let target = try startTarget()
    hardware.change { $0.device = nil }
    hardware.post(event)
    #expect(next(1) == [.deviceLost])
    // The target reports it once, and consumes no frames.
    hardware.post(.servicesLost)
    hardware.post(.routeChanged(.oldDeviceGone))
    System.sleep(milliseconds: 10_000)
    #expect(feed.nextEvent() == nil)
    #expect(feed.consumedFrameCount == Self.blockLength && hardware.value.openCount == 0)
    hardware.change { $0.device = FakePlaybackHardware.loudspeakers }
    hardware.post(.routeChanged(.newDevice))
    #expect(next(1) == [.deviceReturned])
    expectBlocks(2)
    target.stop()
    #expect(feed.nextEvent() == nil)
    #expect(feed.underrunCount == 0)
  }

  @Test func resumeRequestNeedsNoSystemSuggestion() throws {
    let target = try startTarget()
    hardware.post(.interrupted(.untilEnded))
    #expect(next(1) == [.suspended])
    target.resume()
    #expect(next(1) == [.resumed])
    expectBlocks(2)
    target.stop()
  }

  @Test func playbackStaysSuspendedWithoutResumeRequest() throws {
    let target = try startTarget()
    hardware.post(.interrupted(.untilEnded))
    #expect(next(1) == [.suspended])
    hardware.post(.interruptionEnded(shouldResume: false))
    hardware.post(.routeChanged(.newDevice))
    // If one of these had resumed playback, this event would be reported as another loss.
    hardware.post(.servicesReset)
    #expect(next(1) == [.resumed])
    hardware.change { $0.device = FakePlaybackHardware.headphones }
    hardware.post(.routeChanged(.newDevice))
    #expect(next(1) == [.deviceChanged])
    target.stop()
  }

  @Test func theDeviceSaysWhatItPlaysWithoutConversion() throws {
    let target = makeTarget()
    #expect(
      try target.preferredFormat() == PlaybackFormat(sampleRate: 48_000, channelCount: 2))
    // The destinations of a mixing console's inputs are unknown.
    hardware.change { $0.device?.channelCount = 18 }
    #expect(try target.preferredFormat().channelCount == 2)
    hardware.change { $0.device?.channelCount = 1 }
    #expect(try target.preferredFormat().channelCount == 1)
    let layout = ChannelLayout.standard(channelCount: 6)
    hardware.change {
      $0.device?.channelCount = 6
      $0.device?.sampleRate = 0
      $0.layout = layout
    }
    #expect(
      try target.preferredFormat()
        == PlaybackFormat(sampleRate: 48_000, channelCount: 6, layout: layout))
    hardware.change { $0.device = nil }
    #expect(throws: DeviceError.noDevice(for: .playback, backend: .coreAudio)) {
      try target.preferredFormat()
    }
    #expect(hardware.log.isEmpty)
  }
}
