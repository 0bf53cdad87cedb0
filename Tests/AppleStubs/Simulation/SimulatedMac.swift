import CoreAudio
import SimulatedApple

package struct SimulatedDevice: Sendable, Equatable {
  package var id: String
  package var name: String
  package var inputChannelCount = 0
  package var outputChannelCount = 0
  package var sampleRate = 48_000.0
  package var blockFrameCount = 512
  /// The latency that it reports, without that of its streams.
  package var latencyFrameCount: UInt32 = 32
  /// The seconds that its clock counts in one second; two crystals never agree.
  package var pace = 1.0
  package var isHidden = false
  /// The kind of the inputs.
  package var inputKind = kAudioStreamTerminalTypeMicrophone

  package init(
    id: String, name: String, inputChannelCount: Int = 0, outputChannelCount: Int = 0,
    sampleRate: Double = 48_000
  ) {
    self.id = id
    self.name = name
    self.inputChannelCount = inputChannelCount
    self.outputChannelCount = outputChannelCount
    self.sampleRate = sampleRate
  }

  /// The built-in microphone of a portable Mac.
  package static let microphone = SimulatedDevice(
    id: "BuiltInMicrophoneDevice", name: "MacBook Microphone", inputChannelCount: 1)
  package static let loudspeakers = SimulatedDevice(
    id: "BuiltInSpeakerDevice", name: "MacBook Speakers", outputChannelCount: 2)
  /// The device that voice processing creates.
  static let helper = SimulatedDevice(
    id: "VPAUAggregateAudioDevice-0x600000c04000", name: "VPAUAggregateAudioDevice-0x600000c04000",
    inputChannelCount: 3, outputChannelCount: 2)
  /// An audio interface that can be connected.
  package static let interface = SimulatedDevice(
    id: "AppleUSBAudioEngine:2", name: "Interface", inputChannelCount: 2, outputChannelCount: 2,
    sampleRate: 44_100)
}

/// A Mac with its devices, as the `AudioObject…` functions report them.
///
/// Tests script it like a phone.
package enum SimulatedMac {
  @safe
  struct Listener {
    var object: UInt32
    var address: AudioObjectPropertyAddress
    var procedure: AudioObjectPropertyListenerProc
    var context: UnsafeMutableRawPointer?
  }

  struct Content {
    var isPresent = false
    var lastNumber: UInt32 = 100
    /// The devices with their numbers, which are assigned when devices are connected.
    var devices: [(number: UInt32, device: SimulatedDevice)] = []
    var defaultInputID: String?
    var defaultOutputID: String?
    var hoggedIDs: Set<String> = []
    var listeners: [Listener] = []
    /// The numbers of input channels before voice processing changed them, by device identifier.
    var processed: [String: Int] = [:]
    /// Whether the process runs the main thread's run loop, as an app does.
    var runsMainLoop = true
    /// Whether the process requests callbacks on a thread of Core Audio instead of the run loop.
    var isDetached = false

    mutating func add(_ device: SimulatedDevice) {
      lastNumber += 1
      devices.append((lastNumber, device))
    }

    func number(_ id: String?) -> UInt32 {
      devices.first { $0.device.id == id }?.number ?? UInt32(kAudioObjectUnknown)
    }
  }

  static let content = Guarded(Content())

  static func reset() {
    content.change { $0 = Content() }
  }

  /// Resets the machine to a Mac with a microphone and loudspeakers.
  package static func begin(runsMainLoop: Bool = true) {
    content.change { content in
      content = Content()
      content.isPresent = true
      content.runsMainLoop = runsMainLoop
      content.add(.microphone)
      content.add(.loudspeakers)
      content.defaultInputID = SimulatedDevice.microphone.id
      content.defaultOutputID = SimulatedDevice.loudspeakers.id
    }
  }

  // MARK: State

  static var isPresent: Bool { content.change(\.isPresent) }
  static var defaultInput: UInt32 { content.change { $0.number($0.defaultInputID) } }
  static var defaultOutput: UInt32 { content.change { $0.number($0.defaultOutputID) } }
  /// Whether the process has changed the thread on which all of its listeners are called.
  package static var isDetached: Bool { content.change(\.isDetached) }
  /// The number of installed listeners.
  package static var listenerCount: Int { content.change(\.listeners.count) }

  static func device(_ number: UInt32) -> SimulatedDevice? {
    content.change { content in content.devices.first { $0.number == number }?.device }
  }

  static func isHogged(_ id: String) -> Bool { content.change { $0.hoggedIDs.contains(id) } }

  /// Returns the current properties of a device.
  package static func device(id: String) -> SimulatedDevice? {
    content.change { content in content.devices.first { $0.device.id == id }?.device }
  }

  // MARK: Events

  package static func connect(_ device: SimulatedDevice) {
    content.change { $0.add(device) }
    notifyListeners(system, kAudioHardwarePropertyDevices)
  }

  /// Disconnects a device.
  ///
  /// The defaults become other devices.
  package static func disconnect(_ device: SimulatedDevice) {
    let (number, hasInputChanged, hasOutputChanged) = content.change { content in
      let number = content.number(device.id)
      content.devices.removeAll { $0.number == number }
      let input = content.defaultInputID == device.id
      let output = content.defaultOutputID == device.id
      if input {
        content.defaultInputID =
          content.devices.first { $0.device.inputChannelCount > 0 }?.device.id
      }
      if output {
        content.defaultOutputID =
          content.devices.first { $0.device.outputChannelCount > 0 }?.device.id
      }
      return (number, input, output)
    }
    notifyListeners(number, kAudioDevicePropertyDeviceIsAlive)
    // The listeners of the device are removed.
    content.change { $0.listeners.removeAll { $0.object == number } }
    notifyListeners(system, kAudioHardwarePropertyDevices)
    if hasInputChanged { notifyListeners(system, kAudioHardwarePropertyDefaultInputDevice) }
    if hasOutputChanged { notifyListeners(system, kAudioHardwarePropertyDefaultOutputDevice) }
  }

  /// Makes a device the default for every direction that it supports.
  package static func makeDefault(_ device: SimulatedDevice) {
    content.change {
      if device.inputChannelCount > 0 { $0.defaultInputID = device.id }
      if device.outputChannelCount > 0 { $0.defaultOutputID = device.id }
    }
    if device.inputChannelCount > 0 {
      notifyListeners(system, kAudioHardwarePropertyDefaultInputDevice)
    }
    if device.outputChannelCount > 0 {
      notifyListeners(system, kAudioHardwarePropertyDefaultOutputDevice)
    }
  }

  /// Changes the sample rate of a device, as any program may.
  package static func setRate(_ rate: Double, of id: String) {
    let number = change(id) { $0.sampleRate = rate }
    notifyListeners(number, kAudioDevicePropertyNominalSampleRate)
  }

  /// Changes the number of input channels of a device.
  package static func setInputChannels(_ count: Int, of id: String) {
    let number = change(id) { $0.inputChannelCount = count }
    notifyListeners(number, kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeInput)
  }

  /// Changes the number of output channels of a device.
  package static func setOutputChannels(_ count: Int, of id: String) {
    let number = change(id) { $0.outputChannelCount = count }
    notifyListeners(
      number, kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeOutput)
  }

  /// Changes the latency that a device reports to programs that play.
  package static func setOutputLatency(_ frameCount: UInt32, of id: String) {
    let number = change(id) { $0.latencyFrameCount = frameCount }
    notifyListeners(number, kAudioDevicePropertyLatency, kAudioObjectPropertyScopeOutput)
  }

  /// Grants another program exclusive access to a device, or releases it.
  package static func hog(_ id: String, _ isHogged: Bool) {
    content.change { content in
      if isHogged { content.hoggedIDs.insert(id) } else { content.hoggedIDs.remove(id) }
    }
  }

  /// Restarts the audio service: devices get other numbers, and existing units stop working.
  package static func restartService() {
    content.change { content in
      let devices = content.devices.map(\.device)
      content.devices = []
      for device in devices { content.add(device) }
      content.listeners.removeAll { $0.object != system }
    }
    for unit in SimulatedUnits.open { unit.orphan() }
    notifyListeners(system, kAudioHardwarePropertyServiceRestarted)
  }

  /// Starts voice processing: creates a helper device for microphone and loudspeakers, exposes all
  /// capsules of the microphone, and adds a loopback input to the loudspeakers.
  static func beginVoiceProcessing() {
    notifyInputListeners(
      content.change { content in
        for id in [content.defaultInputID, content.defaultOutputID].compactMap(\.self)
        where content.processed[id] == nil {
          guard let index = content.devices.firstIndex(where: { $0.device.id == id }) else {
            continue
          }
          let count = content.devices[index].device.inputChannelCount
          content.processed[id] = count
          content.devices[index].device.inputChannelCount = count + 2
          // The terminal type that USB calls an undefined input.
          if count == 0 { content.devices[index].device.inputKind = 0x200 }
        }
        content.add(.helper)
        return content.processed.keys.map { content.number($0) }
      })
  }

  /// Ends voice processing, and restores the previous state.
  static func endVoiceProcessing() {
    notifyInputListeners(
      content.change { content in
        content.devices.removeAll { $0.device.id == SimulatedDevice.helper.id }
        defer { content.processed = [:] }
        for index in content.devices.indices {
          guard let count = content.processed[content.devices[index].device.id] else { continue }
          content.devices[index].device.inputChannelCount = count
          content.devices[index].device.inputKind = kAudioStreamTerminalTypeMicrophone
        }
        return content.processed.keys.map { content.number($0) }
      })
  }

  private static func notifyInputListeners(_ numbers: [UInt32]) {
    for number in numbers {
      notifyListeners(
        number, kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeInput)
    }
    notifyListeners(system, kAudioHardwarePropertyDevices)
  }

  static let system = UInt32(kAudioObjectSystemObject)

  private static func change(_ id: String, _ change: (inout SimulatedDevice) -> Void) -> UInt32 {
    content.change { content in
      for index in content.devices.indices where content.devices[index].device.id == id {
        change(&content.devices[index].device)
      }
      return content.number(id)
    }
  }

  /// Calls the listeners for a property of an object in the scope that they observe.
  static func notifyListeners(
    _ object: UInt32, _ selector: UInt32, _ scope: UInt32 = kAudioObjectPropertyScopeGlobal
  ) {
    let address = AudioObjectPropertyAddress(
      mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    let listeners = content.change { content in
      content.runsMainLoop || content.isDetached
        ? content.listeners.filter { $0.object == object && matches($0.address, address) } : []
    }
    for listener in listeners {
      var address = address
      _ = unsafe listener.procedure(object, 1, &address, listener.context)
    }
  }

  static func matches(
    _ one: AudioObjectPropertyAddress, _ other: AudioObjectPropertyAddress
  ) -> Bool {
    one.mSelector == other.mSelector && one.mScope == other.mScope && one.mElement == other.mElement
  }
}
