import CoreAudio
import CoreFoundation
import SimulatedApple

// The functions of AudioHardwareBase.h for objects and their properties.

/// A property's value: bytes, or a string that the caller must release.
private enum PropertyValue {
  case bytes([UInt8])
  case text(String)

  static func number(_ value: UInt32) -> PropertyValue { numbers([value]) }

  static func numbers<Number>(_ values: [Number]) -> PropertyValue {
    .bytes(unsafe values.withUnsafeBytes { unsafe Array($0) })
  }
}

/// Returns the value of a property, or nil if the object does not have it.
private func value(
  _ object: UInt32, _ address: AudioObjectPropertyAddress
) -> Result<PropertyValue, ObjectError> {
  SimulatedMac.content.change { content in
    let isGlobal = address.mScope == kAudioObjectPropertyScopeGlobal
    if object == SimulatedMac.system {
      guard isGlobal else { return .failure(.unknownProperty) }
      return switch address.mSelector {
      case kAudioHardwarePropertyDevices: .success(.numbers(content.devices.map(\.number)))
      case kAudioHardwarePropertyDefaultInputDevice:
        .success(.number(content.number(content.defaultInputID)))
      case kAudioHardwarePropertyDefaultOutputDevice:
        .success(.number(content.number(content.defaultOutputID)))
      default: .failure(.unknownProperty)
      }
    }
    // The number of a stream is the device's number plus 1,000 for inputs or 2,000 for outputs.
    if object > 1000 {
      guard let device = content.devices.first(where: { $0.number == object % 1000 })?.device else {
        return .failure(.badObject)
      }
      switch address.mSelector {
      case kAudioStreamPropertyLatency where isGlobal: return .success(.number(16))
      case kAudioStreamPropertyTerminalType where isGlobal:
        return .success(.number(object > 2000 ? kAudioStreamTerminalTypeSpeaker : device.inputKind))
      default: return .failure(.unknownProperty)
      }
    }
    guard let device = content.devices.first(where: { $0.number == object })?.device else {
      return .failure(.badObject)
    }
    let isInput = address.mScope == kAudioObjectPropertyScopeInput
    let channelCount =
      isGlobal ? 0 : isInput ? device.inputChannelCount : device.outputChannelCount
    switch address.mSelector {
    case kAudioObjectPropertyName: return .success(.text(device.name))
    case kAudioObjectPropertyManufacturer: return .success(.text("Maker"))
    case kAudioDevicePropertyDeviceUID: return .success(.text(device.id))
    case kAudioDevicePropertyDeviceIsAlive where isGlobal: return .success(.number(1))
    case kAudioDevicePropertyIsHidden where isGlobal:
      return .success(.number(device.isHidden ? 1 : 0))
    case kAudioDevicePropertyNominalSampleRate where isGlobal:
      return .success(.numbers([device.sampleRate]))
    case kAudioDevicePropertyLatency where !isGlobal:
      return .success(.number(device.latencyFrameCount))
    case kAudioDevicePropertySafetyOffset where !isGlobal: return .success(.number(64))
    case kAudioDevicePropertyStreams where !isGlobal:
      let stream = object + (isInput ? 1000 : 2000)
      return .success(channelCount > 0 ? .numbers([stream]) : .bytes([]))
    case kAudioDevicePropertyBufferFrameSize:
      return .success(.number(UInt32(device.blockFrameCount)))
    case kAudioDevicePropertyBufferFrameSizeRange: return .success(.numbers([15.0, 4096.0]))
    case kAudioDevicePropertyStreamConfiguration where !isGlobal:
      // One buffer with all channels, or none: count, padding, channels, size, address.
      let words: [UInt32] = channelCount > 0 ? [1, 0, UInt32(channelCount), 0, 0, 0] : [0, 0]
      return .success(.numbers(words))
    case kAudioDevicePropertyPreferredChannelsForStereo where !isGlobal && channelCount > 0:
      return .success(.numbers([UInt32(1), 2]))
    default: return .failure(.unknownProperty)
    }
  }
}

private enum ObjectError: Error {
  case badObject
  case unknownProperty

  var status: Int32 {
    switch self {
    case .badObject: UnitStatus.badObject
    case .unknownProperty: UnitStatus.unknownProperty
    }
  }
}

@c(AudioObjectGetPropertyDataSize)
func objectPropertySize(
  _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>, _ qualifierSize: UInt32,
  _ qualifier: UnsafeRawPointer?, _ size: UnsafeMutablePointer<UInt32>
) -> Int32 {
  switch unsafe value(object, address.pointee) {
  case .failure(let error): return error.status
  case .success(.text): unsafe size.pointee = 8
  case .success(.bytes(let bytes)): unsafe size.pointee = UInt32(bytes.count)
  }
  return 0
}

@c(AudioObjectGetPropertyData)
func objectProperty(
  _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>, _ qualifierSize: UInt32,
  _ qualifier: UnsafeRawPointer?, _ size: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutableRawPointer
) -> Int32 {
  switch unsafe value(object, address.pointee) {
  case .failure(let error): return error.status
  case .success(.text(let text)):
    guard unsafe size.pointee >= 8 else { return UnitStatus.badSize }
    let string = unsafe Unmanaged.passRetained(CFString(text)).toOpaque()
    unsafe data.storeBytes(of: string, as: UnsafeMutableRawPointer.self)
    unsafe size.pointee = 8
  case .success(.bytes(let bytes)):
    return unsafe give(bytes, size, data, or: UnitStatus.badSize)
  }
  return 0
}

@c(AudioObjectSetPropertyData)
func setObjectProperty(
  _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>, _ qualifierSize: UInt32,
  _ qualifier: UnsafeRawPointer?, _ size: UInt32, _ data: UnsafeRawPointer
) -> Int32 {
  let selector = unsafe address.pointee.mSelector
  if object == SimulatedMac.system && selector == kAudioHardwarePropertyRunLoop {
    guard size == 8 else { return UnitStatus.badSize }
    let isDetached = unsafe data.loadUnaligned(as: UInt.self) == 0
    SimulatedMac.content.change { $0.isDetached = isDetached }
    return 0
  }
  guard selector == kAudioDevicePropertyBufferFrameSize, size == 4 else {
    return UnitStatus.unknownProperty
  }
  let count = unsafe Int(data.loadUnaligned(as: UInt32.self))
  return SimulatedMac.content.change { content in
    guard let index = content.devices.firstIndex(where: { $0.number == object }) else {
      return UnitStatus.badObject
    }
    content.devices[index].device.blockFrameCount = min(max(count, 15), 4096)
    return 0
  }
}

@c(AudioObjectAddPropertyListener)
func addListener(
  _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>,
  _ listener: @escaping AudioObjectPropertyListenerProc, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  SimulatedMac.content.change { content in
    let exists =
      object == SimulatedMac.system || content.devices.contains { $0.number == object }
    guard exists else { return UnitStatus.badObject }
    unsafe content.listeners.append(
      SimulatedMac.Listener(
        object: object, address: address.pointee, procedure: listener, context: context))
    return 0
  }
}

@c(AudioObjectRemovePropertyListener)
func removeListener(
  _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>,
  _ listener: @escaping AudioObjectPropertyListenerProc, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  SimulatedMac.content.change { content in
    let count = content.listeners.count
    content.listeners.removeAll {
      unsafe $0.object == object && SimulatedMac.matches($0.address, address.pointee)
        && $0.context == context
    }
    return content.listeners.count < count ? 0 : UnitStatus.badObject
  }
}
