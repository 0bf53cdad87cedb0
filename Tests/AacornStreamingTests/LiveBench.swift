import AacornCodec
import AacornSystem
import SoundRigs
import Testing

@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming

/// A scripted protocol that sends the bytes of each frame and records the calls.
struct ScriptedService: LiveService {
  /// The recorded calls, and the scripted results.
  struct Script: Sendable {
    var streams: [LiveStream] = []
    /// The sent frames of each connection.
    var frames: [[EncodedPacket]] = []
    var updates: [LiveMetadata] = []
    /// The metadata of the last update of each connection before its first frame, accepted or not.
    var firstUpdates: [LiveMetadata?] = []
    /// The results of the first metadata updates; nil means success.
    var updateErrors: [NetworkError?] = []
    var attentionCount = 0
    var closeCount = 0
    /// The number of calls of `send` before the last call of `close`.
    var sendCountAtClose: Int?
    /// The results of opening the first connections; nil means success.
    var openErrors: [NetworkError?] = []
    /// Whether opening waits for the server.
    var waitsForServer = false
    /// The number of started calls of `send`.
    var sendCount = 0
    /// Whether `send` blocks before it uses the transport.
    var isHeld = false
  }

  let name = "test://127.0.0.1/live"
  var endpoint = NetworkEndpoint(host: "127.0.0.1", port: 1)
  var sendsMetadataSeparately = false
  let script = Lock(Script())

  mutating func open(
    _ stream: LiveStream, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    let (error, waits) = script.withLock { script in
      script.streams.append(stream)
      script.frames.append([])
      script.firstUpdates.append(nil)
      let error = script.openErrors.isEmpty ? nil : script.openErrors.removeFirst()
      return (error, script.waitsForServer)
    }
    if let error { throw error }
    var bytes: [UInt8] = []
    if waits, try !transport.receive(into: &bytes, within: .seconds(600)) {
      throw NetworkError(.timeout, "It says nothing.")
    }
  }

  mutating func send(
    _ frame: EncodedPacket, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    script.withLock { $0.sendCount += 1 }
    let isReleased = eventually { !script.withLock(\.isHeld) }
    if !isReleased { throw NetworkError(.timeout, "It is held forever.") }
    try transport.send(frame.bytes, within: .seconds(600))
    script.withLock { $0.frames[$0.frames.count - 1].append(frame) }
  }

  mutating func handleMessages(over transport: inout any ByteTransport) throws(NetworkError) {
    script.withLock { $0.attentionCount += 1 }
    var bytes: [UInt8] = []
    _ = try transport.receive(into: &bytes, within: .zero)
  }

  mutating func update(
    _ metadata: LiveMetadata, over transport: inout any ByteTransport,
    connections: TransportFactory, stop: StopSignal
  ) throws(NetworkError) {
    let error = script.withLock { script in
      script.updates.append(metadata)
      let last = script.frames.count - 1
      if script.frames[last].isEmpty { script.firstUpdates[last] = metadata }
      return script.updateErrors.isEmpty ? nil : script.updateErrors.removeFirst()
    }
    if let error { throw error }
  }

  mutating func close(over transport: inout any ByteTransport) throws(NetworkError) {
    script.withLock { script in
      script.closeCount += 1
      script.sendCountAtClose = script.sendCount
    }
  }
}

/// A live output to a scripted server, and its reported states.
final class LiveBench {
  let service: ScriptedService
  let server = MockServer()
  let states = Lock<[LiveState]>([])
  /// The time of each state, in seconds.
  let stateTimes = Lock<[Double]>([])
  var output: LiveOutput
  private var nextNumber = 0

  /// Options with long timeouts, which no test reaches unless it changes them.
  static let longTimeouts: LiveOptions = {
    var options = LiveOptions()
    options.connectTimeout = .seconds(600)
    options.stallTimeout = .seconds(600)
    options.queueDuration = .seconds(600)
    options.initialReconnectDelay = .milliseconds(1)
    options.maxReconnectDelay = .milliseconds(2)
    options.drainTimeout = .seconds(6)
    return options
  }()

  init(
    _ options: LiveOptions = LiveBench.longTimeouts, metadata: LiveMetadata = LiveMetadata(),
    sendsMetadataSeparately: Bool = false, bitrate: AdaptiveBitrate? = nil,
    change: (inout LiveOptions) -> Void = { _ in }
  ) {
    var options = options
    change(&options)
    let (states, stateTimes) = (states, stateTimes)
    var service = ScriptedService()
    service.sendsMetadataSeparately = sendsMetadataSeparately
    self.service = service
    output = LiveOutput(
      service, options, metadata: metadata, bitrate: bitrate,
      states: { state in
        stateTimes.withLock { $0.append(System.seconds) }
        states.withLock { $0.append(state) }
      }, transports: server.factory)
  }

  deinit { _ = output.abandon() }

  static let configuration = AudioSpecificConfig.stereo48

  static func start(
    index: Int = 0, position: Int = 0, configuration: AudioSpecificConfig = configuration
  ) -> SegmentStart {
    SegmentStart(
      index: index, format: .aac(configuration, timing(96_000, configuration)),
      position: position, wallTime: 0)
  }

  /// Returns the timing of a stream with this bitrate in bits per second.
  static func timing(
    _ bitrate: Int, _ configuration: AudioSpecificConfig = configuration
  ) -> StreamTiming {
    StreamTiming(configuration, priming: 2112, nominalBitrate: bitrate)
  }

  static let end = SegmentEnd(
    sampleCount: 960, trim: StreamTrim(priming: 2112, remainder: 0, sampleCount: 960))

  func begin() throws(OutputError) { try output.begin(Self.start()) }

  /// Writes `count` more packets, whose bytes contain their number.
  func write(_ count: Int) throws(OutputError) {
    for number in nextNumber..<nextNumber + count {
      try output.write(
        EncodedPacket(
          bytes: Self.bytes(number), position: 1024 * number - 2112, sampleCount: 1024))
    }
    nextNumber += count
  }

  /// Writes frames to an output that may fail before the last of them.
  func writeUntilFailure(_ count: Int) {
    do throws(OutputError) {
      try write(count)
    } catch {
      #expect(error.kind == .connection)
    }
  }

  static func bytes(_ number: Int) -> [UInt8] {
    [UInt8(number >> 8 & 255), UInt8(number & 255)] + [UInt8](repeating: 7, count: number % 50)
  }

  /// Returns the number of a frame's packet.
  static func number(_ frame: EncodedPacket) -> Int {
    Int(frame.bytes[0]) << 8 | Int(frame.bytes[1])
  }

  var status: LiveStatus { output.connection.status }

  /// The sent frames of each connection.
  ///
  /// A deep copy under the lock, because the thread sanitizer does not detect that a shared array
  /// is copied before a change.
  var frames: [[EncodedPacket]] { service.script.withLock { $0.frames.map { $0.map(\.self) } } }

  /// The numbers of the sent frames of all connections.
  var sentNumbers: [Int] { frames.flatMap { $0.map(Self.number) } }

  /// Waits until the condition is true; false after a timeout.
  func wait(until condition: (LiveBench) -> Bool) -> Bool {
    eventually { condition(self) }
  }

  func waitUntilLive() -> Bool { wait { $0.status.state == .live } }
}

extension NetworkError {
  static let gone = NetworkError(.closed, "The connection is lost.")
  static let wrongPassword = NetworkError(
    .unauthorized, "test://127.0.0.1/live does not take the password. Check it.")
}

extension AudioSpecificConfig {
  /// The configuration of most of these tests.
  static let stereo48 = AudioSpecificConfig(
    objectType: .lowComplexity, sampleRate: 48_000, channelConfiguration: 2)

  /// A configuration whose core has half the sampling rate of the decoded audio.
  static let doubled48 = {
    var stream = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: 24_000, channelConfiguration: 2)
    stream.extensionSampleRate = 48_000
    stream.signaling = .backwardCompatible
    return stream
  }()

  /// The same sampling rates with a mono core, which is decoded to two channels.
  static let parametric48 = {
    var stream = AudioSpecificConfig.doubled48
    stream.channelConfiguration = 1
    stream.hasParametricStereo = true
    return stream
  }()
}
