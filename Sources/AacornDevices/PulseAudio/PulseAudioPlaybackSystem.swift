#if os(Linux)
import AacornSystem

/// PulseAudio's outputs, or the outputs of PipeWire's PulseAudio server.
public enum PulseAudioPlaybackSystem: PlaybackSystem {
  /// PulseAudio.
  public static var backend: CaptureBackend { .pulseAudio }

  /// Throws unless the library is present and a server responds.
  public static func checkAvailability() throws(PlaybackError) {
    try PlaybackError.translating(PulseAudioSystem.checkAvailability)
  }

  /// Returns all sinks, the default one first.
  public static func playbackDevices() throws(PlaybackError) -> [Device] {
    try playbackDevices(server: nil, PlaybackError.translating(PulseLibrary.load))
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(PlaybackError) -> any PlaybackTarget {
    try PulseAudioTarget(request)
  }

  /// Returns the devices of `server`; nil means the server in the user's settings.
  static func playbackDevices(
    server: String?, _ library: PulseLibrary
  ) throws(PlaybackError) -> [Device] {
    try PlaybackError.translating { () throws(CaptureError) in try sinks(of: server, library) }
  }

  private static func sinks(
    of server: String?, _ library: PulseLibrary
  ) throws(CaptureError) -> [Device] {
    let connection = try PulseAudioSystem.connect(to: server, library)
    let deadline = System.nanoseconds + 5_000_000_000
    do {
      let defaultName = try connection.serverInfo(until: deadline).defaultSink
      let devices = try connection.sinks(until: deadline).map { sink in
        sink.device(isDefault: sink.name == defaultName)
      }
      return devices.filter(\.isDefault) + devices.filter { !$0.isDefault }
    } catch {
      throw error.captureError("list the devices of", "PulseAudio", connection.loop.library)
    }
  }
}
#endif
