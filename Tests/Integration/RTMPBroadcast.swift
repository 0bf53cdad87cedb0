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
  private let log = HLSTests.FrameLog()
  private let rendition: Int

  /// Starts a broadcast.
  ///
  /// If there is a second coding, the server receives that coding.
  init(
    to configuration: RTMPConfiguration, rate: Int = 48_000, channels: Int = 2,
    second: RecordingConfiguration.Coding? = nil
  ) throws {
    let output = LiveOutput(RTMPService(configuration))
    connection = output.connection
    var recording = RecordingConfiguration(sampleRate: rate, channelCount: channels)
    recording.furtherCodings = [second].compactMap(\.self)
    session = RecordingSession(recording) { _ in
    } packets: { _ in
    }
    let source = SyntheticSource(
      Device(backend: .synthetic, id: "voice", name: "Voice"),
      playing: SpeechSignal(sampleRate: rate, channelCount: channels))
    rendition = second == nil ? 0 : 1
    let sent: any PacketOutput =
      second == nil ? output : RenditionOutput(output, rendition: rendition)
    try session.start(source, outputs: [sent, log])
  }

  deinit { finish() }

  var status: LiveStatus { connection.status }

  /// All frames that were encoded for the server.
  var frames: [[UInt8]] { log.frames.withLock { $0[rendition] ?? [] } }

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
