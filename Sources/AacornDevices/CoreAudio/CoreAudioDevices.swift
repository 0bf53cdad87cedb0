#if os(macOS) && canImport(AudioToolbox)
import AacornSignal
import AacornSystem
import CoreAudio

/// The devices of macOS for one direction.
struct CoreAudioDevices {
  let direction: DeviceDirection

  /// The available devices, the default one first.
  var all: [Device] {
    let defaultObject = defaultDevice
    let devices = CoreAudioObject.system
      .objects(kAudioHardwarePropertyDevices)
      .filter { !isHidden($0) }
      .compactMap { describe($0, isDefault: $0 == defaultObject) }
    return devices.filter(\.isDefault) + devices.filter { !$0.isDefault }
  }

  /// The device that the system uses if none is chosen.
  var defaultDevice: CoreAudioObject? {
    CoreAudioObject.system.value(direction.defaultDevice, as: AudioObjectID.self)
      .flatMap { $0 == AudioObjectID(kAudioObjectUnknown) ? nil : CoreAudioObject(number: $0) }
  }

  /// Finds the device with an id; nil means the default device.
  func find(_ id: String?) throws(DeviceError) -> CoreAudioObject {
    guard let id else {
      guard let object = defaultDevice else { throw .noDevice(for: direction, backend: .coreAudio) }
      return object
    }
    let object = CoreAudioObject.system
      .objects(kAudioHardwarePropertyDevices)
      .first { $0.text(kAudioDevicePropertyDeviceUID) == id }
    guard let object else { throw .unknownDevice(id: id, backend: .coreAudio) }
    return object
  }

  /// Finds the device with an id and its description; throws also if it has no channels for this
  /// direction.
  func findDevice(
    for id: String?
  ) throws(DeviceError) -> (object: CoreAudioObject, device: Device) {
    let object = try find(id)
    guard let device = describe(object, isDefault: object == defaultDevice) else {
      if let id { throw .unknownDevice(id: id, backend: .coreAudio) }
      throw .noDevice(for: direction, backend: .coreAudio)
    }
    return (object, device)
  }

  /// Describes a device for this direction; nil if it has no channels for it or is being removed.
  private func describe(_ object: CoreAudioObject, isDefault: Bool) -> Device? {
    let alive = object.value(kAudioDevicePropertyDeviceIsAlive, as: UInt32.self)
    guard alive == 1, let id = object.text(kAudioDevicePropertyDeviceUID) else { return nil }
    let buffers = object.bytes(kAudioDevicePropertyStreamConfiguration, direction.scope)
    let channelCount = unsafe buffers.withUnsafeBytes {
      unsafe CoreAudioFormat.channelCount(inBufferList: $0)
    }
    guard channelCount > 0 else { return nil }
    let rate = object.value(kAudioDevicePropertyNominalSampleRate)
    return Device(
      backend: .coreAudio, id: id, name: object.text(kAudioObjectPropertyName) ?? id,
      details: object.text(kAudioObjectPropertyManufacturer) ?? "", channelCount: channelCount,
      sampleRate: Int((rate ?? 0).rounded()), isDefault: isDefault)
  }

  /// Whether a device should not be listed: it is hidden, or voice processing has created it for
  /// its own use.
  private func isHidden(_ object: CoreAudioObject) -> Bool {
    let hides = object.value(kAudioDevicePropertyIsHidden, as: UInt32.self)
    return hides == 1 || isHelper(object) || isEchoReference(object)
  }

  /// Whether a device is an aggregate of a microphone and loudspeakers, visible to one process
  /// only.
  private func isHelper(_ object: CoreAudioObject) -> Bool {
    guard let id = object.text(kAudioDevicePropertyDeviceUID) else { return false }
    return ["VPAUAggregateAudioDevice", "CADefaultDeviceAggregate"].contains { id.hasPrefix($0) }
  }

  /// Whether the only inputs of a device are reference inputs that voice processing adds to
  /// loudspeakers.
  ///
  /// Such inputs contain the loudspeakers' own audio, that is, echoes.
  private func isEchoReference(_ object: CoreAudioObject) -> Bool {
    guard direction == .capture else { return false }
    let inputs = object.objects(kAudioDevicePropertyStreams, kAudioObjectPropertyScopeInput)
    return !inputs.isEmpty && inputs.allSatisfy(mayBeOutputMonitor)
      && !object.objects(kAudioDevicePropertyStreams, kAudioObjectPropertyScopeOutput).isEmpty
  }

  /// Whether an input has an unknown terminal type or the type of an output.
  ///
  /// In addition to the system's own types there are USB types, "Terminal Types" 2.2 and 2.3:
  /// 0x200 is an undefined input, and 0x3XX are outputs. A driver without terminal types returns 0
  /// or no value.
  private func mayBeOutputMonitor(_ stream: CoreAudioObject) -> Bool {
    let kind = stream.value(kAudioStreamPropertyTerminalType, as: UInt32.self)
    return switch kind ?? kAudioStreamTerminalTypeUnknown {
    case 0x200, 0x300...0x3FF, kAudioStreamTerminalTypeSpeaker, kAudioStreamTerminalTypeHeadphones:
      true
    default: false
    }
  }

  // MARK: Time

  /// Returns the latency of a device.
  func latency(of object: CoreAudioObject) -> CoreAudioLatency {
    let scope = direction.scope
    func frameCount(_ selector: AudioObjectPropertySelector) -> UInt32 {
      object.value(selector, scope, as: UInt32.self) ?? 0
    }
    let stream = object.objects(kAudioDevicePropertyStreams, scope).first
    return CoreAudioLatency(
      device: frameCount(kAudioDevicePropertyLatency),
      stream: stream?.value(kAudioStreamPropertyLatency, as: UInt32.self) ?? 0,
      safetyOffset: frameCount(kAudioDevicePropertySafetyOffset),
      block: frameCount(kAudioDevicePropertyBufferFrameSize))
  }

  /// Finds a route's device and requests a block length from it; returns it with listeners that
  /// report changes of its settings.
  func prepare(
    _ device: Device, blocks: Duration, reportingTo mailbox: CoreAudioMailbox
  ) throws(DeviceError) -> (object: CoreAudioObject, listeners: [CoreAudioListener]) {
    // Use the route's device, even if the default has changed since.
    let object = try find(device.id)
    requestBlocks(blocks, of: object, sampleRate: device.sampleRate)
    let common: [AudioObjectPropertySelector] = [
      kAudioDevicePropertyDeviceIsAlive, kAudioDevicePropertyNominalSampleRate,
    ]
    var own: [AudioObjectPropertySelector] = [kAudioDevicePropertyStreamConfiguration]
    if direction == .playback {
      own += [
        kAudioDevicePropertyPreferredChannelLayout, kAudioDevicePropertyPreferredChannelsForStereo,
        kAudioDevicePropertyLatency,
      ]
    }
    let properties =
      common.map { ($0, kAudioObjectPropertyScopeGlobal) } + own.map { ($0, direction.scope) }
    let listeners = properties.compactMap { selector, scope in
      CoreAudioListener(object, selector, scope) { mailbox.post(.routeChanged(.configuration)) }
    }
    return (object, listeners)
  }

  /// Requests a block length from the device.
  ///
  /// A device that rejects it keeps its block length, which works as well.
  private func requestBlocks(_ duration: Duration, of object: CoreAudioObject, sampleRate: Int) {
    let block = min(max(duration, .milliseconds(1)), .seconds(1))
    let frameCount = block.sampleCount(at: max(1000, sampleRate))
    let range = object.bytes(kAudioDevicePropertyBufferFrameSizeRange, direction.scope)
    // The range consists of two floating-point numbers, the minimum and the maximum.
    let limits = unsafe range.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map {
        unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Double.self)
      }
    }
    guard limits.count == 2, limits[0] >= 1, limits[0] <= limits[1], limits[1] < 1e6 else { return }
    let length = min(max(frameCount, Int(limits[0])), Int(limits[1]))
    _ = object.set(kAudioDevicePropertyBufferFrameSize, direction.scope, to: UInt32(length))
  }

  // MARK: Channels

  /// Returns the channel layout of a device; nil unless the device or the user has defined it
  /// completely.
  func layout(of object: CoreAudioObject, channelCount: Int) -> ChannelLayout? {
    let bytes = object.bytes(kAudioDevicePropertyPreferredChannelLayout, direction.scope)
    return unsafe bytes.withUnsafeBytes {
      unsafe ChannelLayout(inLayout: $0, channelCount: channelCount)
    }
  }

  /// Returns the indices of a device's stereo channels, counted from 0.
  func stereoPair(of object: CoreAudioObject) -> [Int]? {
    let bytes = object.bytes(kAudioDevicePropertyPreferredChannelsForStereo, direction.scope)
    guard bytes.count == 8 else { return nil }
    return unsafe bytes.withUnsafeBytes { bytes in
      // The device counts from 1.
      [0, 4].map { unsafe Int(bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)) - 1 }
    }
  }
}

extension DeviceDirection {
  /// The scope of the device's properties for this direction.
  var scope: AudioObjectPropertyScope {
    switch self {
    case .capture: kAudioObjectPropertyScopeInput
    case .playback: kAudioObjectPropertyScopeOutput
    }
  }

  /// The property with the system's default device.
  var defaultDevice: AudioObjectPropertySelector {
    switch self {
    case .capture: kAudioHardwarePropertyDefaultInputDevice
    case .playback: kAudioHardwarePropertyDefaultOutputDevice
    }
  }
}
#endif
