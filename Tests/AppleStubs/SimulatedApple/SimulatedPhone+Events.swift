extension SimulatedPhone {
  // MARK: Interruptions

  /// Simulates an incoming call: deactivates the session, stops all running units and notifies the
  /// app.
  ///
  /// Another app's music is interrupted as well.
  package static func call(reason: UInt? = 0) {
    interrupt(reason: reason) {
      $0.isInCall = true
      if $0.music == .playing { $0.music = .interrupted }
    }
  }

  /// Simulates a call that rings as a banner, and that the user declines.
  ///
  /// A session is interrupted nevertheless, unless it avoids alerts.
  package static func ringAndDecline() {
    if session.avoidsAlerts { return }
    call()
    hangUp()
  }

  /// Closes a cover over the microphones.
  ///
  /// This mutes them and interrupts the session, unless its options prevent that.
  package static func closeCover() {
    if session.options & 0x80 == 0 { interrupt(reason: 2) }
  }

  /// Ends the call.
  ///
  /// The system guarantees neither a notification (`notifying`) nor the option to resume
  /// (`shouldResume`). Music resumes if the call interrupted it, but not if the app's session did.
  package static func hangUp(notifying: Bool = true, shouldResume: Bool = true) {
    content.change {
      $0.isInCall = false
      if $0.music == .interrupted { $0.music = .playing }
    }
    if notifying { endInterruption(shouldResume: shouldResume) }
  }

  /// Posts the notification that an interruption has ended.
  package static func endInterruption(shouldResume: Bool) {
    SimulatedNotifications.post(
      "AVAudioSessionInterruptionNotification",
      [
        "AVAudioSessionInterruptionTypeKey": UInt(0),
        "AVAudioSessionInterruptionOptionKey": UInt(shouldResume ? 1 : 0),
      ])
  }

  /// Interrupts the app although no other app or call takes the audio, as when a device is
  /// disconnected.
  package static func interrupt(reason: UInt?) {
    interrupt(reason: reason) { _ in }
  }

  /// Interrupts the app, which is notified only if its session was active or its units ran.
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
    SimulatedNotifications.post("AVAudioSessionInterruptionNotification", contents)
  }

  // MARK: The service

  /// Ends the audio service, all objects created from it, and the setup of the session.
  package static func loseMediaServices() {
    content.change {
      $0.isServiceLost = true
      $0.session = SimulatedSession()
    }
    for unit in SimulatedUnits.open { unit.orphan() }
    SimulatedNotifications.post("AVAudioSessionMediaServicesWereLostNotification")
  }

  /// Restarts the audio service.
  package static func resetMediaServices() {
    content.change {
      $0.isServiceLost = false
      $0.session = SimulatedSession()
    }
    for unit in SimulatedUnits.open { unit.orphan() }
    SimulatedNotifications.post("AVAudioSessionMediaServicesWereResetNotification")
  }

  // MARK: The user

  /// Sets the permission for the microphone, and answers the pending questions of the app.
  package static func answer(_ isGranted: Bool) {
    let questions = content.change { content in
      content.permission = isGranted ? .granted : .denied
      defer { content.questions = [] }
      return content.questions
    }
    for question in questions { question(isGranted) }
  }

  /// Resets the permission, as for a newly installed app.
  package static func discardAnswer() {
    content.change { $0.permission = .undetermined }
  }

  /// Prompts the user.
  ///
  /// Calls `answer` after the user's decision, or immediately if the user has decided before.
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

  /// Moves the app to the background or back to the foreground.
  package static func setInBackground(_ isInBackground: Bool) {
    content.change { $0.isInBackground = isInBackground }
    SimulatedNotifications.post(
      isInBackground
        ? "UIApplicationDidEnterBackgroundNotification" : "UIApplicationDidBecomeActiveNotification"
    )
  }

  /// Turns the screen off or on.
  package static func lock(_ isLocked: Bool) {
    content.change { $0.isLocked = isLocked }
  }

  package static func playMusic() {
    content.change { $0.music = $0.isInCall ? .interrupted : .playing }
  }

  // MARK: Failures

  /// Changes the simulated failures of units.
  package static func changeUnits(_ change: (inout SimulatedUnitChanges) -> Void) {
    content.change { change(&$0.unitChanges) }
  }

  /// The simulated failures of units.
  package static var unitChanges: SimulatedUnitChanges { content.change(\.unitChanges) }
}
