extension SimulatedPhone.Content {
  /// The inputs that the session may choose from; nil where its category takes no sound in.
  var availableInputs: [SimulatedPort]? {
    guard session.captures else { return nil }
    // Only with this option, or in the modes for calls.
    let admitsRadio =
      session.options & 0x4 != 0 || ["VoiceChat", "VideoChat"].contains(session.shortMode)
    return inputs.filter { $0.type != SimulatedPort.bluetoothMicrophone.type || admitsRadio }
  }

  /// The input in use: the preferred one, or else the last that came.
  var input: SimulatedPort? {
    guard let ports = availableInputs else { return nil }
    return ports.first { $0.id == session.preferredInputID } ?? ports.last
  }

  /// The output in use.
  var output: SimulatedPort? {
    guard session.plays else { return nil }
    let isForBoth = session.captures
    let fits = outputs.filter { port in
      switch port.type {
      case SimulatedPort.receiver.type: isForBoth
      case SimulatedPort.bluetoothHeadphones.type: !isForBoth || session.options & 0x20 != 0
      case SimulatedPort.airPlay.type: !isForBoth || session.options & 0x40 != 0
      default: true
      }
    }
    // What was connected comes first; then what the app prefers.
    if let external = fits.last(where: { ![SimulatedPort.receiver, .speaker].contains($0) }) {
      return external
    }
    if isForBoth && session.options & 0x8 == 0 { return fits.first ?? nil }
    return fits.last
  }

  /// The rate of the hardware: the preferred one if the port in use has it.
  var sampleRate: Double {
    guard let rates = (input ?? output)?.sampleRates else { return 48_000 }
    return rates.contains(session.preferredSampleRate)
      ? session.preferredSampleRate : rates.first ?? 48_000
  }

  /// Channels of the input: two only from a microphone that was chosen and set up for that.
  var inputChannelCount: Int {
    guard let input else { return 0 }
    guard input.type == SimulatedPort.builtInMicrophone.type,
      let source = session.preferredSource[input.id],
      session.preferredPattern[source] == "Stereo", session.preferredInputChannelCount >= 2
    else { return input.channelCount }
    return 2
  }

  /// Only a phone's own microphones have a gain here.
  var hasInputGain: Bool { input?.type == SimulatedPort.builtInMicrophone.type }

  /// Blocks are of powers of two, and long while nobody looks.
  var blockFrameCount: Int {
    if let count = unitChanges.blockFrameCount { return count }
    if isLocked { return 4096 }
    let wanted = session.preferredBlockDuration > 0 ? session.preferredBlockDuration : 0.023
    var count = 64
    while Double(count) < wanted * sampleRate && count < 4096 { count *= 2 }
    return count
  }
}

extension SimulatedPhone {
  /// Why a route changes, from AVAudioSessionTypes.h.
  package enum RouteReason: UInt, Sendable {
    case unknown = 0
    case newDevice = 1
    case oldDeviceGone = 2
    case category = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRoute = 7
    case configuration = 8
  }

  /// Connects something.
  package static func connect(input: SimulatedPort? = nil, output: SimulatedPort? = nil) {
    changeRoute(.newDevice) {
      if let input { $0.inputs.append(input) }
      if let output { $0.outputs.append(output) }
    }
  }

  /// Takes something away.
  package static func disconnect(_ port: SimulatedPort) {
    changeRoute(.oldDeviceGone) { content in
      content.inputs.removeAll { $0 == port }
      content.outputs.removeAll { $0 == port }
      if content.session.preferredInputID == port.id { content.session.preferredInputID = nil }
    }
  }

  /// Takes all microphones away, as of a device that has none but a headset's.
  package static func removeInputs() {
    changeRoute(.noSuitableRoute) { $0.inputs = [] }
  }

  /// Has a port run at another rate.
  package static func setRates(_ rates: [Double], of port: SimulatedPort) {
    changeRoute(.configuration) { content in
      for index in content.inputs.indices where content.inputs[index].id == port.id {
        content.inputs[index].sampleRates = rates
      }
    }
  }

  /// Changes something, and tells that the route has changed.
  static func changeRoute(_ reason: RouteReason, _ change: (inout Content) -> Void) {
    content.change { change(&$0) }
    tellRoute(reason)
  }

  static func tellRoute(_ reason: RouteReason) {
    SimulatedNotices.post(
      "AVAudioSessionRouteChangeNotification",
      ["AVAudioSessionRouteChangeReasonKey": reason.rawValue])
  }
}
