#if canImport(AudioToolbox) && !os(watchOS)
import AudioToolbox

/// One audio unit from creation to disposal; the result of every call is checked.
///
/// A failed setup needs no undoing: releasing the instance disposes of the unit, which undoes all
/// completed steps.
@safe
final class CoreAudioInstance {
  private let unit: AudioUnit
  /// The identifier of the device, for errors.
  private let id: String
  /// The object that the unit's callbacks use.
  ///
  /// The object is retained here, because the unit has its address until the unit is disposed of.
  private var callee: AnyObject?
  /// Objects that must live exactly as long as the unit is open.
  private var companions: [any AnyObject & Sendable]
  private var isInitialized = false
  private var isStarted = false
  private var isDisposed = false

  /// The subtype of units without voice processing.
  static var plainSubtype: OSType {
    #if os(macOS)
    kAudioUnitSubType_HALOutput
    #else
    kAudioUnitSubType_RemoteIO
    #endif
  }

  /// Creates a unit of an output subtype; output units can capture as well.
  ///
  /// `companions` are retained until the unit is disposed of.
  init(
    subtype: OSType, id: String, companions: [any AnyObject & Sendable]
  ) throws(DeviceError) {
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
    self.companions = companions
  }

  deinit {
    dispose()
  }

  /// Sets a property of the unit.
  func set<Value>(
    _ property: AudioUnitPropertyID, of bus: AudioUnitElement, _ scope: AudioUnitScope,
    to value: Value, _ operation: String
  ) throws(DeviceError) {
    let status = unsafe withUnsafePointer(to: value) {
      unsafe AudioUnitSetProperty(
        unit, property, scope, bus, $0, UInt32(MemoryLayout<Value>.size))
    }
    try CoreAudioStatus(status).check(operation, id)
  }

  /// Reads a property of the unit that has the type of `value`.
  func get<Value>(
    _ property: AudioUnitPropertyID, of bus: AudioUnitElement, _ scope: AudioUnitScope,
    as value: Value, _ operation: String
  ) throws(DeviceError) -> Value {
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    let status = unsafe withUnsafeMutablePointer(to: &value) {
      unsafe AudioUnitGetProperty(unit, property, scope, bus, $0, &size)
    }
    try CoreAudioStatus(status).check(operation, id)
    guard size == MemoryLayout<Value>.size else { throw CoreAudioStatus(-50).error(operation, id) }
    return value
  }

  /// Makes the unit call a new renderer; if the unit requests output, it gets silence.
  func attachRenderer(
    latency: Int64, mailbox: CoreAudioMailbox, playsSilence: Bool
  ) throws(DeviceError) -> CoreAudioRenderer {
    let renderer = unsafe CoreAudioRenderer(unit, latency: latency, mailbox: mailbox)
    callee = renderer
    let context = unsafe Unmanaged.passUnretained(renderer).toOpaque()
    try unsafe set(
      kAudioOutputUnitProperty_SetInputCallback, of: 0, kAudioUnitScope_Global,
      to: AURenderCallbackStruct(
        inputProc: CoreAudioRenderer.inputCallback, inputProcRefCon: context),
      "set the input callback of")
    if playsSilence {
      try unsafe set(
        kAudioUnitProperty_SetRenderCallback, of: CoreAudioUnit.outputBus, kAudioUnitScope_Input,
        to: AURenderCallbackStruct(
          inputProc: CoreAudioRenderer.silenceCallback, inputProcRefCon: context),
        "set the silent output of")
    }
    return renderer
  }

  /// Makes the unit play the samples of a supplier.
  func attach(_ supplier: CoreAudioSupplier) throws(DeviceError) {
    callee = supplier
    try unsafe set(
      kAudioUnitProperty_SetRenderCallback, of: CoreAudioUnit.outputBus, kAudioUnitScope_Input,
      to: AURenderCallbackStruct(
        inputProc: CoreAudioSupplier.callback,
        inputProcRefCon: Unmanaged.passUnretained(supplier).toOpaque()),
      "play on")
  }

  /// Completes the setup; the unit acquires the device.
  func initialize() throws(DeviceError) {
    try CoreAudioStatus(unsafe AudioUnitInitialize(unit)).check("set up", id)
    isInitialized = true
  }

  /// Applies settings of voice processing that differ from the system's defaults.
  ///
  /// Returns a diagnostic for each setting that the unit rejects.
  func apply(_ settings: CoreAudioVoiceProcessing) -> [String] {
    var diagnostics: [String] = []
    func set<Value>(_ property: AudioUnitPropertyID, _ value: Value, _ operation: String) {
      do throws(DeviceError) {
        try self.set(
          property, of: CoreAudioUnit.outputBus, kAudioUnitScope_Global, to: value, operation)
      } catch {
        diagnostics.append(error.message)
      }
    }
    if settings.isBypassed {
      set(kAUVoiceIOProperty_BypassVoiceProcessing, UInt32(1), "bypass the voice processing of")
    }
    if !settings.adjustsGain {
      set(kAUVoiceIOProperty_VoiceProcessingEnableAGC, UInt32(0), "disable the automatic gain of")
    }
    #if !os(tvOS)
    if #available(iOS 17.0, macOS 14.0, *), let ducking = settings.ducking, ducking != .standard {
      var configuration = AUVoiceIOOtherAudioDuckingConfiguration()
      configuration.mDuckingLevel =
        switch ducking {
        case .standard: .default
        case .minimum: .min
        case .medium: .mid
        case .maximum: .max
        }
      set(
        kAUVoiceIOProperty_OtherAudioDuckingConfiguration, configuration,
        "set the ducking of other audio for")
    }
    #endif
    return diagnostics
  }

  /// Makes the unit call its renderer from now on.
  func start() throws(DeviceError) {
    try CoreAudioStatus(unsafe AudioOutputUnitStart(unit)).check("start", id)
    isStarted = true
  }

  /// Stops the unit and releases everything; after that the renderer is no longer called.
  func dispose() {
    if isDisposed { return }
    isDisposed = true
    companions.removeAll()
    // Ignore errors, which a unit with a disconnected device may return: the unit stops
    // nonetheless.
    if isStarted { _ = unsafe AudioOutputUnitStop(unit) }
    if isInitialized { _ = unsafe AudioUnitUninitialize(unit) }
    _ = unsafe AudioComponentInstanceDispose(unit)
    callee = nil
  }
}
#endif
