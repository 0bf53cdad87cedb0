import AacornDevices
import Testing

/// Matching of a name that a user enters with a device.
@Suite struct DeviceMatchTests {
  private static let devices = [
    CaptureDevice(backend: .alsa, id: "hw:0,0", name: "Built-in Audio"),
    CaptureDevice(backend: .alsa, id: "hw:1,0", name: "USB Microphone"),
    CaptureDevice(backend: .alsa, id: "hw:2,0", name: "USB microphone"),
    CaptureDevice(backend: .alsa, id: "hw:3,0", name: "USB Mixer 8"),
    CaptureDevice(backend: .alsa, id: "hw:4,0", name: "Twin"),
    CaptureDevice(backend: .alsa, id: "hw:5,0", name: "Twin"),
    CaptureDevice(backend: .alsa, id: "Twin", name: "An id that is a name"),
  ]

  static let names: [(text: String, id: String)] = [
    ("hw:1,0", "hw:1,0"), ("Built-in Audio", "hw:0,0"), ("built-IN audio", "hw:0,0"),
    ("USB Microphone", "hw:1,0"), ("USB microphone", "hw:2,0"), ("usb mix", "hw:3,0"),
    ("Built", "hw:0,0"), ("Twin", "Twin"),
  ]

  @Test(arguments: names)
  func idsAndNamesChooseADevice(text: String, id: String) {
    #expect(Self.match(text).map(\.id) == [id])
  }

  @Test func ambiguousNameMatchesSeveralDevices() {
    #expect(Self.match("usb MICROPHONE").map(\.id) == ["hw:1,0", "hw:2,0"])
    #expect(Self.match("usb").map(\.id) == ["hw:1,0", "hw:2,0", "hw:3,0"])
    #expect(Self.match("TWIN").map(\.id) == ["hw:4,0", "hw:5,0"])
  }

  @Test(arguments: ["", "Audio", "hw:1", "USB Microphone 2"])
  func otherTextsChooseNothing(text: String) {
    #expect(DeviceMatch(text, among: Self.devices) == .nothing)
  }

  @Test func systemsAreSearchedInOrder() throws {
    let found = try CaptureSystems.device(
      called: "desk", among: [Broken.self, Empty.self, ThreeDevices.self])
    #expect(found.id == "desk.1")
    #expect(found.skippedErrors.count == 2)
    let byID = try CaptureSystems.device(called: "desk.2", among: [ThreeDevices.self])
    #expect(byID.id == "desk.2" && byID.skippedErrors.isEmpty)
    #expect(throws: CaptureError.ambiguousDevice(name: "lamp", ids: ["desk.2", "desk.3"])) {
      _ = try CaptureSystems.device(called: "lamp", among: [Broken.self, ThreeDevices.self])
    }
    #expect(throws: CaptureError.unknownDevice(id: "chair", backend: .alsa)) {
      _ = try CaptureSystems.device(called: "chair", among: [Broken.self, ThreeDevices.self])
    }
    let error = CaptureError.ambiguousDevice(name: "lamp", ids: ["desk.2", "desk.3"])
    #expect(
      error.message
        == "“lamp” matches several devices: desk.2, desk.3. Choose one by its id.")
  }

  private static func match(_ text: String) -> [CaptureDevice] {
    switch DeviceMatch(text, among: devices) {
    case .nothing: []
    case .one(let device): [device]
    case .several(let devices): devices
    }
  }

  /// A system that does not respond.
  private enum Broken: ListedSystem {
    static let backend = CaptureBackend.pipeWire
    static func checkAvailability() throws(CaptureError) {
      throw .noServer(backend: backend, reason: "test")
    }
    static func devices() throws(CaptureError) -> [CaptureDevice] { [] }
  }

  /// A system without devices.
  private enum Empty: ListedSystem {
    static let backend = CaptureBackend.pulseAudio
    static func checkAvailability() throws(CaptureError) {}
    static func devices() throws(CaptureError) -> [CaptureDevice] { [] }
  }

  /// A system with three devices.
  private enum ThreeDevices: ListedSystem {
    static let backend = CaptureBackend.alsa
    static func checkAvailability() throws(CaptureError) {}
    static func devices() throws(CaptureError) -> [CaptureDevice] {
      [
        CaptureDevice(backend: .alsa, id: "desk.1", name: "Desk"),
        CaptureDevice(backend: .alsa, id: "desk.2", name: "Lamp left"),
        CaptureDevice(backend: .alsa, id: "desk.3", name: "Lamp right"),
      ]
    }
  }
}

/// A system that only lists devices.
private protocol ListedSystem: CaptureSystem {}

extension ListedSystem {
  static func makeSource(_ request: CaptureRequest) throws(CaptureError) -> any CaptureSource {
    throw .noDevice(backend: backend)
  }

  static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? { nil }
}
