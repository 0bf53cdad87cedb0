#if os(Linux)
@testable import AacornDevices

typealias PulseRun = ServerCapture<SimulatedPulse>
typealias PulsePlay = ServerPlayback<SimulatedPulse>

extension SimulatedPulse: NumberedServer {
  static let stopLimit = 0.951
}

extension ServerCapture<SimulatedPulse> {
  /// Starts a server with a microphone, or other devices, and a capture that is read for some time.
  convenience init(
    _ request: CaptureRequest = CaptureRequest(), drift: Double = 0, reading seconds: Double = 0,
    _ setUp: @escaping (SimulatedPulse) -> Void = { $0.add(.init("mic")) }
  ) throws {
    try self.init(request, SimulatedPulse(drift: drift, setUp))
    if seconds > 0 { read(seconds: seconds) }
  }

  /// Starts a capture from a server.
  convenience init(_ request: CaptureRequest = CaptureRequest(), _ server: SimulatedPulse) throws {
    try self.init(
      server, PulseAudioSource(request, server: server.address, SimulatedPulse.library))
  }
}

extension ServerPlayback<SimulatedPulse> {
  /// Starts a server with an output, or other devices, and plays for some time.
  convenience init(
    _ request: PlaybackRequest = PlaybackRequest(latency: .milliseconds(200)), drift: Double = 0,
    playing seconds: Double = 0,
    _ setUp: @escaping (SimulatedPulse) -> Void = { $0.add(.init("speaker", isSink: true)) }
  ) throws {
    let server = SimulatedPulse(drift: drift, setUp)
    try self.init(
      server, PulseAudioTarget(request, server: server.address, SimulatedPulse.library))
    if seconds > 0 { play(seconds: seconds) }
  }
}
#endif
