extension SimulatedPhone.Content {
  /// The inputs that the session may choose from; nil if its category has no input.
  var availableInputs: [SimulatedPort]? {
    guard session.captures else { return nil }
    // Bluetooth microphones are available only with the option 0x4, `allowBluetoothHFP`, or in the
    // modes for calls.
    let admitsRadio =
      session.options & 0x4 != 0 || ["VoiceChat", "VideoChat"].contains(session.shortMode)
    return inputs.filter { $0.type != SimulatedPort.bluetoothMicrophone.type || admitsRadio }
  }

  /// The current input: the preferred one, or else the last one connected.
  var input: SimulatedPort? {
    guard let ports = availableInputs else { return nil }
    return ports.first { $0.id == session.preferredInputID } ?? ports.last
  }

  /// The current output.
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
    // The last connected device comes first, then the preference of the app.
    if let external = fits.last(where: { ![SimulatedPort.receiver, .speaker].contains($0) }) {
      return external
    }
    if isForBoth && session.options & 0x8 == 0 { return fits.first ?? nil }
    return fits.last
  }

  /// The sample rate of the hardware: the preferred rate if the current port supports it.
  var sampleRate: Double {
    guard let rates = (input ?? output)?.sampleRates else { return 48_000 }
    return rates.contains(session.preferredSampleRate)
      ? session.preferredSampleRate : rates.first ?? 48_000
  }

  /// The number of input channels: two only for a built-in microphone selected with a stereo
  /// pattern.
  var inputChannelCount: Int {
    guard let input else { return 0 }
    guard input.type == SimulatedPort.builtInMicrophone.type,
      let source = session.preferredSource[input.id],
      session.preferredPattern[source] == "Stereo", session.preferredInputChannelCount >= 2
    else { return input.channelCount }
    return 2
  }

  /// Whether the input has a gain; only built-in microphones do in the simulation.
  var hasInputGain: Bool { input?.type == SimulatedPort.builtInMicrophone.type }

  /// The frames in a block: a power of two, and 4,096 while the screen is off.
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
  /// The reason for a change of route, from AVAudioSessionTypes.h.
  package enum RouteReason: UInt, Sendable {
    case newDevice = 1
    case oldDeviceGone = 2
    case category = 3
    case override = 4
    case noSuitableRoute = 7
    case configuration = 8
  }

  /// Connects an input, an output or both.
  package static func connect(input: SimulatedPort? = nil, output: SimulatedPort? = nil) {
    changeRoute(.newDevice) {
      if let input { $0.inputs.append(input) }
      if let output { $0.outputs.append(output) }
    }
  }

  package static func disconnect(_ port: SimulatedPort) {
    changeRoute(.oldDeviceGone) { content in
      content.inputs.removeAll { $0 == port }
      content.outputs.removeAll { $0 == port }
      if content.session.preferredInputID == port.id { content.session.preferredInputID = nil }
    }
  }

  /// Removes all microphones, as on a device that has only the microphone of a headset.
  package static func removeInputs() {
    changeRoute(.noSuitableRoute) { $0.inputs = [] }
  }

  /// Changes the sample rates that a port supports.
  package static func setRates(_ rates: [Double], of port: SimulatedPort) {
    changeRoute(.configuration) { content in
      for index in content.inputs.indices where content.inputs[index].id == port.id {
        content.inputs[index].sampleRates = rates
      }
    }
  }

  /// Applies `change` and posts a notification that the route has changed.
  static func changeRoute(_ reason: RouteReason, _ change: (inout Content) -> Void) {
    content.change { change(&$0) }
    postRouteChange(reason)
  }

  static func postRouteChange(_ reason: RouteReason) {
    SimulatedNotifications.post(
      "AVAudioSessionRouteChangeNotification",
      ["AVAudioSessionRouteChangeReasonKey": reason.rawValue])
  }
}
