#if canImport(AudioToolbox) && !os(watchOS)
import AudioToolbox

/// One audio unit from its making to its disposal, every answer of which is looked at.
///
/// A set-up that fails half-way needs no undoing: whoever lets go of the instance disposes of it,
/// with all the steps that were taken.
@safe
final class CoreAudioInstance {
  private let unit: AudioUnit
  /// The identifier of the device, for errors.
  private let id: String
  /// Retained for the unit, which has its address, until the unit is disposed of.
  private var renderer: Unmanaged<CoreAudioRenderer>?
  private var isInitialized = false
  private var isStarted = false
  private var isDisposed = false

  /// Makes a unit of a kind of output unit, which are those for input as well.
  init(subtype: OSType, id: String) throws(CaptureError) {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    guard let component = unsafe AudioComponentFindNext(nil, &description) else {
      throw .system(operation: "open", id: id, reason: "the system has no such audio unit")
    }
    var instance: AudioUnit?
    let status = CoreAudioStatus(unsafe AudioComponentInstanceNew(component, &instance))
    guard status.isSuccess, let instance = unsafe instance else {
      throw status.error("open", id)
    }
    unsafe unit = unsafe instance
    self.id = id
  }

  deinit {
    dispose()
  }

  /// Sets a property of the unit.
  func set<Value>(
    _ property: AudioUnitPropertyID, of bus: AudioUnitElement, _ scope: AudioUnitScope,
    to value: Value, _ operation: String
  ) throws(CaptureError) {
    let status = unsafe withUnsafePointer(to: value) {
      unsafe AudioUnitSetProperty(
        unit, property, scope, bus, $0, UInt32(MemoryLayout<Value>.size))
    }
    try CoreAudioStatus(status).check(operation, id)
  }

  /// A property of the unit, which has the type of `value`.
  func get<Value>(
    _ property: AudioUnitPropertyID, of bus: AudioUnitElement, _ scope: AudioUnitScope,
    as value: Value, _ operation: String
  ) throws(CaptureError) -> Value {
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    let status = unsafe withUnsafeMutablePointer(to: &value) {
      unsafe AudioUnitGetProperty(unit, property, scope, bus, $0, &size)
    }
    try CoreAudioStatus(status).check(operation, id)
    guard size == MemoryLayout<Value>.size else { throw CoreAudioStatus(-50).error(operation, id) }
    return value
  }

  /// Has the unit call a new renderer; what it should play, if anything, is silence.
  func attachRenderer(
    latency: Int64, mailbox: CoreAudioMailbox, playsSilence: Bool
  ) throws(CaptureError) -> CoreAudioRenderer {
    let renderer = unsafe CoreAudioRenderer(unit, latency: latency, mailbox: mailbox)
    let retained = unsafe Unmanaged.passRetained(renderer)
    unsafe self.renderer = unsafe retained
    let context = unsafe retained.toOpaque()
    try unsafe set(
      kAudioOutputUnitProperty_SetInputCallback, of: 0, kAudioUnitScope_Global,
      to: AURenderCallbackStruct(
        inputProc: CoreAudioRenderer.inputCallback, inputProcRefCon: context),
      "listen to")
    if playsSilence {
      try unsafe set(
        kAudioUnitProperty_SetRenderCallback, of: CoreAudioUnit.outputBus, kAudioUnitScope_Input,
        to: AURenderCallbackStruct(
          inputProc: CoreAudioRenderer.silenceCallback, inputProcRefCon: context),
        "play silence beside")
    }
    return renderer
  }

  /// Ends the set-up; the unit takes hold of the device.
  func initialize() throws(CaptureError) {
    try CoreAudioStatus(unsafe AudioUnitInitialize(unit)).check("set up", id)
    isInitialized = true
  }

  /// Has the unit call its renderer from now on.
  func start() throws(CaptureError) {
    try CoreAudioStatus(unsafe AudioOutputUnitStart(unit)).check("start", id)
    isStarted = true
  }

  /// Stops the unit and gives back everything; then the renderer is no longer called.
  func dispose() {
    if isDisposed { return }
    isDisposed = true
    // A unit whose device is gone may refuse these. It ends nonetheless, and there is nothing
    // better to do about it.
    if isStarted { _ = unsafe AudioOutputUnitStop(unit) }
    if isInitialized { _ = unsafe AudioUnitUninitialize(unit) }
    _ = unsafe AudioComponentInstanceDispose(unit)
    unsafe renderer?.release()
    unsafe renderer = nil
  }
}
#endif
