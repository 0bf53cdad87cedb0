#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio
import AudioToolbox

/// A phone's loudspeakers or the connected output that the system chooses.
///
/// To share its outputs with other apps by other rules, an app sets its session's category before
/// it plays.
struct CoreAudioPlaybackSession: CoreAudioPlaybackHardware {
  let request: PlaybackRequest
  private let choice: CoreAudioSessionOptions
  private let use: CoreAudioSessionUse

  init(_ request: PlaybackRequest, choice: CoreAudioSessionOptions) {
    self.request = request
    self.choice = choice
    use = CoreAudioSessionUse(deactivates: choice.deactivates)
  }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    CoreAudioSessionObservation(post)
  }

  func activate() throws(DeviceError) -> [String] {
    if choice.control == .manual { return [] }
    var diagnostics: [String] = []
    try use.prepare { CoreAudioSessionSetup.playing(over: $0) }
    // Request blocks of half the latency, and leave the other half to the device. The system may
    // choose another block length.
    CoreAudioSession.trying("set the block length of", &diagnostics) {
      try use.prefer(blockDuration: request.latency / .seconds(2))
    }
    try use.begin()
    return diagnostics
  }

  func deactivate() {
    use.end()
  }

  func route() throws(DeviceError) -> CoreAudioRoute {
    let session = AVAudioSession.sharedInstance()
    guard let port = session.currentRoute.outputs.first else {
      throw .noDevice(for: .playback, backend: .coreAudio)
    }
    // An app cannot choose the output; it can only wait until the system uses the requested one.
    if case .pinned(let id) = request.device, port.uid != id {
      throw .unknownDevice(id: id, backend: .coreAudio)
    }
    var device = Device(port, isDefault: true)
    device.channelCount = session.outputNumberOfChannels
    device.sampleRate = Int(session.sampleRate.rounded())
    return CoreAudioRoute(
      device: device, latency: Int64(session.outputLatency * 1e9),
      lead: Int64(session.ioBufferDuration * 1e9))
  }

  func open(
    _ order: CoreAudioPlaybackOrder, _ makeRenderer: (Int, Int64) -> CoreAudioFeedRenderer
  ) throws(DeviceError) -> any CoreAudioStream {
    try CoreAudioPlaybackUnit(request, order, makeRenderer)
  }

  /// Returns the output in use.
  static func outputs() -> [Device] {
    AVAudioSession.sharedInstance().currentRoute.outputs.map {
      Device($0, isDefault: true)
    }
  }
}

extension Device {
  /// Creates a description with the known properties of a port.
  init(_ port: AVAudioSessionPortDescription, isDefault: Bool) {
    self.init(
      backend: .coreAudio, id: port.uid, name: port.portName, details: port.portType.rawValue,
      channelCount: port.channels?.count ?? 0, isDefault: isDefault)
  }
}
#endif
