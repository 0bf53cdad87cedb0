#if os(macOS) && canImport(AudioToolbox)
import CoreAudio

/// A Mac's outputs, where a program may open any device.
struct CoreAudioPlaybackMachine: CoreAudioPlaybackHardware {
  private let devices = CoreAudioDevices(direction: .playback)

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    CoreAudioListeners(.playback, post)
  }

  func activate(_ request: PlaybackRequest) throws(DeviceError) -> [String] { [] }

  func deactivate() {}

  func route(
    for request: PlaybackRequest
  ) throws(DeviceError) -> CoreAudioRoute {
    let (object, device) = try devices.findDevice(for: request.device.pinnedID)
    let latency = devices.latency(of: object)
    return CoreAudioRoute(
      device: device,
      latency: latency.afterTimestamp(sampleRate: device.sampleRate),
      lead: latency.beforeTimestamp(sampleRate: device.sampleRate),
      layout: devices.layout(of: object, channelCount: device.channelCount),
      stereoPair: devices.stereoPair(of: object))
  }

  func open(
    _ order: CoreAudioPlaybackOrder, _ makeRenderer: (Int, Int64) -> CoreAudioFeedRenderer
  ) throws(DeviceError) -> any CoreAudioStream {
    // Open the route's device, even if the default has changed since.
    let object = try devices.find(order.route.device.id)
    // Request blocks of half the latency, and leave the other half to the device.
    devices.requestBlocks(
      order.request.latency / 2, of: object, sampleRate: order.route.device.sampleRate)
    let mailbox = order.mailbox
    let selectors: [(AudioObjectPropertySelector, AudioObjectPropertyScope)] = [
      (kAudioDevicePropertyDeviceIsAlive, kAudioObjectPropertyScopeGlobal),
      (kAudioDevicePropertyNominalSampleRate, kAudioObjectPropertyScopeGlobal),
      (kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeOutput),
      (kAudioDevicePropertyPreferredChannelLayout, kAudioObjectPropertyScopeOutput),
      (kAudioDevicePropertyPreferredChannelsForStereo, kAudioObjectPropertyScopeOutput),
      (kAudioDevicePropertyLatency, kAudioObjectPropertyScopeOutput),
    ]
    let listeners = selectors.compactMap { selector, scope in
      CoreAudioListener(object, selector, scope) { mailbox.post(.routeChanged(.configuration)) }
    }
    return try CoreAudioPlaybackUnit(
      order, device: object.number, companions: listeners, makeRenderer)
  }
}
#endif
