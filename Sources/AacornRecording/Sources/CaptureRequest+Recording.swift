package import AacornDevices
import AacornSignal

extension CaptureRequest {
  /// Creates the request for a recording; without a device, it is for the default one.
  package init(
    device: String?, isVoiceProcessed: Bool, from backend: DeviceBackend,
    for configuration: RecordingConfiguration
  ) {
    self.init(
      device: device.map { .pinned(id: $0) } ?? .followingDefault,
      isVoiceProcessed: isVoiceProcessed)
    if configuration.monitor != nil { blockDuration = MonitorConfiguration.blockDuration }
    if backend.prefersRecordingRate { sampleRate = configuration.sampleRate }
    if backend == .synthetic {
      channelCount =
        configuration.channelMap.max().map {
          min($0, PCMDescription.maxChannelCount) + 1
        } ?? configuration.channelCount
    }
  }
}
