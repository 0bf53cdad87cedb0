import Testing

@testable import AacornDevices

@Suite struct CoreAudioDecisionTests {
  @Test func theNumbersOfAnInterruptionAreRead() {
    typealias Event = CoreAudioEvent
    #expect(
      Event(interruptionType: 1, reason: nil, options: nil) == .interrupted(.untilEnded))
    #expect(Event(interruptionType: 1, reason: 0, options: 0) == .interrupted(.untilEnded))
    #expect(
      Event(interruptionType: 1, reason: 1, options: nil) == .interrupted(.endedWhileSuspended))
    #expect(Event(interruptionType: 1, reason: 2, options: nil) == .interrupted(.untilBack))
    #expect(Event(interruptionType: 1, reason: 3, options: nil) == .interrupted(.untilBack))
    #expect(Event(interruptionType: 1, reason: 4, options: nil) == .interrupted(.deviceGone))
    #expect(Event(interruptionType: 1, reason: 99, options: nil) == .interrupted(.untilEnded))
    #expect(Event(interruptionType: 7, reason: nil, options: nil) == nil)
    #expect(Event(interruptionType: nil, reason: nil, options: nil) == nil)
  }

  @Test(arguments: [(nil, false), (0, false), (1, true), (2, false), (3, true)] as [(UInt?, Bool)])
  func onlyTheOptionSaysThatOneShouldResume(options: UInt?, shouldResume: Bool) {
    #expect(
      CoreAudioEvent(interruptionType: 0, reason: nil, options: options)
        == .interruptionEnded(shouldResume: shouldResume))
  }

  @Test func theInputAndItsFormatDecideOnAChangeOfRoute() {
    let microphone = Device(
      backend: .coreAudio, id: "mic", name: "Microphone", channelCount: 2, sampleRate: 48_000)
    let old = CoreAudioRoute(device: microphone, latency: 5)
    var new = CoreAudioRoute(device: microphone, latency: 9)
    new.device.name = "The same under another name"
    #expect(old.reaction(to: new, .oldDeviceGone) == .keep)
    #expect(old.reaction(to: new, .category) == .keep)
    #expect(old.reaction(to: new, .noSuitableRoute) == .lose)
    #expect(old.reaction(to: nil, .configuration) == .lose)
    new.device.sampleRate = 16_000
    #expect(old.reaction(to: new, .configuration) == .rebuild)
    new = old
    new.device.channelCount = 1
    #expect(old.reaction(to: new, .unknown) == .rebuild)
    new = old
    new.device.id = "other"
    #expect(old.reaction(to: new, .newDevice) == .rebuild)
  }

  @Test func onlySomeChangesOfRouteMayBringADevice() {
    typealias Reason = CoreAudioRouteReason
    #expect(Reason.newDevice.mayBringDevice && Reason.configuration.mayBringDevice)
    #expect(Reason.unknown.mayBringDevice && Reason.wakeFromSleep.mayBringDevice)
    #expect(!Reason.category.mayBringDevice && !Reason.override.mayBringDevice)
    #expect(!Reason.noSuitableRoute.mayBringDevice)
  }

  @Test func retryDelayGrowsAndResetsOnChange() {
    var backOff = CoreAudioBackOff()
    var waits: [Int] = []
    for _ in 0..<9 {
      waits.append(backOff.milliseconds)
      backOff.lengthen()
    }
    #expect(waits == [250, 250, 500, 1000, 2000, 4000, 8000, 16_000, 16_000])
    backOff.reset()
    #expect(backOff.milliseconds == 250)
  }

  @Test func unitRebuildsAreLimitedPerPeriod() {
    let second: Int64 = 1_000_000_000
    var rebuilds = CoreAudioRebuilds()
    let times = (0..<20).map { $0 * second }
    // At most eight within ten seconds.
    #expect(times.map { rebuilds.begin(at: $0) } == times.map { $0 % (10 * second) < 8 * second })
  }

  @Test func anInterruptionHasALimitOrNone() {
    let second: Int64 = 1_000_000_000
    let call = CoreAudioSuspension(start: 5 * second, maxDuration: .seconds(60))
    #expect(call.remainingMilliseconds(at: 5 * second) == 60_000)
    #expect(call.remainingMilliseconds(at: 64 * second + second / 2) == 500)
    #expect(!call.isTooLong(at: 65 * second - 1))
    #expect(call.isTooLong(at: 65 * second) && call.isTooLong(at: 1000 * second))
    #expect(call.error.message.contains("1:00"))
    let endless = CoreAudioSuspension(start: 0, maxDuration: nil)
    #expect(endless.remainingMilliseconds(at: .max) == nil && !endless.isTooLong(at: .max))
  }

  @Test func eventsArriveInOrderButAStopFirst() {
    let mailbox = CoreAudioMailbox()
    mailbox.post(.servicesLost)
    mailbox.post(.servicesReset)
    #expect(mailbox.next(milliseconds: 1000) == .event(.servicesLost))
    mailbox.post(.routeChanged(.unknown))
    mailbox.post(.stop)
    #expect(mailbox.next(milliseconds: 1000) == .event(.stop))
  }

  @Test func wakeEndsWaitWithoutEvent() {
    let mailbox = CoreAudioMailbox()
    #expect(mailbox.next(milliseconds: 1) == .timeout)
    mailbox.wake()
    #expect(mailbox.next(milliseconds: 1000) == .woken)
  }
}
