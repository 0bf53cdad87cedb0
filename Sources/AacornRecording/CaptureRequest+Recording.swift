package import AacornDevices

extension CaptureRequest {
  /// What a recording asks a system for; without a device, the default one.
  package init(
    device: String?, isVoiceProcessed: Bool, from backend: CaptureBackend,
    for configuration: RecordingConfiguration
  ) {
    self.init(
      device: device.map { .pinned(id: $0) } ?? .followingDefault,
      isVoiceProcessed: isVoiceProcessed)
    // Servers are asked for the sound as the device has it, because the recorder converts better
    // and knows what it does. A driver can often run at the wanted rate, without conversion.
    if backend == .alsa || backend == .synthetic { sampleRate = configuration.sampleRate }
    if backend == .synthetic {
      channelCount = configuration.channelMap.max().map { $0 + 1 } ?? configuration.channelCount
    }
  }
}
