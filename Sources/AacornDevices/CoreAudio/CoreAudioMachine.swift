#if os(macOS) && canImport(AudioToolbox)
import CoreAudio

/// A Mac's audio hardware, where a program may open any device.
struct CoreAudioMachine: CoreAudioCaptureHardware {
  let request: CaptureRequest
  /// The options of the audio session; on a Mac only the voice processing applies.
  var choice = CoreAudioSessionOptions()

  /// Owns the listeners of `watchRoute`.
  private final class Watch: Sendable {
    let listeners: [CoreAudioListener]

    init(_ change: @escaping @Sendable (CoreAudioRouteReason) -> Void) {
      let reasons: [(AudioObjectPropertySelector, CoreAudioRouteReason)] = [
        (kAudioHardwarePropertyDefaultInputDevice, .override),
        (kAudioHardwarePropertyDevices, .newDevice),
      ]
      listeners = reasons.compactMap { selector, reason in
        CoreAudioListener(.system, selector) { change(reason) }
      }
    }
  }

  private let devices = CoreAudioDevices(direction: .capture)

  var isPermitted: Bool? { CoreAudioPermission.isGranted }

  /// Nil: on a Mac no app takes the audio away from others.
  var maxInterruptionDuration: Duration? { nil }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    CoreAudioPermission.request(answer)
  }

  /// Calls `change` whenever devices or the default change, until the result is released.
  static func watchRoute(
    _ change: @escaping @Sendable (CoreAudioRouteReason) -> Void
  ) -> any Sendable & AnyObject {
    Watch(change)
  }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    CoreAudioListeners(.capture, post)
  }

  func activate() throws(DeviceError) -> [String] { [] }

  func deactivate() {}

  func route() throws(DeviceError) -> CoreAudioRoute {
    var (object, device) = try devices.findDevice(for: request.device.pinnedID)
    // While voice processing runs, the device reports all capsules of its microphone as channels,
    // but the unit delivers one channel. Without this line, each start would be a change of route.
    if request.isVoiceProcessed { device.channelCount = 1 }
    var route = CoreAudioRoute(
      device: device,
      latency: devices.latency(of: object).afterTimestamp(sampleRate: device.sampleRate))
    if request.isVoiceProcessed {
      route.outputNumber = CoreAudioDevices(direction: .playback).defaultDevice?.number
    }
    return route
  }

  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(DeviceError) -> any CoreAudioStream {
    let mailbox = order.mailbox
    var (object, listeners) = try devices.prepare(
      order.route.device, blocks: request.blockDuration, reportingTo: mailbox)
    if order.route.outputNumber != nil {
      // Voice processing must use the new loudspeakers to remove their echo.
      let listener = CoreAudioListener(.system, kAudioHardwarePropertyDefaultOutputDevice) {
        mailbox.post(.routeChanged(.override))
      }
      if let listener { listeners.append(listener) }
    }
    return try CoreAudioUnit(
      request, order, choice.voiceProcessing.resolved(beside: choice.otherAudio),
      device: object.number, output: order.route.outputNumber, companions: listeners, makeFeed)
  }
}

/// A Mac's outputs, where a program may open any device.
struct CoreAudioPlaybackMachine: CoreAudioPlaybackHardware {
  let request: PlaybackRequest
  private let devices = CoreAudioDevices(direction: .playback)

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    CoreAudioListeners(.playback, post)
  }

  func activate() throws(DeviceError) -> [String] { [] }

  func deactivate() {}

  func route() throws(DeviceError) -> CoreAudioRoute {
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
    // Request blocks of half the latency, and leave the other half to the device.
    let (object, listeners) = try devices.prepare(
      order.route.device, blocks: request.latency / 2, reportingTo: order.mailbox)
    return try CoreAudioPlaybackUnit(
      request, order, device: object.number, companions: listeners, makeRenderer)
  }
}
#endif
