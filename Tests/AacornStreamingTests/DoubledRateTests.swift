import AacornCodec
import AacornContainers
import AacornSystem
import SoundRigs
import StreamRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming
@testable import AacornWeb

/// A made-up stream whose units decode to 2048 samples, at twice the rate of the core: nobody may
/// take the core's clock for that of the sound.
struct DoubledRateTests {
  private let timing = StreamTiming(.doubled48, priming: 3010, nominalBitrate: 48_000)

  @Test func aTagOfRTMPHasTheTimeOfTheSound() throws {
    let server = RTMPTestServer()
    var configuration = RTMPConfiguration(
      endpoint: NetworkEndpoint(host: "radio.example", port: 1935), application: "live",
      streamKey: "k")
    configuration.answerTimeout = Patience.duration
    var service = RTMPService(configuration)
    var transport = server.transport
    try service.open(LiveStream(configuration: .doubled48, timing: timing), over: &transport)
    for number in 0..<10 {
      try service.send(
        LiveFrame(bytes: [1], position: number * 2048, sampleCount: 2048), over: &transport)
    }
    let times = server.messages.filter { $0.kind == .audio }.dropFirst().map { Int($0.timestamp) }
    let wanted = (0..<10).map { $0 * 2048 / 48 }
    #expect(times == wanted)
  }

  @Test func whatWaitsForAServerIsCountedInTheTimeOfTheSound() throws {
    var options = LiveBench.patient
    options.queueDuration = .milliseconds(200)
    let bench = LiveBench(options)
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
    try write(1..<20)
    // 200 ms are 9600 samples, which are four units and a part of one.
    #expect(bench.status.queuedFrameCount == 4)
    #expect(bench.status.queuedDuration == Duration(samples: 4 * 2048, at: 48_000))
    bench.service.script.withLock { $0.isHeld = false }
  }

  @Test(arguments: HLSConfiguration.Media.allCases)
  func segmentsLastAsLongAsTheSound(media: HLSConfiguration.Media) throws {
    var bench = HLSBench()
    bench.replication = 2
    bench.configuration.kind = .vod
    bench.configuration.media = media
    try bench.run(48_000 * 17)
    let playlist = HLSPlaylistText(bench.store.playlist("stream-0.m3u8") ?? "")
    #expect(playlist.segmentNames.count == 5)
    let total = playlist.segments.compactMap(\.duration).reduce(0, +)
    // Packed audio has the priming and the end of the last frame as well.
    #expect(abs(total - 17) < (media == .fragmentedMP4 ? 0.001 : 0.1))
    guard media == .fragmentedMP4 else { return }
    let reader = MP4Reader(file: bench.store.media("stream-0.m3u8"))
    #expect(reader.track?.timescale == 48_000)
    #expect(reader.sample(at: 3)?.time == 3 * 2048)
    #expect(reader.trim?.sampleCount == 48_000 * 17)
  }
}
