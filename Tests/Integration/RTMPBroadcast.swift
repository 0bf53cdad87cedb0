import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import SoundRigs
import Testing

/// A recording of a synthetic voice, sent to a server in real time.
final class RTMPBroadcast: Sendable {
  let connection: LiveConnection
  private let session: RecordingSession
  private let log = HLSTests.FrameLog()

  init(to configuration: RTMPConfiguration, rate: Int, channels: Int) throws {
    let output = LiveOutput(RTMPService(configuration))
    connection = output.connection
    session = RecordingSession(
      RecordingConfiguration(sampleRate: rate, channelCount: channels)
    ) { _ in
    } packets: { _ in
    }
    let source = SyntheticSource(
      Device(backend: .synthetic, id: "voice", name: "Voice"),
      playing: SpeechSignal(sampleRate: rate, channelCount: channels))
    try session.start(source, outputs: [output, log])
  }

  deinit { finish() }

  var status: LiveStatus { connection.status }

  /// All frames that were encoded for the server.
  var frames: [[UInt8]] { log.frames.withLock { $0[0] ?? [] } }

  /// Stops the recording, and waits until everything is sent.
  func finish() {
    session.stop()
    #expect(session.wait(for: TestTimeout.duration) != nil, "The recording ends.")
  }
}
