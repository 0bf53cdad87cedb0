import SimulatedApple

/// The machine that a unit runs on.
protocol SimulatedHardware: Sendable {
  /// Returns the current source or destination of audio, or nil if none is connected.
  func endpoint(_ side: UnitSide) -> SimulatedEndpoint?
  /// Starts the hardware; returns an error code, or 0.
  func start(captures: Bool) -> Int32
  /// Whether the input is converted to the program's sample rate, as on phones.
  var convertsInputRate: Bool { get }
}

/// The sides of a unit; the raw values are the numbers of its elements.
enum UnitSide: UInt32, Sendable, CaseIterable {
  case output = 0
  case input = 1
}

/// The device or port connected to a side of a unit.
struct SimulatedEndpoint: Sendable, Equatable {
  var id: String
  var sampleRate: Double
  var channelCount: Int
  var blockFrameCount: Int
  /// The seconds that its clock counts in one second.
  var pace = 1.0
}

/// The hardware of a phone, from the state of its session.
struct PhoneHardware: SimulatedHardware {
  var convertsInputRate: Bool { true }

  func endpoint(_ side: UnitSide) -> SimulatedEndpoint? {
    switch side {
    case .input:
      SimulatedPhone.input.map {
        SimulatedEndpoint(
          id: $0.id, sampleRate: SimulatedPhone.sampleRate,
          channelCount: SimulatedPhone.inputChannelCount,
          blockFrameCount: SimulatedPhone.blockFrameCount)
      }
    case .output:
      SimulatedPhone.output.map {
        SimulatedEndpoint(
          id: $0.id, sampleRate: SimulatedPhone.sampleRate, channelCount: $0.channelCount,
          blockFrameCount: SimulatedPhone.blockFrameCount)
      }
    }
  }

  func start(captures: Bool) -> Int32 { SimulatedPhone.startUnit(captures: captures) }
}

/// The hardware of a Mac, with a device for each side.
struct MacHardware: SimulatedHardware {
  var devices: [UnitSide: UInt32]

  var convertsInputRate: Bool { false }

  func endpoint(_ side: UnitSide) -> SimulatedEndpoint? {
    let number =
      devices[side]
      ?? (side == .input ? SimulatedMac.defaultInput : SimulatedMac.defaultOutput)
    guard let device = SimulatedMac.device(number) else { return nil }
    let channelCount = side == .input ? device.inputChannelCount : device.outputChannelCount
    guard channelCount > 0 else { return nil }
    return SimulatedEndpoint(
      id: device.id, sampleRate: device.sampleRate, channelCount: channelCount,
      blockFrameCount: device.blockFrameCount, pace: device.pace)
  }

  func start(captures: Bool) -> Int32 {
    let status = SimulatedPhone.unitChanges.startStatus
    if status != 0 { return status }
    guard let device = endpoint(captures ? .input : .output) else { return UnitStatus.badDevice }
    return SimulatedMac.isHogged(device.id) ? UnitStatus.hogged : 0
  }
}

/// Result codes of calls, from AUComponent.h and AudioHardwareBase.h.
package enum UnitStatus {
  package static let parameter: Int32 = -50
  package static let initialized: Int32 = -10_849
  package static let invalidValue: Int32 = -10_851
  package static let cannotDoInCurrentContext: Int32 = -10_863
  package static let notWritable: Int32 = -10_865
  package static let invalidScope: Int32 = -10_866
  package static let uninitialized: Int32 = -10_867
  package static let format: Int32 = -10_868
  package static let tooManyFrames: Int32 = -10_874
  package static let failedInitialization: Int32 = -10_875
  package static let invalidElement: Int32 = -10_877
  package static let invalidProperty: Int32 = -10_879
  package static let badDevice = status("!dev")
  package static let badObject = status("!obj")
  package static let hogged = status("!hog")
  package static let unknownProperty = status("who?")
  package static let badSize = status("!siz")
  package static let serviceFailed = status("msrv")
}
