import AacornSignal
import CAacornPipeWire
import Testing

@testable import AacornDevices

/// Tests that need no server.
@Suite("PipeWire, without a server")
struct PipeWireTests {
  @Test func versionsAreReadAndCompared() throws {
    let old = try #require(PipeWireVersion("0.3.65"))
    let new = try #require(PipeWireVersion("1.0.5"))
    #expect(old < new)
    #expect(old < PipeWireSystem.minimumVersion)
    #expect(new > PipeWireSystem.minimumVersion)
    #expect(PipeWireVersion("1.4") == PipeWireVersion(1, 4, 0))
    #expect(PipeWireVersion("1.0.0-rc1") == PipeWireVersion(1, 0, 0))
    #expect(PipeWireVersion("unknown") == nil)
    #expect(PipeWireVersion("") == nil)
  }

  @Test func oldVersionIsPassedOverUnlessItIsAskedFor() throws {
    func check(_ version: String, _ allowingOld: Bool) throws(DeviceError) {
      try PipeWireLibrary.check(version: version, allowingOld: allowingOld)
    }
    try check("1.0.0", false)
    try check("1.6.8", false)
    try check("0.3.65", true)
    let error = #expect(throws: DeviceError.self) { try check("0.3.65", false) }
    let message = try #require(error).message
    #expect(
      message == "PipeWire 0.3.65 is used only if it is selected, because it is older than 1.0.0. "
        + "Select it, or update it.")
    #expect(throws: DeviceError.self) { try check("0.3.48", true) }
  }

  @Test func missingLibraryErrorNamesThePackage() throws {
    let error = #expect(throws: DeviceError.self) {
      _ = try PipeWireLibrary.load("libpipewire-none.so.0").get()
    }
    #expect(
      error?.message == "The library libpipewire-none.so.0 is not installed."
        + " On Debian it is in the package libpipewire-0.3-0.")
  }

  @Test func libraryWithoutTheFunctionsIsUnsuitable() {
    let error = #expect(throws: DeviceError.self) {
      _ = try PipeWireLibrary.load("libc.so.6").get()
    }
    guard case .libraryUnsuitable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func defaultsAreReadFromTheirJSON() {
    var graph = PipeWireGraph()
    graph.set("default.audio.source", #"{"name":"alsa_input.usb"}"#)
    #expect(graph.defaultSourceName == "alsa_input.usb")
    graph.set("default.audio.source", #"{ "name": "a \"b\" c" }"#)
    #expect(graph.defaultSourceName == #"a "b" c"#)
    for value in ["", "{", #"{"name":}"#, #"{"name":"x"#] {
      graph.set("default.audio.source", value)
      #expect(graph.defaultSourceName == nil)
    }
  }

  @Test func forcedRateIsTheGraphs() {
    var graph = PipeWireGraph()
    graph.set("clock.rate", "48000")
    graph.set("clock.force-rate", "0")
    #expect(graph.sampleRate == 48000)
    graph.set("clock.force-rate", "44100")
    #expect(graph.sampleRate == 44100)
  }

  private func node(
    _ name: String, _ mediaClass: String, _ position: String = "FL,FR"
  ) -> PipeWireNode {
    let values = [
      "node.name": name, "node.description": name + "!", "media.class": mediaClass,
      "audio.position": position, "object.serial": name,
    ]
    return PipeWireNode { values[$0] }
  }

  @Test func graphListsInputsAndMonitors() {
    var graph = PipeWireGraph()
    graph.put(3, node("speaker", "Audio/Sink", "[ FL FR ]"))
    graph.put(4, node("line", "Audio/Source", "FL,FR,FC"))
    graph.put(5, node("mic", "Audio/Source/Virtual", #"[ "MONO" ]"#))
    graph.put(6, node("player", "Stream/Output/Audio"))
    graph.set("default.audio.source", #"{"name":"mic"}"#)
    #expect(graph.devices(for: .capture).map(\.id) == ["mic", "line", "speaker.monitor"])
    #expect(graph.devices(for: .capture).map(\.isDefault) == [true, false, false])
    #expect(graph.devices(for: .capture).map(\.isMonitor) == [false, false, true])
    #expect(graph.devices(for: .capture).map(\.channelCount) == [1, 3, 2])
    #expect(graph.devices(for: .capture).map(\.name) == ["mic!", "line!", "Monitor of speaker!"])
    #expect(graph.node(forDevice: "speaker", .capture)?.name == "speaker")
    #expect(graph.node(forDevice: "player", .capture) == nil)
  }

  @Test func outputReplacesInputOnlyWithoutInputs() throws {
    var graph = PipeWireGraph()
    let (speaker, mic) = (node("speaker", "Audio/Sink"), node("mic", "Audio/Source"))
    graph.put(3, speaker)
    graph.put(4, mic)
    #expect(!graph.isFallbackOutput(speaker) && !graph.isFallbackOutput(mic))
    graph.remove(4)
    #expect(graph.isFallbackOutput(speaker) && !graph.isFallbackOutput(mic))
  }

  @Test func graphDistinguishesOutputsFromInputs() {
    var graph = PipeWireGraph()
    #expect(graph.defaultNode(for: .playback) == nil)
    graph.put(3, node("speaker", "Audio/Sink"))
    graph.put(4, node("headphones", "Audio/Sink"))
    graph.put(5, node("mic", "Audio/Source"))
    graph.put(6, node("player", "Stream/Output/Audio"))
    #expect(graph.defaultNode(for: .playback)?.name == "speaker")
    graph.set("default.audio.sink", #"{"name":"headphones"}"#)
    #expect(graph.devices(for: .playback).map(\.id) == ["headphones", "speaker"])
    #expect(graph.devices(for: .playback).map(\.isDefault) == [true, false])
    #expect(graph.node(forDevice: "speaker", .playback)?.serial == "speaker")
    #expect(graph.node(forDevice: "mic", .playback) == nil)
    graph.links[7] = .init(output: 6, input: 4)
    #expect(graph.node(linkedTo: 6, .playback)?.name == "headphones")
    #expect(graph.node(linkedTo: 5, .playback) == nil)
  }

  @Test func channelsAreAskedForInTheStandardOrder() {
    #expect(PipeWirePositions.numbers(count: 1, of: ["FL", "FR"]) == [2])
    #expect(PipeWirePositions.numbers(count: 2, of: []) == [3, 4])
    #expect(PipeWirePositions.numbers(count: 6, of: []) == [3, 4, 5, 6, 12, 13])
    #expect(PipeWirePositions.numbers(count: 2, of: ["AUX4", "AUX5"]) == [0x1004, 0x1005])
    #expect(PipeWirePositions.numbers(count: 10, of: []).count == 10)
    #expect(PipeWirePositions.numbers(count: 1000, of: []).count == 64)
  }

  @Test func invalidAuxChannelsAreIgnored() {
    for name in ["AUX4096", "AUX4294963200", "AUX4294967295", "AUX4294967296", "AUX-1", "AUX"] {
      #expect(PipeWirePositions.numbers(count: 2, of: [name, "AUX1"]) == [3, 4], "\(name)")
    }
    #expect(PipeWirePositions.numbers(count: 2, of: ["AUX4095", "AUX0"]) == [0x1FFF, 0x1000])
  }

  @Test func nodePropertiesAreClamped() {
    func node(_ channels: String?, _ rate: String?, _ position: String? = nil) -> PipeWireNode {
      let values = [
        "node.name": "huge", "media.class": "Audio/Sink", "audio.channels": channels,
        "audio.rate": rate, "audio.position": position,
      ]
      return PipeWireNode { values[$0] ?? nil }
    }
    #expect(node("9223372036854775807", "9223372036854775807").channelCount == 64)
    #expect(node("9223372036854775807", "9223372036854775807").sampleRate == 0)
    #expect(node("-1", "-48000").channelCount == 0)
    #expect(node("-1", "-48000").sampleRate == 0)
    #expect(node("64", "768000").channelCount == 64)
    #expect(node("64", "768000").sampleRate == 768_000)
    let many = [String](repeating: "FL", count: 100_000).joined(separator: ",")
    #expect(node(nil, nil, many).channelCount == 64)

    var graph = PipeWireGraph()
    graph.put(1, node(nil, nil))
    graph.setChannels(of: 1, .max)
    #expect(graph.nodes[1]?.channelCount == 64)
    graph.setChannels(of: 1, 2)
    #expect(graph.nodes[1]?.channelCount == 64)
    graph.set("clock.rate", "48000")
    graph.set("clock.force-rate", "99999999999")
    #expect(graph.sampleRate == 48_000)
  }

  @Test func channelsArePlayedAsWhatTheyAre() {
    var format = PlaybackFormat(sampleRate: 48000, channelCount: 4)
    #expect(PipeWirePositions.numbers(of: format, on: []) == [3, 4, 5, 11])
    format.layout = ChannelLayout([.frontLeft, .frontRight, .backLeft, .backRight])
    #expect(PipeWirePositions.numbers(of: format, on: []) == [3, 4, 12, 13])
    #expect(PipeWirePositions.layout(of: ["FL", "FR", "RL", "RR"]) == format.layout)
    #expect(PipeWirePositions.layout(of: ["FL", "AUX1"]) == nil)
    #expect(PipeWirePositions.layout(of: []) == nil)
  }

  /// Returns the gaps that a timeline detects in cycles with a position, a duration and a number of
  /// device losses.
  private func gaps(
    _ cycles: [(position: UInt64, duration: UInt64, overruns: UInt64)], rate: UInt32 = 48000,
    _ change: (Int, inout aacorn_pw_tick) -> Void = { _, _ in }
  ) -> [aacorn_pw_gap] {
    var timeline = aacorn_pw_timeline()
    return cycles.enumerated().map { index, cycle in
      var tick = aacorn_pw_tick(
        clock: 7, is_steady: true, numerator: 1, denominator: 48000, position: cycle.position,
        duration: cycle.duration, overruns: cycle.overruns)
      change(index, &tick)
      return unsafe aacorn_pw_advance(&timeline, &tick, rate)
    }
  }

  @Test func missedCyclesAreCountedToTheFrame() {
    let found = gaps([(1000, 256, 0), (1256, 256, 0), (2024, 256, 0), (2280, 256, 0)])
    #expect(found.map(\.missed) == [0, 0, 512, 0])
    #expect(found.map(\.is_start) == [true, false, false, false])
    #expect(found.allSatisfy { $0.overrun == 0 && $0.repeated == 0 })
  }

  @Test func clockRunningAheadIsCompensated() {
    let found = gaps([(0, 256, 0), (512, 256, 0), (512, 256, 0), (768, 256, 0)])
    #expect(found.map(\.missed) == [0, 256, 0, 0])
    #expect(found.map(\.repeated) == [0, 0, 256, 0])
  }

  @Test func changedCycleLengthReportsNoGap() {
    // Losses counted at the start of a cycle, and at its end.
    #expect(gaps([(0, 256, 0), (256, 1024, 0), (1280, 1024, 0)]).allSatisfy { $0.missed == 0 })
    #expect(gaps([(256, 256, 0), (1280, 1024, 0), (1536, 256, 0)]).allSatisfy { $0.missed == 0 })
  }

  @Test func deviceOverrunsAreCountedSeparately() {
    let found = gaps([(0, 256, 10), (256, 256, 10), (512, 256, 110)])
    #expect(found.map(\.overrun) == [0, 0, 100])
    #expect(found.map(\.missed) == [0, 0, 0])
  }

  @Test func gapsAreInFramesOfTheStream() {
    let found = gaps([(0, 480, 0), (960, 480, 48)], rate: 44100)
    #expect(found.last?.missed == 441)
    #expect(found.last?.overrun == 44)
  }

  @Test func changedClockReportsNoGap() {
    let cycles: [(UInt64, UInt64, UInt64)] = [(0, 256, 0), (90_000, 256, 900), (90_256, 256, 900)]
    for change: (inout aacorn_pw_tick) -> Void in [
      { $0.clock = 8 }, { $0.is_steady = false }, { $0.denominator = 96000 },
      { $0.denominator = 0 },
    ] {
      let found = gaps(cycles) { if $0 == 1 { change(&$1) } }
      #expect(found[2].is_start)
      #expect(found.allSatisfy { $0.missed == 0 && $0.overrun == 0 && $0.repeated == 0 })
    }
    // The position is reset.
    #expect(gaps([(90_000, 256, 900), (0, 256, 0)]).last?.missed == 0)
  }

  @Test(arguments: [1, 2, 6, 64])
  func formatIsReadAsItWasWritten(channelCount: Int) {
    let positions = (0..<UInt32(channelCount)).map { 0x1000 + $0 }
    let pod = written(44100, positions)
    #expect(pod.count % 8 == 0)
    var format = aacorn_pw_format()
    let isRead = unsafe aacorn_pw_read_format(pod, pod.count, &format)
    #expect(isRead)
    #expect(format.sample_rate == 44100)
    #expect(format.channel_count == UInt32(channelCount))
    #expect(format.sample_format == aacorn_pw_sample_format())
  }

  @Test func damagedFormatIsRefusedOrReadWithinItsBounds() {
    let whole = written(48000, [3, 4])
    var format = aacorn_pw_format()
    for count in 0..<whole.count {
      let isRead = unsafe aacorn_pw_read_format(Array(whole.prefix(count)), count, &format)
      #expect(!isRead)
    }
    for index in whole.indices {
      for value: UInt8 in [0, 1, 7, 0x13, 0x7F, 0xFF] {
        var pod = whole
        pod[index] = value
        _ = unsafe aacorn_pw_read_format(pod, pod.count, &format)
      }
    }
  }

  private func written(_ sampleRate: UInt32, _ positions: [UInt32]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(AACORN_PW_FORMAT_SIZE))
    let count = unsafe aacorn_pw_write_format(
      &bytes, sampleRate, UInt32(positions.count), positions)
    return Array(bytes.prefix(count))
  }
}
