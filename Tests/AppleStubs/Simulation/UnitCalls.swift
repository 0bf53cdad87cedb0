import AudioToolbox
import SimulatedApple

// The functions of AudioComponent.h and AUComponent.h. A unit's handle is a number, so that a use
// after disposal can be detected.

private enum Units {
  static let content = Guarded<(last: Int, units: [Int: SimulatedUnit])>((last: 0, units: [:]))

  static func add(_ unit: SimulatedUnit) -> OpaquePointer? {
    let number = content.change { content in
      content.last += 1
      content.units[content.last] = unit
      return content.last
    }
    SimulatedUnits.add(unit)
    return unsafe OpaquePointer(bitPattern: number)
  }

  /// Returns the unit, or nil if it was disposed of, which is recorded as a fault of the caller.
  static func find(_ handle: OpaquePointer, _ call: String) -> SimulatedUnit? {
    let unit = content.change { $0.units[Int(bitPattern: handle)] }
    if unit == nil { SimulatedUnits.recordFault("\(call) for a unit that was disposed of.") }
    return unit
  }

  static func remove(_ handle: OpaquePointer) {
    content.change { _ = $0.units.removeValue(forKey: Int(bitPattern: handle)) }
  }
}

@c(AudioComponentFindNext)
func findComponent(
  _ previous: OpaquePointer?, _ description: UnsafePointer<AudioComponentDescription>
) -> OpaquePointer? {
  let wanted = unsafe description.pointee
  guard wanted.componentType == kAudioUnitType_Output,
    wanted.componentManufacturer == kAudioUnitManufacturer_Apple,
    [kAudioUnitSubType_RemoteIO, kAudioUnitSubType_HALOutput, kAudioUnitSubType_VoiceProcessingIO]
      .contains(wanted.componentSubType)
  else { return nil }
  if wanted.componentSubType == kAudioUnitSubType_VoiceProcessingIO
    && !SimulatedPhone.unitChanges.hasVoiceProcessing
  {
    return nil
  }
  // A component is identified by its subtype only.
  return unsafe OpaquePointer(bitPattern: UInt(wanted.componentSubType))
}

@c(AudioComponentInstanceNew)
func makeInstance(
  _ component: OpaquePointer, _ instance: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 {
  let kind = UInt32(UInt(bitPattern: component))
  let isOfMac = kind == kAudioUnitSubType_HALOutput || SimulatedMac.isPresent
  let hardware: any SimulatedHardware = isOfMac ? MacHardware(devices: [:]) : PhoneHardware()
  unsafe instance.pointee = unsafe Units.add(
    SimulatedUnit(
      hardware: hardware, isVoiceProcessing: kind == kAudioUnitSubType_VoiceProcessingIO))
  return 0
}

@c(AudioComponentInstanceDispose)
func disposeOfInstance(_ instance: OpaquePointer) -> Int32 {
  guard let unit = unsafe Units.find(instance, "AudioComponentInstanceDispose") else {
    return UnitStatus.parameter
  }
  unit.uninitialize()
  unsafe Units.remove(instance)
  SimulatedUnits.remove(unit)
  return 0
}

@c(AudioUnitInitialize)
func initializeUnit(_ unit: OpaquePointer) -> Int32 {
  unsafe Units.find(unit, "AudioUnitInitialize")?.initialize() ?? UnitStatus.parameter
}

@c(AudioUnitUninitialize)
func uninitializeUnit(_ unit: OpaquePointer) -> Int32 {
  guard let unit = unsafe Units.find(unit, "AudioUnitUninitialize") else {
    return UnitStatus.parameter
  }
  if unit.isRunning { SimulatedUnits.recordFault("AudioUnitUninitialize while the unit runs.") }
  unit.uninitialize()
  return 0
}

@c(AudioUnitGetProperty)
func getProperty(
  _ unit: OpaquePointer, _ property: UInt32, _ scope: UInt32, _ element: UInt32,
  _ data: UnsafeMutableRawPointer, _ size: UnsafeMutablePointer<UInt32>
) -> Int32 {
  unsafe Units.find(unit, "AudioUnitGetProperty")?.get(property, scope, element, data, size)
    ?? UnitStatus.parameter
}

@c(AudioUnitSetProperty)
func setProperty(
  _ unit: OpaquePointer, _ property: UInt32, _ scope: UInt32, _ element: UInt32,
  _ data: UnsafeRawPointer?, _ size: UInt32
) -> Int32 {
  guard let unit = unsafe Units.find(unit, "AudioUnitSetProperty"), let data = unsafe data else {
    return UnitStatus.parameter
  }
  return unsafe unit.set(property, scope, element, data, size)
}

@c(AudioUnitRender)
func renderUnit(
  _ unit: OpaquePointer, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frameCount: UInt32,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> Int32 {
  unsafe Units.find(unit, "AudioUnitRender")?.render(bus: bus, frameCount: frameCount, data)
    ?? UnitStatus.parameter
}

@c(AudioOutputUnitStart)
func startUnit(_ unit: OpaquePointer) -> Int32 {
  unsafe Units.find(unit, "AudioOutputUnitStart")?.start() ?? UnitStatus.parameter
}

@c(AudioOutputUnitStop)
func stopUnit(_ unit: OpaquePointer) -> Int32 {
  guard let unit = unsafe Units.find(unit, "AudioOutputUnitStop") else {
    return UnitStatus.parameter
  }
  unit.halt()
  return 0
}
