import AacornCodec
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import SoundRigs
import Testing

/// A recording of struck notes in real time, and its encoded units.
final class IcecastBroadcast: Sendable {
  private let session: RecordingSession
  private let made = Lock<[[UInt8]]>([])

  init(_ outputs: [any PacketOutput]) throws {
    let configuration = RecordingConfiguration(
      sampleRate: 48_000, coding: HLSTests.coding(128_000))
    session = RecordingSession(configuration) { _ in
    } packets: { [made] packet in
      made.withLock { $0.append(packet.bytes) }
    }
    try session.start(SyntheticSystem.makeSource(CaptureRequest()), outputs: outputs)
  }

  deinit { session.stop() }

  /// The access units of the first coding up to now.
  var frames: [[UInt8]] { made.withLock { $0 } }

  /// Stops the recording, and waits until all outputs have finished.
  func finish() {
    session.stop()
    #expect(session.wait(for: TestTimeout.duration) != nil, "The recording ends.")
  }
}

extension IcecastBroadcast {
  /// An output to a server, with short delays before it connects again.
  static func output(_ configuration: IcecastConfiguration) -> LiveOutput {
    var options = LiveOptions()
    options.initialReconnectDelay = .milliseconds(100)
    options.maxReconnectDelay = .milliseconds(500)
    return LiveOutput(IcecastService(configuration), options)
  }
}
