import AacornCodec
import AacornContainers
import AacornSystem
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming

/// An artificial stream whose frames decode to 2048 samples at twice the sampling rate of the core.
///
/// No component may use the core's clock for the decoded audio.
struct DoubledRateTests {
  private let timing = StreamTiming(.doubled48, priming: 3010, nominalBitrate: 48_000)

  @Test func aTagOfRTMPHasTheTimeOfTheSound() throws {
    let server = RTMPTestServer()
    var configuration = RTMPConfiguration(
      endpoint: NetworkEndpoint(host: "radio.example", port: 1935), application: "live",
      streamKey: "k")
    configuration.answerTimeout = TestTimeout.duration
    var service = RTMPService(configuration)
    var transport = server.transport
    try service.open(LiveStream(configuration: .doubled48, timing: timing), over: &transport)
    for number in 0..<10 {
      try service.send(
        EncodedPacket(bytes: [1], position: number * 2048, sampleCount: 2048), over: &transport)
    }
    let times = server.messages.filter { $0.kind == .audio }.dropFirst().map { Int($0.timestamp) }
    let wanted = (0..<10).map { $0 * 2048 / 48 }
    #expect(times == wanted)
  }

  @Test func queueLimitCountsSamplesAtOutputRate() throws {
    let bench = LiveBench { $0.queueDuration = .milliseconds(200) }
    try bench.output.begin(
      SegmentStart(index: 0, format: .aac(.doubled48, timing), position: 0, wallTime: 0))
    #expect(bench.waitUntilLive())
    bench.service.script.withLock { $0.isHeld = true }
    func write(_ numbers: Range<Int>) throws {
      for number in numbers {
        try bench.output.write(
          EncodedPacket(bytes: [1, 2], position: 2048 * number - 3010, sampleCount: 2048))
      }
    }
    try write(0..<1)
    #expect(bench.wait { $0.service.script.withLock { $0.sendCount == 1 } })
    try write(1..<19)
    // 200 ms are 9600 samples, that is four frames and part of a fifth: the frame in transit, and
    // the frames since the last SBR header.
    #expect(bench.status.queuedFrameCount == 4)
    #expect(bench.status.droppedFrameCount == 15)
    #expect(bench.status.queuedDuration == Duration(samples: 4 * 2048, at: 48_000))
    bench.service.script.withLock { $0.isHeld = false }
  }

  @Test(arguments: HLSConfiguration.Media.allCases)
  func segmentsLastAsLongAsTheSound(media: HLSConfiguration.Media) throws {
    var bench = HLSBench(.vod, media)
    bench.replication = 2
    try bench.run(48_000 * 17)
    let playlist = bench.store.parsed()
    #expect(playlist.segmentNames.count == 5)
    let total = playlist.segments.compactMap(\.duration).reduce(0, +)
    // Packed audio also contains the priming and the padding of the last frame.
    #expect(abs(total - 17) < (media == .fragmentedMP4 ? 0.001 : 0.1))
    guard media == .fragmentedMP4 else { return }
    let reader = MP4Reader(file: bench.store.media("stream-0.m3u8"))
    #expect(reader.track?.timescale == 24_000)
    #expect(reader.sample(at: 3)?.time == 3 * 1024)
    #expect(reader.trim?.sampleCount == 48_000 * 17)
  }

  /// A decoder that starts with a segment needs an SBR header in the first frame.
  @Test(arguments: [0, 3], [nil, Duration.milliseconds(300)])
  func segmentsBeginWithFramesThatCanBeEntered(first: Int, part: Duration?) {
    for milliseconds in [100, 2000, 4000, 6000] {
      var configuration = HLSConfiguration()
      configuration.segmentDuration = .milliseconds(milliseconds)
      configuration.partDuration = part
      let grid = HLSGrid(
        configuration, timing, entryDistance: AudioSpecificConfig.doubled48.entryDistance, slack: 0)
      var cuts: [Int] = []
      var start = first
      for frame in first..<2000 {
        let count = frame - start
        guard count > 0, grid.ends(segment: cuts.count, frameCount: count, before: frame) else {
          continue
        }
        cuts.append(frame)
        let seconds = timing.seconds(count * 2048)
        #expect(Int(seconds.rounded()) <= grid.targetDuration)
        start = frame
      }
      #expect(cuts.count > 100 * 4000 / max(4000, milliseconds * 8))
      #expect(cuts.allSatisfy { $0 % 8 == 0 })
      guard first == 0, part == nil, milliseconds >= 2000 else { continue }
      for (index, cut) in cuts.enumerated() {
        let wanted = Double((index + 1) * milliseconds) / 1000
        #expect(abs(timing.seconds(cut * 2048) - wanted) <= timing.seconds(4 * 2048) + 1e-9)
      }
    }
  }

  @Test func theMasterPlaylistNamesTheProfile() {
    func text(_ stream: AudioSpecificConfig) -> String {
      HLSMasterPlaylist.text([
        HLSMasterPlaylist.Entry(playlist: "a.m3u8", stream: stream, bandwidth: (1, 1))
      ])
    }
    #expect(text(.stereo48).contains("CODECS=\"mp4a.40.2\""))
    #expect(text(.doubled48).contains("CODECS=\"mp4a.40.5\""))
    #expect(text(.parametric48).contains("CODECS=\"mp4a.40.29\""))
  }

  @Test(arguments: [AudioSpecificConfig.doubled48, .parametric48])
  func icecastRequestContainsHEAACType(stream: AudioSpecificConfig) throws {
    let request = IcecastRequest(
      try IcecastConfiguration(address: "icecast://radio.example/live.aac", password: "hackme"))
    let bytes = request.publish(.put, LiveStream(configuration: stream, timing: timing))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("Content-Type: audio/aacp\r\n"))
    #expect(text.contains("ice-samplerate=48000;ice-bitrate=48;ice-channels=2\r\n"))
  }

  /// The description states two channels; the decoder configuration signals parametric stereo.
  @Test func theDescriptionForRTMPIsThatOfTheOutput() {
    let stream = LiveStream(configuration: .parametric48, timing: timing)
    let values = stream.rtmpValues(playing: LiveMetadata(), encoderName: "x")
    #expect(values[2]["stereo"] == .boolean(true))
    #expect(values[2]["audiosamplerate"] == .number(48_000))
    // AAC-LC, 24 kHz, one channel; 0x2B7, SBR, 48 kHz; 0x548, PS.
    #expect(
      FLVAudioTag.sequenceHeader(.parametric48)
        == [0xAF, 0, 0x13, 0x08, 0x56, 0xE5, 0x9D, 0x48, 0x80])
  }

  @Test(arguments: [(AudioSpecificConfig.doubled48, 2), (AudioSpecificConfig.parametric48, 1)])
  func aFrameWithItsHeaderSaysWhatTheCoreIs(stream: AudioSpecificConfig, channels: Int) throws {
    var writer = try ADTSWriter(configuration: stream)
    var bytes: [UInt8] = []
    try writer.append(AccessUnit(bytes: [0x21, 0x40]), to: &bytes)
    // sampling_frequency_index, after 18 bits: 6 is 24 kHz.
    #expect(bytes[2] >> 2 & 15 == 6)
    // channel_configuration, two bits later.
    #expect(Int((bytes[2] & 1) << 2 | bytes[3] >> 6) == channels)
  }
}
