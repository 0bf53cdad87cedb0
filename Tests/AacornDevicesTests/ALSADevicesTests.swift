#if os(Linux)
import AacornSystem
import CAacornALSA
import Simulation
import Testing

@testable import AacornDevices

/// The devices of a simulated computer.
@Suite(.serialized, .simulated(seeds: 3), .needsSimulation) struct ALSADevicesTests {
  private let cards: [String: ALSACard]

  init() {
    ALSAComputer.cards = [0, 2]
    var cards: [String: ALSACard] = [:]
    for name in [
      "the default", "hw:CARD=PCH,DEV=0", "hw:CARD=PCH,DEV=3", "hw:CARD=USB,DEV=1", "pulse",
      "recorder", "speakers", "mic", "upmix", "sysdefault", "silence", "jack", "null",
      "front:CARD=PCH",
    ] {
      cards[name] = ALSACard(name: name, rate: 44_100)
    }
    for (name, channels) in [("DEV=0", 1...8), ("DEV=3", 4...6)] {
      let card = cards["hw:CARD=PCH,\(name)"]
      card?.type = AACORN_ALSA_TYPE_HW
      card?.claimedRates = 8000...96_000
      card?.claimedChannels = channels
    }
    cards["pulse"]?.claimedRates = 1000...192_000
    cards["pulse"]?.claimedChannels = 1...32
    self.cards = cards
  }

  private func list(_ direction: DeviceDirection, opens: Bool = true) -> [String] {
    let devices = ALSADevices(library: ALSAComputer.library, direction: direction)
    return (opens ? devices.opened : devices.all).map {
      "\($0.id)|\($0.name)|\($0.details)|\($0.channelCount)|\($0.sampleRate)"
        + ($0.isDefault ? "|default" : "")
    }
  }

  /// Checks that the program has freed all objects and closed all devices.
  private func expectNothingLeft() {
    #expect(ALSAComputer.objectCount == 0)
    #expect(cards.values.allSatisfy { !$0.read(\.isOpen) && $0.read(\.objectCount) == 0 })
  }

  @Test func devicesOfEachDirectionAreListed() {
    // A device that another program uses exists, too.
    _ = cards["hw:CARD=USB,DEV=1"]?.open(capturing: true)
    #expect(
      list(.capture) == [
        "default|Default||2|44100|default", "hw:CARD=PCH,DEV=0|Board|Analog|8|48000",
        "hw:CARD=USB,DEV=1|Interface|Microphone|0|0", "pulse|pulse|Sound, Server|0|0",
        "recorder|recorder|A file|0|0", "mic|mic||2|44100",
      ])
    cards["hw:CARD=USB,DEV=1"]?.close()
    #expect(
      list(.playback) == [
        "default|Default||2|44100|default", "hw:CARD=PCH,DEV=0|Board|Analog|2|48000",
        "hw:CARD=PCH,DEV=3|Board|HDMI|4|48000", "pulse|pulse|Sound, Server|0|0",
        "recorder|recorder|A file|0|0", "speakers|speakers||2|44100",
      ])
    // Opening this device would empty a file.
    #expect(cards["recorder"]?.read(\.callCount) == 0)
    expectNothingLeft()
  }

  @Test func devicesAreListedWithoutOpeningThem() {
    let threadCount = Simulation.threadCount
    #expect(
      list(.capture, opens: false) == [
        "default|Default||0|0|default", "hw:CARD=PCH,DEV=0|Board|Analog|0|0",
        "hw:CARD=USB,DEV=1|Interface|Microphone|0|0", "recorder|recorder|A file|0|0",
        "missing|missing||0|0", "mic|mic||0|0",
      ])
    ALSAComputer.cards = []
    #expect(list(.playback, opens: false).first == "recorder|recorder|A file|0|0")
    #expect(Simulation.threadCount == threadCount)
    #expect(cards.values.allSatisfy { $0.read(\.callCount) == 0 })
    expectNothingLeft()
  }

  @Test func unresponsiveDeviceIsOmitted() {
    cards["mic"]?.openingMilliseconds = 1100
    cards["the default"]?.openingMilliseconds = 900
    let ids = expectDuration(1.9...1.901) { list(.capture).map { $0.prefix { $0 != "|" } } }
    #expect(
      ids == ["default", "hw:CARD=PCH,DEV=0", "hw:CARD=USB,DEV=1", "pulse", "recorder"])
    System.sleep(milliseconds: 200)
    expectNothingLeft()
  }

  @Test func preferredFormatIsTheCardsOrSuitsPlugIns() throws {
    _ = cards["speakers"]?.open(capturing: false)
    for (id, rate, channels) in [
      ("hw:CARD=PCH,DEV=0", 48_000, 2), ("hw:CARD=PCH,DEV=3", 48_000, 4), ("mic", 44_100, 2),
      ("pulse", 48_000, 2), ("speakers", 48_000, 2), ("recorder", 48_000, 2),
    ] {
      let target = ALSATarget(
        PlaybackRequest(device: .pinned(id: id)), library: ALSAComputer.library)
      let format = try target.preferredFormat()
      #expect(format == PlaybackFormat(sampleRate: rate, channelCount: channels), "\(id)")
    }
    #expect(cards["recorder"]?.read(\.callCount) == 0)
    cards["speakers"]?.close()
    expectNothingLeft()
  }

  /// Cards bring parts of the configuration.
  @Test func configurationIsReadAgainWhenCardsHaveChanged() throws {
    let card = try #require(cards["mic"])
    card.faults = [(4410, .disconnection(milliseconds: 2000))]
    var run = try ALSARun(card, library: ALSAComputer.library)
    try run.start()
    run.collect { !$0.events.isEmpty }
    let count = ALSAComputer.discardCount
    run.collect(milliseconds: 600)
    #expect(ALSAComputer.discardCount == count)
    ALSAComputer.cards = [0, 1]
    run.collect { $0.events.count > 1 }
    #expect(ALSAComputer.discardCount == count + 1)
    run.stop()
    expectNothingLeft()
  }
}
#endif
