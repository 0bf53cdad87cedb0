import CoreAudio
import SimulatedApple

/// A device of a simulated Mac.
package struct SimulatedDevice: Sendable, Equatable {
  package var id: String
  package var name: String
  package var inputChannelCount = 0
  package var outputChannelCount = 0
  package var sampleRate = 48_000.0
  package var blockFrameCount = 512
  /// How many seconds its clock counts in one; no two crystals agree.
  package var pace = 1.0
  package var isHidden = false
  /// Of what kind its inputs are.
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

  /// What a portable Mac has.
  package static let microphone = SimulatedDevice(
    id: "BuiltInMicrophoneDevice", name: "MacBook Microphone", inputChannelCount: 1)
  package static let loudspeakers = SimulatedDevice(
    id: "BuiltInSpeakerDevice", name: "MacBook Speakers", outputChannelCount: 2)
  /// What voice processing makes for itself.
  static let helper = SimulatedDevice(
    id: "VPAUAggregateAudioDevice-0x600000c04000", name: "VPAUAggregateAudioDevice-0x600000c04000",
    inputChannelCount: 3, outputChannelCount: 2)
  /// What may be connected.
  package static let interface = SimulatedDevice(
    id: "AppleUSBAudioEngine:2", name: "Interface", inputChannelCount: 2, outputChannelCount: 2,
    sampleRate: 44_100)
}

/// A Mac with its devices, as `AudioObject…` functions tell of them; scripted by tests as a phone is.
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
    /// The devices by their numbers, which they get when they are connected.
    var devices: [(number: UInt32, device: SimulatedDevice)] = []
    var defaultInputID: String?
    var defaultOutputID: String?
    var hoggedIDs: Set<String> = []
    var listeners: [Listener] = []
    /// Channels that inputs had before voice processing took them, by the ids of their devices.
    var processed: [String: Int] = [:]
    /// Whether the process runs the main thread's run loop, as an app does.
    var runsMainLoop = true
    /// Whether the process wants to be called on a thread of Core Audio instead of that run loop.
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

  /// Makes the machine a Mac with a microphone and loudspeakers.
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

  // MARK: What is so

  static var isPresent: Bool { content.change(\.isPresent) }
  static var defaultInput: UInt32 { content.change { $0.number($0.defaultInputID) } }
  static var defaultOutput: UInt32 { content.change { $0.number($0.defaultOutputID) } }
  /// Whether the process has changed where all of its listeners are called.
  package static var isDetached: Bool { content.change(\.isDetached) }
  /// Listeners that are installed.
  package static var listenerCount: Int { content.change(\.listeners.count) }

  static func device(_ number: UInt32) -> SimulatedDevice? {
    content.change { content in content.devices.first { $0.number == number }?.device }
  }

  static func isHogged(_ id: String) -> Bool { content.change { $0.hoggedIDs.contains(id) } }

  /// What a device is like now.
  package static func device(id: String) -> SimulatedDevice? {
    content.change { content in content.devices.first { $0.device.id == id }?.device }
  }

  // MARK: What happens

  /// Connects a device.
  package static func connect(_ device: SimulatedDevice) {
    content.change { $0.add(device) }
    tell(system, kAudioHardwarePropertyDevices)
  }

  /// Takes a device away; the defaults become what is left.
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
    tell(number, kAudioDevicePropertyDeviceIsAlive)
    // What listened to it does so no longer.
    content.change { $0.listeners.removeAll { $0.object == number } }
    tell(system, kAudioHardwarePropertyDevices)
    if hasInputChanged { tell(system, kAudioHardwarePropertyDefaultInputDevice) }
    if hasOutputChanged { tell(system, kAudioHardwarePropertyDefaultOutputDevice) }
  }

  /// Makes a device the default of every direction that it has.
  package static func makeDefault(_ device: SimulatedDevice) {
    content.change {
      if device.inputChannelCount > 0 { $0.defaultInputID = device.id }
      if device.outputChannelCount > 0 { $0.defaultOutputID = device.id }
    }
    if device.inputChannelCount > 0 { tell(system, kAudioHardwarePropertyDefaultInputDevice) }
    if device.outputChannelCount > 0 { tell(system, kAudioHardwarePropertyDefaultOutputDevice) }
  }

  /// Has a device run at another rate, as any program may.
  package static func setRate(_ rate: Double, of id: String) {
    let number = change(id) { $0.sampleRate = rate }
    tell(number, kAudioDevicePropertyNominalSampleRate)
  }

  /// Gives a device other channels.
  package static func setInputChannels(_ count: Int, of id: String) {
    let number = change(id) { $0.inputChannelCount = count }
    tell(number, kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeInput)
  }

  /// Has another program take a device for itself, or let it go.
  package static func hog(_ id: String, _ isHogged: Bool) {
    content.change { content in
      if isHogged { content.hoggedIDs.insert(id) } else { content.hoggedIDs.remove(id) }
    }
  }

  /// The audio service starts anew: devices get other numbers, and units are dead.
  package static func restartService() {
    content.change { content in
      let devices = content.devices.map(\.device)
      content.devices = []
      for device in devices { content.add(device) }
      content.listeners.removeAll { $0.object != system }
    }
    for unit in SimulatedUnits.open { unit.orphan() }
    tell(system, kAudioHardwarePropertyServiceRestarted)
  }

  /// Voice processing begins: a helper joins microphone and loudspeakers, the microphone shows all of
  /// its capsules, and the loudspeakers get an input for what they play.
  static func beginVoiceProcessing() {
    tellInputs(
      content.change { content in
        for id in [content.defaultInputID, content.defaultOutputID].compactMap(\.self)
        where content.processed[id] == nil {
          guard let index = content.devices.firstIndex(where: { $0.device.id == id }) else {
            continue
          }
          let count = content.devices[index].device.inputChannelCount
          content.processed[id] = count
          content.devices[index].device.inputChannelCount = count + 2
          // As USB calls an undefined input.
          if count == 0 { content.devices[index].device.inputKind = 0x200 }
        }
        content.add(.helper)
        return content.processed.keys.map { content.number($0) }
      })
  }

  /// Voice processing ends, and leaves everything as it was.
  static func endVoiceProcessing() {
    tellInputs(
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

  private static func tellInputs(_ numbers: [UInt32]) {
    for number in numbers {
      tell(number, kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeInput)
    }
    tell(system, kAudioHardwarePropertyDevices)
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

  /// Calls the listeners to a property of an object, in the scope that they wanted.
  static func tell(
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
