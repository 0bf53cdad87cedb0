#if os(Linux)
import AacornSystem
import CAacornALSA

/// Opens a device briefly to check whether it is present and to read its properties.
final class ALSAProbe: Sendable {
  /// The properties of a device; 0 if a property depends on the program that opens the device.
  struct DeviceProperties {
    var channelCount = 0
    var sampleRate = 0

    static let unknown = DeviceProperties()
  }

  private let properties = Lock<DeviceProperties?>(nil)
  private let done = Semaphore()

  /// Returns the properties of a device; nil if it cannot be opened for a permanent reason.
  ///
  /// The name may belong to a sound server that does not respond. So a separate thread opens the
  /// device, and is abandoned after a second.
  static func properties(
    at id: String, for direction: DeviceDirection, _ library: ALSALibrary
  ) -> DeviceProperties? {
    let probe = ALSAProbe()
    let isStarted = System.startThread {
      let properties = open(id, direction, library)
      probe.properties.withLock { $0 = properties }
      probe.done.signal()
    }
    guard isStarted, probe.done.wait(milliseconds: 1000) else { return nil }
    return probe.properties.withLock { $0 }
  }

  private static func open(
    _ id: String, _ direction: DeviceDirection, _ library: ALSALibrary
  ) -> DeviceProperties? {
    let alsa = unsafe library.functions.pointee
    let pcm: OpaquePointer
    do {
      unsafe pcm = unsafe try library.open(id, for: direction)
    } catch {
      switch error {
      // The device exists, but this program may not use it, or not at the moment.
      case .deviceBusy, .permissionDenied: return .unknown
      default: return nil
      }
    }
    defer { _ = unsafe alsa.pcm_close(pcm) }
    var parameters: OpaquePointer?
    guard unsafe alsa.pcm_hw_params_malloc(&parameters) >= 0 else { return .unknown }
    defer { unsafe alsa.pcm_hw_params_free(parameters) }
    guard unsafe alsa.pcm_hw_params_any(pcm, parameters) >= 0 else { return .unknown }
    let isHardware = unsafe alsa.pcm_type(pcm) == UInt32(AACORN_ALSA_TYPE_HW)

    var properties = DeviceProperties()
    var minimum: UInt32 = 0
    var maximum: UInt32 = 0
    _ = unsafe alsa.pcm_hw_params_get_channels_min(parameters, &minimum)
    _ = unsafe alsa.pcm_hw_params_get_channels_max(parameters, &maximum)
    // A card accepts several channel counts for playback: choose stereo, or the count nearest to
    // it.
    let isPlayback = direction == .playback
    if minimum == maximum || isHardware && !isPlayback { properties.channelCount = Int(maximum) }
    if isHardware && isPlayback { properties.channelCount = Int(min(max(minimum, 2), maximum)) }

    /// Returns the device's rate nearest to the requested one.
    func rate(near wanted: UInt32) -> UInt32? {
      var rate = wanted
      guard unsafe alsa.pcm_hw_params_any(pcm, parameters) >= 0 else { return nil }
      _ = unsafe alsa.pcm_hw_params_set_rate_resample(pcm, parameters, 0)
      let code = unsafe alsa.pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil)
      return code < 0 ? nil : rate
    }
    if isHardware || rate(near: 1) == rate(near: 1_000_000) {
      properties.sampleRate = Int(rate(near: 48000) ?? 0)
    }
    return properties
  }
}
#endif
