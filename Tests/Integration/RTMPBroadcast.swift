import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import SoundRigs
import StreamRigs
import Testing

/// A recording of a synthetic voice, sent to a server in real time.
final class RTMPBroadcast: Sendable {
  let connection: LiveConnection
  private let session: RecordingSession
  private let packets: Lock<[EncodedPacket]>
  private let log: HLSTests.FrameLog?
  private let changes: Lock<[LiveState]>

  /// Starts a broadcast.
  ///
  /// If there is a second coding, the server receives that coding.
  init(
    to configuration: RTMPConfiguration, rate: Int = 48_000, channels: Int = 2,
    second: RecordingConfiguration.Coding? = nil
  ) throws {
    let packets = Lock<[EncodedPacket]>([])
    let changes = Lock<[LiveState]>([])
    self.packets = packets
    self.changes = changes
    var options = LiveOptions()
    options.initialReconnectDelay = .milliseconds(100)
    options.maxReconnectDelay = .seconds(1)
    let output = LiveOutput(
      RTMPService(configuration), options,
      states: { state in changes.withLock { $0.append(state) } }
    )
    connection = output.connection
    var recording = RecordingConfiguration(sampleRate: rate, channelCount: channels)
    recording.furtherCodings = [second].compactMap(\.self)
    session = RecordingSession(
      recording,
      packets: { packet in packets.withLock { $0.append(packet) } })
    let source = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "voice", name: "Voice"),
      playing: SpeechSignal(sampleRate: rate, channelCount: channels))
    var outputs: [any PacketOutput] = [output]
    if second == nil {
      log = nil
    } else {
      let log = HLSTests.FrameLog()
      self.log = log
      outputs = [RenditionOutput(output, rendition: 1), log]
    }
    try session.start(source, outputs: outputs)
  }

  deinit { finish() }

  var status: LiveStatus { connection.status }

  /// All states up to now.
  var states: [LiveState] { changes.withLock { $0 } }

  /// All frames that were encoded for the server.
  var frames: [[UInt8]] {
    if let log { return log.frames.withLock { $0[1] ?? [] } }
    return packets.withLock { $0.map(\.bytes) }
  }

  /// Stops the recording, and waits until everything is sent.
  func finish() {
    session.stop()
    #expect(session.wait(for: TestTimeout.duration) != nil, "The recording ends.")
  }
}

extension NginxServer {
  /// The access units in a recording of a stream, or an empty array if it does not exist.
  func recorded(_ number: Int, of name: String) -> [[UInt8]] {
    let files = recordingFiles(of: name)
    guard number < files.count, let recording = try? NginxServerRecording(files[number]) else {
      return []
    }
    return recording.frames.map { Array($0.body[2...]) }
  }
}
