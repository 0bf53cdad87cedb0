#if os(macOS) && canImport(AudioToolbox)
import CoreAudio

/// The devices of macOS.
enum CoreAudioDevices {
  /// The available inputs, the default one first.
  static func inputs() -> [CaptureDevice] {
    let defaultObject = defaultInput
    let devices = CoreAudioObject.system
      .objects(kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal)
      .filter { !isHidden($0) }
      .compactMap { describe($0, isDefault: $0 == defaultObject) }
    return devices.filter(\.isDefault) + devices.filter { !$0.isDefault }
  }

  /// The input that the system uses if none is chosen.
  static var defaultInput: CoreAudioObject? {
    CoreAudioObject.system
      .value(
        kAudioHardwarePropertyDefaultInputDevice, kAudioObjectPropertyScopeGlobal,
        as: AudioObjectID.self
      )
      .flatMap { $0 == AudioObjectID(kAudioObjectUnknown) ? nil : CoreAudioObject(number: $0) }
  }

  /// The device that a request refers to.
  static func find(_ choice: CaptureRequest.DeviceChoice) throws(CaptureError) -> CoreAudioObject {
    switch choice {
    case .followingDefault:
      guard let object = defaultInput else { throw .noDevice(backend: .coreAudio) }
      return object
    case .pinned(let id):
      let object = CoreAudioObject.system
        .objects(kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal)
        .first { $0.text(kAudioDevicePropertyDeviceUID) == id }
      guard let object else { throw .unknownDevice(id: id, backend: .coreAudio) }
      return object
    }
  }

  /// A device as an input; nil if it has no input channels or is being removed.
  static func describe(_ object: CoreAudioObject, isDefault: Bool) -> CaptureDevice? {
    let alive = object.value(
      kAudioDevicePropertyDeviceIsAlive, kAudioObjectPropertyScopeGlobal, as: UInt32.self)
    guard alive == 1, let id = object.text(kAudioDevicePropertyDeviceUID) else { return nil }
    let buffers = object.bytes(
      kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeInput)
    let channelCount = unsafe buffers.withUnsafeBytes {
      unsafe CoreAudioFormat.channelCount(inBufferList: $0)
    }
    guard channelCount > 0 else { return nil }
    let rate = object.value(kAudioDevicePropertyNominalSampleRate, kAudioObjectPropertyScopeGlobal)
    return CaptureDevice(
      backend: .coreAudio, id: id, name: object.text(kAudioObjectPropertyName) ?? id,
      details: object.text(kAudioObjectPropertyManufacturer) ?? "", channelCount: channelCount,
      sampleRate: Int((rate ?? 0).rounded()), isDefault: isDefault)
  }

  /// How long audio takes through a device until it is timestamped, in nanoseconds.
  static func latency(of object: CoreAudioObject, sampleRate: Int) -> Int64 {
    guard sampleRate > 0 else { return 0 }
    let input = kAudioObjectPropertyScopeInput
    let ofDevice = object.value(kAudioDevicePropertyLatency, input, as: UInt32.self) ?? 0
    let ofStream =
      object.objects(kAudioDevicePropertyStreams, input).first?
      .value(kAudioStreamPropertyLatency, kAudioObjectPropertyScopeGlobal, as: UInt32.self) ?? 0
    return (Int64(ofDevice) + Int64(ofStream)) * 1_000_000_000 / Int64(sampleRate)
  }

  private static func isHidden(_ object: CoreAudioObject) -> Bool {
    object.value(
      kAudioDevicePropertyIsHidden, kAudioObjectPropertyScopeGlobal, as: UInt32.self) == 1
  }
}
#endif
