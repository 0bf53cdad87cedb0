/// Implements the calls of the audio session.
extension SimulatedPhone {
  /// Records a call, which fails while the audio service is unavailable.
  private static func begin(
    _ name: String, _ text: String, _ content: inout Content
  ) throws(SimulatedError) {
    content.calls.append(text.isEmpty ? name : "\(name) \(text)")
    if content.isServiceLost { throw .code(SimulatedSessionError.mediaServicesFailed) }
  }

  /// Records a call that sets a preference, and applies it.
  private static func prefer(
    _ name: String, _ text: String,
    _ change: (inout Content) throws(SimulatedError) -> Void
  ) throws(SimulatedError) {
    try content.change { content throws(SimulatedError) in
      try begin(name, text, &content)
      try change(&content)
    }
  }

  private static func refuse(_ isRefused: Bool, _ code: Int) throws(SimulatedError) {
    if isRefused { throw .code(code) }
  }

  package static func setCategory(
    _ category: String, mode: String, options: UInt
  ) throws(SimulatedError) {
    let hasChanged = try content.change { content throws(SimulatedError) in
      var wanted = content.session
      wanted.category = category
      wanted.mode = mode
      // Options that duck others or interrupt speech imply mixing, and are reported with that
      // option.
      wanted.options = options & 0x12 != 0 ? options | 0x1 : options
      try begin(
        "setCategory", "\(wanted.shortCategory) \(wanted.shortMode) \(options)", &content)
      try refuse(!allows(wanted), SimulatedSessionError.badParameter)
      let before = (content.input, content.output)
      let isOther = wanted != content.session
      content.session = wanted
      return isOther && (before.0 != content.input || before.1 != content.output)
    }
    if hasChanged { postRouteChange(.category) }
  }

  /// Whether the category allows the options and the mode, as AVAudioSessionTypes.h documents.
  private static func allows(_ session: SimulatedSession) -> Bool {
    let category = session.shortCategory
    let isForBoth = category == "PlayAndRecord"
    let options = session.options
    if options & 0x13 != 0 && !["PlayAndRecord", "Playback", "MultiRoute"].contains(category) {
      return false
    }
    if options & 0x80 != 0 && !session.captures { return false }
    if options & 0x4 != 0 && !["PlayAndRecord", "Record"].contains(category) { return false }
    if options & 0x8 != 0 && !isForBoth { return false }
    if options & 0x20 != 0 && ["Record", "MultiRoute"].contains(category) { return false }
    if options & 0x40 != 0 && !isForBoth { return false }
    if options & 1 << 19 != 0 && (!isForBoth || session.shortMode != "Default") { return false }
    return switch session.shortMode {
    case "VoiceChat", "VideoChat", "GameChat": isForBoth
    case "VideoRecording": isForBoth || category == "Record"
    case "Measurement": isForBoth || category == "Record" || category == "Playback"
    default: true
    }
  }

  package static func setActive(_ isActive: Bool, options: UInt) throws(SimulatedError) {
    let notifies = options & 1 != 0
    try content.change { content throws(SimulatedError) in
      try begin("setActive", isActive ? "true" : notifies ? "false notify" : "false", &content)
      guard isActive else {
        content.session.isActive = false
        // Other apps are notified to resume only if the caller requests it.
        if notifies && content.music == .paused { content.music = .playing }
        return
      }
      try refuse(content.isInCall, SimulatedSessionError.insufficientPriority)
      try refuse(
        content.isInBackground && !content.session.mixes && content.music == .playing,
        SimulatedSessionError.cannotInterruptOthers)
      content.session.isActive = true
      if !content.session.mixes && content.music == .playing { content.music = .paused }
    }
    if isActive { return }
    let running = SimulatedUnits.running
    for unit in running { unit.halt() }
    if !running.isEmpty { throw .code(SimulatedSessionError.isBusy) }
  }

  package static func setPreferredSampleRate(_ rate: Double) throws(SimulatedError) {
    try prefer("setPreferredSampleRate", "\(Int(rate))") { content throws(SimulatedError) in
      try refuse(
        !(rate == 0 || (8000...192_000).contains(rate)), SimulatedSessionError.badParameter)
      content.session.preferredSampleRate = rate
    }
  }

  package static func setPreferredBlockDuration(_ seconds: Double) throws(SimulatedError) {
    try prefer("setPreferredIOBufferDuration", "") { content throws(SimulatedError) in
      try refuse(!(seconds >= 0), SimulatedSessionError.badParameter)
      content.session.preferredBlockDuration = seconds
    }
  }

  package static func setPreferredInput(_ id: String?) throws(SimulatedError) {
    let hasChanged = try content.change { content throws(SimulatedError) in
      try begin("setPreferredInput", id ?? "nil", &content)
      let isPresent = id == nil || (content.availableInputs ?? []).contains { $0.id == id }
      try refuse(!isPresent, SimulatedSessionError.badParameter)
      let before = content.input
      content.session.preferredInputID = id
      return before != content.input
    }
    if hasChanged { postRouteChange(.override) }
  }

  package static func setPreferredInputChannelCount(_ count: Int) throws(SimulatedError) {
    try prefer("setPreferredInputNumberOfChannels", "\(count)") { content throws(SimulatedError) in
      // The call fails unless the session is active and the input has enough channels.
      let isPossible = content.session.isActive && count <= 2
      try refuse(!isPossible, SimulatedSessionError.badParameter)
      content.session.preferredInputChannelCount = count
    }
  }

  package static func setPreferredOrientation(_ orientation: Int) throws(SimulatedError) {
    try prefer("setPreferredInputOrientation", "\(orientation)") {
      $0.session.preferredOrientation = orientation
    }
  }

  package static func setPreferredSource(_ name: String?, of port: String) throws(SimulatedError) {
    try prefer("setPreferredDataSource", name ?? "nil") { $0.session.preferredSource[port] = name }
  }

  package static func setPreferredPattern(
    _ pattern: String?, of source: SimulatedPort.Source
  ) throws(SimulatedError) {
    try prefer("setPreferredPolarPattern", pattern ?? "nil") { content throws(SimulatedError) in
      let isSupported = pattern.map { source.patterns.contains($0) } ?? true
      try refuse(!isSupported, SimulatedSessionError.badParameter)
      content.session.preferredPattern[source.name] = pattern
    }
  }

  package static func setAvoidsAlerts(_ avoidsAlerts: Bool) throws(SimulatedError) {
    try prefer("setPrefersNoInterruptionsFromSystemAlerts", "\(avoidsAlerts)") {
      $0.session.avoidsAlerts = avoidsAlerts
    }
  }

  package static func setAllowsHaptics(_ allowsHaptics: Bool) throws(SimulatedError) {
    try prefer("setAllowHapticsAndSystemSoundsDuringRecording", "\(allowsHaptics)") {
      $0.session.allowsHaptics = allowsHaptics
    }
  }

  package static func setInputGain(_ gain: Float) throws(SimulatedError) {
    try prefer("setInputGain", "\(gain)") { content throws(SimulatedError) in
      try refuse(
        !(0...1).contains(gain) || !content.hasInputGain, SimulatedSessionError.badParameter)
      content.session.inputGain = gain
    }
  }

  // MARK: Units

  /// Activates the session for a unit; returns its error code, or 0.
  package static func startUnit(captures: Bool) -> Int32 {
    content.change { content in
      if content.isServiceLost { return Int32(SimulatedSessionError.mediaServicesFailed) }
      if content.unitChanges.startStatus != 0 { return content.unitChanges.startStatus }
      if content.isInCall { return Int32(SimulatedSessionError.insufficientPriority) }
      if captures && (!content.session.captures || content.isInBackground) {
        return Int32(SimulatedSessionError.cannotStartRecording)
      }
      content.session.isActive = true
      return 0
    }
  }

  // MARK: Values of the session

  package static var preferredInput: SimulatedPort? {
    content.change { content in content.inputs.first { $0.id == content.session.preferredInputID } }
  }
  package static var availableInputs: [SimulatedPort]? { content.change { $0.availableInputs } }
  package static var hasInputGain: Bool { content.change { $0.hasInputGain } }
  package static var isInputAvailable: Bool { content.change { !$0.inputs.isEmpty } }
  package static var sampleRate: Double { content.change { $0.sampleRate } }
  package static var inputChannelCount: Int { content.change { $0.inputChannelCount } }
  package static var outputChannelCount: Int { content.change { $0.output?.channelCount ?? 0 } }
  package static var blockDuration: Double {
    content.change { Double($0.blockFrameCount) / $0.sampleRate }
  }
}
