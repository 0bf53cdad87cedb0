import AacornDevices
import Testing

/// Matching of a name that a user enters with a device.
@Suite struct DeviceNameTests {
  private static let devices = [
    Device(backend: .alsa, id: "hw:0,0", name: "Built-in Audio"),
    Device(backend: .alsa, id: "hw:1,0", name: "USB Microphone"),
    Device(backend: .alsa, id: "hw:2,0", name: "USB microphone"),
    Device(backend: .alsa, id: "hw:3,0", name: "USB Mixer 8"),
    Device(backend: .alsa, id: "hw:4,0", name: "Twin"),
    Device(backend: .alsa, id: "hw:5,0", name: "Twin"),
    Device(backend: .alsa, id: "Twin", name: "An id that is a name"),
  ]

  static let names: [(text: String, id: String)] = [
    ("hw:1,0", "hw:1,0"), ("Built-in Audio", "hw:0,0"), ("built-IN audio", "hw:0,0"),
    ("USB Microphone", "hw:1,0"), ("USB microphone", "hw:2,0"), ("usb mix", "hw:3,0"),
    ("Built", "hw:0,0"), ("Twin", "Twin"),
  ]

  @Test(arguments: names)
  func idsAndNamesChooseADevice(text: String, id: String) throws {
    #expect(try DeviceSystems.id(of: text, among: Self.devices) == id)
  }

  @Test(arguments: [
    ("usb MICROPHONE", ["hw:1,0", "hw:2,0"]), ("usb", ["hw:1,0", "hw:2,0", "hw:3,0"]),
    ("TWIN", ["hw:4,0", "hw:5,0"]),
  ])
  func ambiguousNameThrowsItsDevices(text: String, ids: [String]) {
    #expect(throws: DeviceError.ambiguousDevice(name: text, ids: ids)) {
      _ = try DeviceSystems.id(of: text, among: Self.devices)
    }
  }

  @Test(arguments: ["", "Audio", "hw:1", "USB Microphone 2"])
  func otherTextsChooseNothing(text: String) throws {
    #expect(try DeviceSystems.id(of: text, among: Self.devices) == nil)
  }

  @Test func systemsAreSearchedInOrder() throws {
    let found = try DeviceSystems.device(
      called: "desk", among: [Broken.self, Empty.self, ThreeDevices.self])
    #expect(found.id == "desk.1")
    #expect(found.skippedErrors.count == 2)
    let byID = try DeviceSystems.device(called: "desk.2", among: [ThreeDevices.self])
    #expect(byID.id == "desk.2" && byID.skippedErrors.isEmpty)
    #expect(throws: DeviceError.ambiguousDevice(name: "lamp", ids: ["desk.2", "desk.3"])) {
      _ = try DeviceSystems.device(called: "lamp", among: [Broken.self, ThreeDevices.self])
    }
    #expect(throws: DeviceError.unknownDevice(id: "chair", backend: .alsa)) {
      _ = try DeviceSystems.device(called: "chair", among: [Broken.self, ThreeDevices.self])
    }
    let error = DeviceError.ambiguousDevice(name: "lamp", ids: ["desk.2", "desk.3"])
    #expect(
      error.message
        == "“lamp” matches several devices: desk.2, desk.3. Choose one by its id.")
  }

  @Test func playbackUsesTheFirstSystemWithADevice() throws {
    let systems: [any DeviceSystem.Type] = [Broken.self, Empty.self, ThreeDevices.self]
    #expect(
      try DeviceSystems.preferredDevices(for: .playback, among: systems).system.backend == .alsa)
    let errors: [DeviceError] = [
      .noServer(backend: .pipeWire, reason: "test"),
      .noDevice(for: .playback, backend: .pulseAudio),
    ]
    #expect(throws: DeviceError.nothingUsable(for: .playback, errors)) {
      _ = try DeviceSystems.preferredDevices(for: .playback, among: Array(systems.prefix(2)))
    }
    #expect(try DeviceSystems.output(called: "desk", among: systems).id == "desk.1")
    #expect(throws: DeviceError.unknownDevice(id: "chair", backend: .pulseAudio)) {
      _ = try DeviceSystems.output(called: "chair", among: systems)
    }
    #expect(throws: DeviceError.nothingUsable(for: .playback, [errors[0]], device: "chair")) {
      _ = try DeviceSystems.output(called: "chair", among: Array(systems.prefix(1)))
    }
    let silent = SyntheticSystem.silentOutput
    #expect(try DeviceSystems.output(called: silent.id, among: systems).id == silent.id)
    #expect(try DeviceSystems.output(called: silent.name, among: systems).id == silent.id)
  }

  /// A system that does not respond.
  private enum Broken: ListedSystem {
    static let backend = DeviceBackend.pipeWire
    static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
      throw .noServer(backend: backend, reason: "test")
    }
    static func devices(for direction: DeviceDirection) -> [Device] { [] }
  }

  /// A system without devices.
  private enum Empty: ListedSystem {
    static let backend = DeviceBackend.pulseAudio
    static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {}
    static func devices(for direction: DeviceDirection) -> [Device] { [] }
  }

  /// A system with three devices.
  private enum ThreeDevices: ListedSystem {
    static let backend = DeviceBackend.alsa
    static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {}
    static func devices(for direction: DeviceDirection) -> [Device] {
      [
        Device(backend: .alsa, id: "desk.1", name: "Desk"),
        Device(backend: .alsa, id: "desk.2", name: "Lamp left"),
        Device(backend: .alsa, id: "desk.3", name: "Lamp right"),
      ]
    }
  }
}

/// A system that only lists devices.
private protocol ListedSystem: DeviceSystem {}

extension ListedSystem {
  static func makeSource(_ request: CaptureRequest) throws(DeviceError) -> any CaptureSource {
    throw .noDevice(for: .capture, backend: backend)
  }

  static func makeTarget(_ request: PlaybackRequest) throws(DeviceError) -> any PlaybackTarget {
    throw .noDevice(for: .playback, backend: backend)
  }

  static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? { nil }
}
