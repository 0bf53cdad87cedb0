import AudioToolbox
import SimulatedApple

// The functions of AudioComponent.h and AUComponent.h.

private let units = Handles<SimulatedUnit>(to: "unit")

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
  let unit = SimulatedUnit(
    hardware: hardware, isVoiceProcessing: kind == kAudioUnitSubType_VoiceProcessingIO)
  SimulatedUnits.add(unit)
  unsafe instance.pointee = unsafe units.add(unit)
  return 0
}

@c(AudioComponentInstanceDispose)
func disposeOfInstance(_ instance: OpaquePointer) -> Int32 {
  unsafe units.perform("AudioComponentInstanceDispose", instance) { unit in
    unit.uninitialize()
    unsafe units.remove(instance)
    SimulatedUnits.remove(unit)
    return 0
  }
}

@c(AudioUnitInitialize)
func initializeUnit(_ unit: OpaquePointer) -> Int32 {
  unsafe units.perform("AudioUnitInitialize", unit) { $0.initialize() }
}

@c(AudioUnitUninitialize)
func uninitializeUnit(_ unit: OpaquePointer) -> Int32 {
  unsafe units.perform("AudioUnitUninitialize", unit) { unit in
    if unit.isRunning { SimulatedUnits.recordFault("AudioUnitUninitialize while the unit runs.") }
    unit.uninitialize()
    return 0
  }
}

@c(AudioUnitGetProperty)
func getProperty(
  _ unit: OpaquePointer, _ property: UInt32, _ scope: UInt32, _ element: UInt32,
  _ data: UnsafeMutableRawPointer, _ size: UnsafeMutablePointer<UInt32>
) -> Int32 {
  unsafe units.perform("AudioUnitGetProperty", unit) {
    unsafe $0.get(property, scope, element, data, size)
  }
}

@c(AudioUnitSetProperty)
func setProperty(
  _ unit: OpaquePointer, _ property: UInt32, _ scope: UInt32, _ element: UInt32,
  _ data: UnsafeRawPointer?, _ size: UInt32
) -> Int32 {
  unsafe units.perform("AudioUnitSetProperty", unit) { unit in
    guard let data = unsafe data else { return UnitStatus.parameter }
    return unsafe unit.set(property, scope, element, data, size)
  }
}

@c(AudioUnitRender)
func renderUnit(
  _ unit: OpaquePointer, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frameCount: UInt32,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> Int32 {
  unsafe units.perform("AudioUnitRender", unit) {
    unsafe $0.render(bus: bus, frameCount: frameCount, data)
  }
}

@c(AudioOutputUnitStart)
func startUnit(_ unit: OpaquePointer) -> Int32 {
  unsafe units.perform("AudioOutputUnitStart", unit) { $0.start() }
}

@c(AudioOutputUnitStop)
func stopUnit(_ unit: OpaquePointer) -> Int32 {
  unsafe units.perform("AudioOutputUnitStop", unit) { unit in
    unit.halt()
    return 0
  }
}
