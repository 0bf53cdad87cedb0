#if os(macOS) && canImport(AudioToolbox)
import AacornSignal
import AacornSystem
import CoreAudio

/// The devices that macOS has for one direction.
struct CoreAudioDevices {
  let direction: CoreAudioDirection

  /// The available devices, the default one first.
  var all: [CoreAudioDescription] {
    let defaultObject = defaultDevice
    let devices = CoreAudioObject.system
      .objects(kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal)
      .filter { !isHidden($0) }
      .compactMap { describe($0, isDefault: $0 == defaultObject) }
    return devices.filter(\.isDefault) + devices.filter { !$0.isDefault }
  }

  /// The device that the system uses if none is chosen.
  var defaultDevice: CoreAudioObject? {
    CoreAudioObject.system
      .value(
        direction.defaultDevice, kAudioObjectPropertyScopeGlobal,
        as: AudioObjectID.self
      )
      .flatMap { $0 == AudioObjectID(kAudioObjectUnknown) ? nil : CoreAudioObject(number: $0) }
  }

  /// The device with an id; nil stands for the default one.
  func find(_ id: String?) throws(CaptureError) -> CoreAudioObject {
    guard let id else {
      guard let object = defaultDevice else { throw .noDevice(backend: .coreAudio) }
      return object
    }
    let object = CoreAudioObject.system
      .objects(kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal)
      .first { $0.text(kAudioDevicePropertyDeviceUID) == id }
    guard let object else { throw .unknownDevice(id: id, backend: .coreAudio) }
    return object
  }

  /// The same, and what it is; throws as well if it is useless for this direction.
  func look(
    for id: String?
  ) throws(CaptureError) -> (object: CoreAudioObject, device: CoreAudioDescription) {
    let object = try find(id)
    guard let device = describe(object, isDefault: object == defaultDevice) else {
      if let id { throw .unknownDevice(id: id, backend: .coreAudio) }
      throw .noDevice(backend: .coreAudio)
    }
    return (object, device)
  }

  /// A device in this direction; nil if it has no channels for it or is being removed.
  private func describe(_ object: CoreAudioObject, isDefault: Bool) -> CoreAudioDescription? {
    let alive = object.value(
      kAudioDevicePropertyDeviceIsAlive, kAudioObjectPropertyScopeGlobal, as: UInt32.self)
    guard alive == 1, let id = object.text(kAudioDevicePropertyDeviceUID) else { return nil }
    let buffers = object.bytes(kAudioDevicePropertyStreamConfiguration, direction.scope)
    let channelCount = unsafe buffers.withUnsafeBytes {
      unsafe CoreAudioFormat.channelCount(inBufferList: $0)
    }
    guard channelCount > 0 else { return nil }
    let rate = object.value(kAudioDevicePropertyNominalSampleRate, kAudioObjectPropertyScopeGlobal)
    return CoreAudioDescription(
      id: id, name: object.text(kAudioObjectPropertyName) ?? id,
      details: object.text(kAudioObjectPropertyManufacturer) ?? "", channelCount: channelCount,
      sampleRate: Int((rate ?? 0).rounded()), isDefault: isDefault)
  }

  /// Whether a device is none for people: it hides, or voice processing has made it for itself.
  private func isHidden(_ object: CoreAudioObject) -> Bool {
    let hides = object.value(
      kAudioDevicePropertyIsHidden, kAudioObjectPropertyScopeGlobal, as: UInt32.self)
    return hides == 1 || isHelper(object) || isEcho(object)
  }

  /// Whether it joins a microphone and loudspeakers within one program, which alone sees it.
  private func isHelper(_ object: CoreAudioObject) -> Bool {
    guard let id = object.text(kAudioDevicePropertyDeviceUID) else { return false }
    return ["VPAUAggregateAudioDevice", "CADefaultDeviceAggregate"].contains { id.hasPrefix($0) }
  }

  /// Whether it is loudspeakers whose sound voice processing takes back in, so that all of its inputs
  /// are echoes.
  private func isEcho(_ object: CoreAudioObject) -> Bool {
    guard direction == .capture else { return false }
    let inputs = object.objects(kAudioDevicePropertyStreams, kAudioObjectPropertyScopeInput)
    return !inputs.isEmpty && inputs.allSatisfy(takesSoundBack)
      && !object.objects(kAudioDevicePropertyStreams, kAudioObjectPropertyScopeOutput).isEmpty
  }

  /// Whether an input is of no certain kind, or of a kind of output.
  ///
  /// Besides the system's own kinds there are those of USB, "Terminal Types" 2.2 and 2.3: 0x200 is an
  /// undefined input, and 0x3XX are outputs. A driver that knows no kinds says 0, or nothing.
  private func takesSoundBack(_ stream: CoreAudioObject) -> Bool {
    let kind = stream.value(
      kAudioStreamPropertyTerminalType, kAudioObjectPropertyScopeGlobal, as: UInt32.self)
    return switch kind ?? kAudioStreamTerminalTypeUnknown {
    case 0x200, 0x300...0x3FF, kAudioStreamTerminalTypeSpeaker, kAudioStreamTerminalTypeHeadphones:
      true
    default: false
    }
  }

  // MARK: Time

  /// How long audio takes through a device.
  func latency(of object: CoreAudioObject) -> CoreAudioLatency {
    let scope = direction.scope
    func frameCount(_ selector: AudioObjectPropertySelector) -> UInt32 {
      object.value(selector, scope, as: UInt32.self) ?? 0
    }
    let stream = object.objects(kAudioDevicePropertyStreams, scope).first
    return CoreAudioLatency(
      device: frameCount(kAudioDevicePropertyLatency),
      stream: stream?
        .value(kAudioStreamPropertyLatency, kAudioObjectPropertyScopeGlobal, as: UInt32.self) ?? 0,
      safetyOffset: frameCount(kAudioDevicePropertySafetyOffset),
      block: frameCount(kAudioDevicePropertyBufferFrameSize))
  }

  /// Requests blocks of the wanted length.
  ///
  /// A device that refuses has other lengths, which work as well.
  func requestBlocks(_ duration: Duration, of object: CoreAudioObject, sampleRate: Int) {
    let block = min(max(duration, .milliseconds(1)), .seconds(1))
    let frameCount = block.sampleCount(at: max(1000, sampleRate))
    let range = object.bytes(kAudioDevicePropertyBufferFrameSizeRange, direction.scope)
    // Two floating-point numbers, the smallest and the largest.
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

  /// What a device's channels are for; nil unless somebody has said so for all of them.
  func layout(of object: CoreAudioObject, channelCount: Int) -> ChannelLayout? {
    let bytes = object.bytes(kAudioDevicePropertyPreferredChannelLayout, direction.scope)
    return unsafe bytes.withUnsafeBytes {
      unsafe ChannelLayout(inLayout: $0, channelCount: channelCount)
    }
  }

  /// Which of a device's channels are for stereo sound, counted from 0.
  func stereoPair(of object: CoreAudioObject) -> [Int]? {
    let bytes = object.bytes(kAudioDevicePropertyPreferredChannelsForStereo, direction.scope)
    guard bytes.count == 8 else { return nil }
    return unsafe bytes.withUnsafeBytes { bytes in
      // The device counts from 1.
      [0, 4].map { unsafe Int(bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)) - 1 }
    }
  }
}
#endif
