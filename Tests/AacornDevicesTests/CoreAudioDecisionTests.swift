import Testing

@testable import AacornDevices

@Suite struct CoreAudioDecisionTests {
  @Test func theNumbersOfAnInterruptionAreRead() {
    typealias Event = CoreAudioEvent
    #expect(
      Event(interruptionType: 1, reason: nil, options: nil) == .interrupted(.untilEnded))
    #expect(Event(interruptionType: 1, reason: 0, options: 0) == .interrupted(.untilEnded))
    #expect(Event(interruptionType: 1, reason: 1, options: nil) == .interrupted(.untilNow))
    #expect(Event(interruptionType: 1, reason: 2, options: nil) == .interrupted(.untilEnded))
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
    let old = CoreAudioRoute(device: FakeHardware.microphone, latency: 5)
    var new = CoreAudioRoute(device: FakeHardware.microphone, latency: 9)
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

  @Test func eventsArriveInOrderButAStopFirst() {
    let mailbox = CoreAudioMailbox()
    mailbox.post(.servicesLost)
    mailbox.post(.servicesReset)
    #expect(mailbox.next(milliseconds: 1000) == .event(.servicesLost))
    mailbox.post(.routeChanged(.unknown))
    mailbox.post(.stop)
    #expect(mailbox.next(milliseconds: 1000) == .event(.stop))
  }

  @Test func aPokeEndsAWaitWithoutAnEvent() {
    let mailbox = CoreAudioMailbox()
    #expect(mailbox.next(milliseconds: 1) == .timeout)
    mailbox.poke()
    #expect(mailbox.next(milliseconds: 1000) == .poke)
  }
}
