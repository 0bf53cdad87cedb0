import AacornDevices
import SoundRigs
import Testing

/// The list of outputs, and rejected requests.
@Suite(.serialized, .tags(.smoke))
struct PulseAudioPlaybackSystemTests {
  private static func target(
    _ server: PulseServer, pinned id: String? = nil
  ) throws -> PulseAudioTarget {
    let choice = id.map { PlaybackRequest.DeviceChoice.pinned(id: $0) } ?? .followingDefault
    return try PulseAudioTarget(PlaybackRequest(device: choice), server: server.address)
  }

  @Test func devicesAreListedWithTheDefaultFirst() throws {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("speaker", rate: 44_100, channels: 6),
      PulseServer.nullSink("other", channels: 1),
    ])
    defer { server.stop() }
    try server.control("set-default-sink", "other")
    let devices = try PulseAudioPlaybackSystem.playbackDevices(server: server.address)
    #expect(devices.map(\.id) == ["other", "speaker"])
    #expect(devices.map(\.isDefault) == [true, false])
    #expect(devices.map(\.channelCount) == [1, 6])
    #expect(devices.map(\.sampleRate) == [48_000, 44_100])
    #expect(devices.allSatisfy { !$0.name.isEmpty && $0.backend == .pulseAudio })
  }

  @Test func pulseTargetStartFailuresThrowSpecificErrors() throws {
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 64)
    let nowhere = try PulseAudioTarget(PlaybackRequest(), server: "unix:/nonexistent/socket")
    #expect(
      throws: PlaybackError.noServer(backend: .pulseAudio, reason: "connection refused")
    ) { try nowhere.start(feed) }
    #expect(throws: PlaybackError.self) { try nowhere.preferredFormat() }

    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    #expect(throws: PlaybackError.unknownDevice(id: "missing", backend: .pulseAudio)) {
      try Self.target(server, pinned: "missing").start(feed)
    }
    for format in [
      PlaybackFormat(sampleRate: 400_000, channelCount: 2),
      PlaybackFormat(sampleRate: 48_000, channelCount: 33),
    ] {
      #expect(throws: PlaybackError.self) {
        try Self.target(server).start(PlaybackFeed(format, frameCapacity: 64))
      }
    }
    let empty = try PulseServer()
    defer { empty.stop() }
    #expect(throws: PlaybackError.noDevice(backend: .pulseAudio)) {
      try Self.target(empty).start(feed)
    }
    #expect(try PulseAudioPlaybackSystem.playbackDevices(server: empty.address).isEmpty)
  }
}
