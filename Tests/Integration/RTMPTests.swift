import AACContainers
import AACFormat
import AudioCapture
import Foundation
import Platform
import Recording
import StreamRigs
import Testing

@testable import Streaming

/// A recording on its way to a real RTMP server, its recordings, and those who listen.
@Suite(.serialized) struct RTMPTests {
  let server: NginxServer
  let folder: WorkFolder

  init() throws {
    server = try NginxServer()
    folder = try WorkFolder()
  }

  // MARK: Sound

  @Test(arguments: [(48_000, 2), (44_100, 1)])
  func theServersRecordingHasEveryFrame(rate: Int, channels: Int) throws {
    let broadcast = try Broadcast(to: configuration("radio?x=y"), rate: rate, channels: channels)
    try #require(eventually { broadcast.status.sentFrameCount > 100 })
    let statistics = try server.statistics()
    for word in [
      "<name>radio</name>", "<codec>AAC</codec>", "<profile>LC</profile>",
      "<channels>\(channels)</channels>", "<sample_rate>\(rate)</sample_rate>", "<publishing/>",
    ] {
      #expect(statistics.contains(word), "\(word) in \(statistics)")
    }
    broadcast.finish()
    #expect(broadcast.status.state == .stopped)
    #expect(broadcast.status.sentFrameCount == broadcast.frames.count)
    #expect(broadcast.status.droppedFrameCount == 0 && broadcast.status.reconnectCount == 0)

    let file = try #require(server.recordingFiles(of: "radio").first)
    let recording = try NginxServerRecording(file)
    let stream = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: rate, channelConfiguration: channels)
    // The server writes it at the start of a file, and once more as it comes.
    #expect(Set(recording.sequenceHeaders) == [stream.bytes])
    #expect(recording.frames.map { Array($0.body[2...]) } == broadcast.frames)
    #expect(
      recording.frames.map(\.time) == broadcast.frames.indices.map { $0 * 1024 * 1000 / rate })
    #expect(recording.tags.first { $0.kind == 8 }?.body == [0xAF, 0] + stream.bytes)
    // A player hears all of it, and has nothing to complain about.
    let decoded = try Decoders.ffmpeg(file.path, channels: channels, in: folder)
    #expect(
      decoded.map(\.count) == Array(repeating: broadcast.frames.count * 1024, count: channels))
  }

  @Test func playersGetWhatWasEncoded() throws {
    let broadcast = try Broadcast(to: configuration("radio"))
    try #require(eventually { broadcast.status.sentFrameCount > 10 })
    let player = try Program.ffmpeg().start(
      [
        "-nostdin", "-v", "error", "-i", server.address() + "/radio", "-t", "2", "-c", "copy", "-y",
        "-f", "adts", folder.path("heard.aac"),
      ], in: folder)
    let outcome = try player.wait(seconds: 30)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    broadcast.finish()
    var reader = ADTSReader()
    reader.append(try folder.read("heard.aac"))
    reader.finish()
    var heard: [[UInt8]] = []
    while let event = reader.next() {
      guard case .frame(let frame) = event else { continue }
      heard.append(frame.payload)
    }
    #expect(heard.count > 80)
    expect(heard, areIn: broadcast.frames)
  }

  @Test func titlesAreToldWhileItIsLive() throws {
    let broadcast = try Broadcast(to: configuration("radio"))
    try #require(eventually { broadcast.status.sentFrameCount > 10 })
    broadcast.connection.update(LiveMetadata(title: "Prélude", artist: "Åse"))
    let count = broadcast.status.sentFrameCount
    try #require(eventually { broadcast.status.sentFrameCount > count + 20 })
    let probe = try Program.ffprobe().run(
      [
        "-v", "error", "-show_entries", "format_tags=title,artist,encoder", "-of",
        "default=noprint_wrappers=1", server.address() + "/radio",
      ], in: folder)
    #expect(probe.text.contains("TAG:title=Prélude\n"), "\(probe.text)\(probe.errors)")
    #expect(probe.text.contains("TAG:artist=Åse\n"))
    #expect(probe.text.contains("TAG:encoder=Aacorn\n"))
    broadcast.finish()
    #expect(broadcast.status.reconnectCount == 0)
    #expect(broadcast.status.sentFrameCount == broadcast.frames.count)
  }

  // MARK: Trouble

  @Test func aServerThatIsKilledCostsFramesThatAreCounted() throws {
    let broadcast = try Broadcast(to: configuration("radio"))
    try #require(eventually { broadcast.status.sentFrameCount > 60 })
    server.kill()
    try #require(eventually { broadcast.states.contains { $0.isReconnecting } })
    // The server names recordings by the second.
    sleep(1)
    try server.restart()
    try #require(eventually { broadcast.status.reconnectCount == 1 })
    let count = broadcast.status.sentFrameCount
    try #require(eventually { broadcast.status.sentFrameCount > count + 60 })
    broadcast.finish()

    let status = broadcast.status
    #expect(status.state == .stopped && status.queuedFrameCount == 0)
    #expect(status.sentFrameCount + status.droppedFrameCount == broadcast.frames.count)
    let files = server.recordingFiles(of: "radio")
    try #require(files.count == 2)
    let before = try NginxServerRecording(files[0]).frames
    let after = try NginxServerRecording(files[1])
    #expect(before.map { Array($0.body[2...]) } == Array(broadcast.frames.prefix(before.count)))
    #expect(before.count > 30)
    // The second connection begins from nothing, and has all from there to the end.
    #expect(Set(after.sequenceHeaders).count == 1)
    #expect(after.frames.first?.time == 0)
    #expect(
      after.frames.map { Array($0.body[2...]) }
        == Array(broadcast.frames.suffix(after.frames.count)))
    #expect(after.frames.count > 60)
  }

  @Test func aKeyThatIsInUseIsTaken() throws {
    let broadcast = try Broadcast(to: configuration("s3cret-key"))
    try #require(eventually { broadcast.status.sentFrameCount > 10 })
    let error = try refusal(of: configuration("s3cret-key"))
    #expect(error?.kind == .taken)
    #expect(error?.sentence.contains("is being published already") == true)
    #expect(error?.sentence.contains("s3cret") == false)
    broadcast.finish()
    #expect(broadcast.status.sentFrameCount == broadcast.frames.count)
    // The place is free again.
    #expect(try eventually { try refusal(of: configuration("s3cret-key")) == nil })
  }

  @Test(arguments: ["denied", "refused"]) func whoMayNotPublishIsTold(application: String) throws {
    let error = try refusal(of: configuration("s3cret-key", of: application))
    #expect(error?.kind == .closed)
    #expect(error?.sentence.contains("publishing is not allowed") == true)
    #expect(error?.sentence.contains("127.0.0.1:\(server.rtmpPort)/\(application)/…") == true)
    #expect(error?.sentence.contains("s3cret") == false)
  }

  @Test func anApplicationThatIsNotThereIsTold() throws {
    let error = try refusal(of: configuration("s3cret-key", of: "elsewhere"))
    #expect(error?.sentence.contains("“elsewhere”") == true)
    #expect(error?.sentence.contains("s3cret") == false)
  }

  @Test func aWebServerIsNoRTMPServer() throws {
    let error = try refusal(
      of: RTMPConfiguration(
        address: "rtmp://127.0.0.1:\(server.httpPort)/live", streamKey: "s3cret-key"))
    #expect(error?.kind == .malformed)
    #expect(error?.sentence.contains("s3cret") == false)
  }

  // MARK: Encryption

  @Test func soundGoesThroughTLS() throws {
    let certificates = try TestCertificates()
    let terminator = try TLSServer(certificates.server, to: server.rtmpPort)
    defer { terminator.stop() }
    var configuration = try RTMPConfiguration(
      address: "rtmps://127.0.0.1:\(terminator.port)/live", streamKey: "radio")
    configuration.endpoint.certificateFile = certificates.authority
    let broadcast = try Broadcast(to: configuration)
    try #require(eventually { broadcast.status.sentFrameCount > 60 })
    broadcast.finish()
    #expect(broadcast.status.sentFrameCount == broadcast.frames.count)
    let file = try #require(server.recordingFiles(of: "radio").first)
    let recorded = try NginxServerRecording(file).frames.map { Array($0.body[2...]) }
    #expect(recorded == broadcast.frames)
  }

  @Test func aCertificateThatIsNotToBeTrustedIsRefused() throws {
    let certificates = try TestCertificates()
    for (identity, authority) in [
      (certificates.server, certificates.stranger), (certificates.expired, certificates.authority),
      (certificates.misnamed, certificates.authority),
    ] {
      let terminator = try TLSServer(identity, to: server.rtmpPort)
      defer { terminator.stop() }
      var configuration = try RTMPConfiguration(
        address: "rtmps://127.0.0.1:\(terminator.port)/live", streamKey: "s3cret-key")
      configuration.endpoint.certificateFile = authority
      let error = refusal(of: configuration)
      #expect(error?.kind == .certificate, "\(error?.sentence ?? "It was accepted.")")
      #expect(error?.sentence.contains("s3cret") == false)
    }
    #expect(server.recordingFiles(of: "s3cret-key").isEmpty)
  }

  // MARK: Parts of tests

  private func configuration(
    _ key: String, of application: String = "live"
  ) throws -> RTMPConfiguration {
    try RTMPConfiguration(address: server.address(of: application), streamKey: key)
  }

  /// Why a server does not take a stream; nil if it does.
  private func refusal(of configuration: RTMPConfiguration) -> StreamingError? {
    let stream = LiveStream(
      configuration: AudioSpecificConfig(
        objectType: .lowComplexity, sampleRate: 48_000, channelConfiguration: 2), bitrate: 96_000)
    var service = RTMPService(configuration)
    var transport = CurlTransport.factory(StopSignal())
    defer { transport.close() }
    do throws(StreamingError) {
      try transport.connect(to: service.endpoint, milliseconds: 20_000)
      try service.open(stream, over: &transport)
      // Some only close after they have said yes.
      for _ in 0..<50 {
        try service.attend(to: &transport)
        usleep(10_000)
      }
      try service.close(over: &transport)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a condition comes true within half a minute.
  private func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date() + 30
    while Date() < deadline {
      if try condition() { return true }
      usleep(10_000)
    }
    return try condition()
  }

  /// Expects frames to be some of those that were encoded, without a hole.
  private func expect(
    _ heard: [[UInt8]], areIn frames: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let places = frames.indices.filter { frames[$0] == heard.first }
    let isThere = places.contains { frames[$0...].starts(with: heard) }
    #expect(isThere && !heard.isEmpty, sourceLocation: sourceLocation)
  }
}

/// A recording of a synthetic voice that is sent while it is made.
private final class Broadcast: Sendable {
  let connection: LiveConnection
  private let session: RecordingSession
  private let packets: Lock<[Packet]>
  private let changes: Lock<[LiveState]>

  init(to configuration: RTMPConfiguration, rate: Int = 48_000, channels: Int = 2) throws {
    let packets = Lock<[Packet]>([])
    let changes = Lock<[LiveState]>([])
    self.packets = packets
    self.changes = changes
    var options = LiveOptions()
    options.firstDelayMilliseconds = 100
    options.longestDelayMilliseconds = 1000
    let output = LiveOutput(
      RTMPService(configuration), options,
      states: { state in changes.withLock { $0.append(state) } }
    )
    connection = output.connection
    session = RecordingSession(
      RecordingConfiguration(sampleRate: rate, channelCount: channels),
      packets: { packet in packets.withLock { $0.append(packet) } })
    let source = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "voice", name: "Voice"),
      playing: SpeechSignal(sampleRate: rate, channelCount: channels))
    try session.start(source, outputs: [output])
  }

  deinit { finish() }

  var status: LiveStatus { connection.status }

  /// The states so far.
  var states: [LiveState] { changes.withLock { $0 } }

  /// All that was encoded.
  var frames: [[UInt8]] { packets.withLock { $0.map(\.bytes) } }

  /// Stops, and waits until all is sent.
  func finish() {
    session.stop()
    _ = session.waitForEnd(milliseconds: 30_000)
  }
}

extension LiveState {
  fileprivate var isReconnecting: Bool {
    if case .reconnecting = self { true } else { false }
  }
}
