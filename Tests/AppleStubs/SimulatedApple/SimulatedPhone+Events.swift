extension SimulatedPhone {
  // MARK: Interruptions

  /// A call comes in: the session ends, with all units that run, and the app is told.
  ///
  /// Other apps' music is silent as well.
  package static func call(reason: UInt? = 0) {
    interrupt(reason: reason) {
      $0.isInCall = true
      if $0.music == .playing { $0.music = .interrupted }
    }
  }

  /// A call rings as a banner, and the person declines it: a session that does not avoid alerts is
  /// interrupted nevertheless.
  package static func ringAndDecline() {
    if session.avoidsAlerts { return }
    call()
    hangUp()
  }

  /// A cover is closed over the microphones: they are muted, which interrupts a session unless it has
  /// chosen otherwise.
  package static func closeCover() {
    if session.options & 0x80 == 0 { interrupt(reason: 2) }
  }

  /// The call ends.
  ///
  /// Nobody promises that the app is told (`telling`), nor that it should go on. Music goes on that
  /// was silenced by the call, and not what the app's own session had silenced before.
  package static func hangUp(telling: Bool = true, shouldResume: Bool = true) {
    content.change {
      $0.isInCall = false
      if $0.music == .interrupted { $0.music = .playing }
    }
    if telling { endInterruption(shouldResume: shouldResume) }
  }

  /// Tells of the end of an interruption.
  package static func endInterruption(shouldResume: Bool) {
    SimulatedNotices.post(
      "AVAudioSessionInterruptionNotification",
      [
        "AVAudioSessionInterruptionTypeKey": UInt(0),
        "AVAudioSessionInterruptionOptionKey": UInt(shouldResume ? 1 : 0),
      ])
  }

  /// Interrupts the app without anything else having the sound, as when a device goes away.
  package static func interrupt(reason: UInt?) {
    interrupt(reason: reason) { _ in }
  }

  /// Interrupts the app, which is told only if its session was active or its units ran.
  private static func interrupt(reason: UInt?, _ change: (inout Content) -> Void) {
    let wasActive = content.change { content in
      change(&content)
      defer { content.session.isActive = false }
      return content.session.isActive
    }
    let running = SimulatedUnits.running
    for unit in running { unit.halt() }
    guard wasActive || !running.isEmpty else { return }
    var contents: [String: any Sendable] = ["AVAudioSessionInterruptionTypeKey": UInt(1)]
    if let reason { contents["AVAudioSessionInterruptionReasonKey"] = reason }
    SimulatedNotices.post("AVAudioSessionInterruptionNotification", contents)
  }

  // MARK: The service

  /// The audio service dies, and with it everything that was made from it and the session's setup.
  package static func loseMediaServices() {
    content.change {
      $0.isServiceLost = true
      $0.session = SimulatedSession()
    }
    for unit in SimulatedUnits.open { unit.orphan() }
    SimulatedNotices.post("AVAudioSessionMediaServicesWereLostNotification")
  }

  /// It is back.
  package static func resetMediaServices() {
    content.change {
      $0.isServiceLost = false
      $0.session = SimulatedSession()
    }
    for unit in SimulatedUnits.open { unit.orphan() }
    SimulatedNotices.post("AVAudioSessionMediaServicesWereResetNotification")
  }

  // MARK: The person

  /// Decides about the microphone, without being asked or in answer.
  package static func answer(_ isGranted: Bool) {
    let questions = content.change { content in
      content.permission = isGranted ? .granted : .denied
      defer { content.questions = [] }
      return content.questions
    }
    for question in questions { question(isGranted) }
  }

  /// Forgets the answer, as for an app that was just installed.
  package static func forgetAnswer() {
    content.change { $0.permission = .undetermined }
  }

  /// Asks; the answer comes later, unless there is one.
  package static func ask(_ answer: @escaping @Sendable (Bool) -> Void) {
    let known: Bool? = content.change { content in
      switch content.permission {
      case .granted: return true
      case .denied: return false
      case .undetermined:
        content.questions.append(answer)
        return nil
      }
    }
    if let known { answer(known) }
  }

  /// Leaves the app for another, and comes back.
  package static func setInBackground(_ isInBackground: Bool) {
    content.change { $0.isInBackground = isInBackground }
    SimulatedNotices.post(
      isInBackground
        ? "UIApplicationDidEnterBackgroundNotification" : "UIApplicationDidBecomeActiveNotification"
    )
  }

  /// Darkens the screen, or wakes it.
  package static func lock(_ isLocked: Bool) {
    content.change { $0.isLocked = isLocked }
  }

  /// Starts the music of another app.
  package static func playMusic() {
    content.change { $0.music = $0.isInCall ? .interrupted : .playing }
  }

  // MARK: What goes wrong

  /// Has the next call of this name fail; 0 ends that.
  package static func fail(_ call: String, with code: Int) {
    content.change { $0.failures[call] = code == 0 ? nil : code }
  }

  /// Changes how units fail.
  package static func changeUnits(_ change: (inout SimulatedUnitChanges) -> Void) {
    content.change { change(&$0.unitChanges) }
  }

  /// How units fail.
  package static var unitChanges: SimulatedUnitChanges { content.change(\.unitChanges) }
}
