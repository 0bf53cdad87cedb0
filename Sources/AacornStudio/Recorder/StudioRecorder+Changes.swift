import AacornDevices
import AacornRecording
import AacornSystem

// Changes while audio is open, and monitoring without recording. All methods run on the worker's thread.
extension StudioRecorder {
  // MARK: - Changes

  func mute(_ form: FormFields) throws(StudioRefusal) {
    guard let isMuted = try form.flag("muted") else {
      throw .impossible("The field “muted” is missing. Send true or false.")
    }
    try recording().session.setMuted(isMuted)
    board.change { $0.isMuted = isMuted }
  }

  /// Starts or stops playing the input on the default output.
  ///
  /// The form's gain is the gain of this monitor.
  func hear(_ form: FormFields) throws(StudioRefusal) {
    guard let isOn = try form.flag("on") else {
      throw .impossible("The field “on” is missing. Send true or false.")
    }
    guard let session = active.withLock({ $0 })?.session else {
      throw StudioRefusal(409, "No device is open, so there is no input to monitor.")
    }
    let volume = Gain.factor(decibels: try form.gain() ?? 0)
    let isHeard = session.monitorStatus != nil
    if isOn && isHeard {
      session.setMonitorVolume(volume)
    } else if isOn != isHeard {
      session.setMonitor(isOn ? MonitorConfiguration(volume: volume) : nil)
    }
    let isPlaying = session.monitorStatus != nil
    board.change { $0.isHeard = isPlaying }
  }

  func changeGain(_ form: FormFields) throws(StudioRefusal) {
    guard let gain = try form.gain() else { throw .impossible("The field “gain” is missing.") }
    active.withLock { $0 }?.session.setGain(Gain.factor(decibels: gain))
    board.change { $0.wish.gain = gain }
  }

  /// Changes the effects of the input.
  ///
  /// Without an open device it only checks whether the effects can be created.
  func changeEffects(_ form: FormFields) throws(StudioRefusal) {
    let wish = try EffectWish(form["effects"] ?? "")
    if let session = active.withLock({ $0 })?.session {
      do throws(EffectError) {
        try session.setEffects(wish.effects)
      } catch {
        throw StudioRefusal(error)
      }
    } else {
      try wish.check()
    }
    board.change { $0.wish.effects = wish }
  }

  /// Sets whether a recording bypasses its effects.
  func bypass(_ form: FormFields) throws(StudioRefusal) {
    guard let isBypassed = try form.flag("bypassed") else {
      throw .impossible("The field “bypassed” is missing. Send true or false.")
    }
    try recording().session.setBypassed(isBypassed)
    board.change { $0.isBypassed = isBypassed }
  }

  func changeDevice(_ form: FormFields) throws(StudioRefusal) {
    guard let active = active.withLock({ $0 }) else {
      throw StudioRefusal(409, "No device is open, so there is nothing to switch.")
    }
    var wish = active.plan.wish
    let other = try RecordingWish(form)
    (wish.device, wish.backend) = (other.device, other.backend)
    active.session.switchSource(to: try source(wish, active.plan))
    if !active.isListening {
      board.change { ($0.wish.device, $0.wish.backend) = (wish.device, wish.backend) }
    }
  }

  // MARK: - Listening

  func listen(_ form: FormFields) throws(StudioRefusal) {
    guard let isOn = try form.flag("on") else {
      throw .impossible("The field “on” is missing. Send true or false.")
    }
    if isRecording {
      if isOn { throw StudioRefusal(409, "The levels of the current recording are shown.") }
      return
    }
    if !isOn { return endListening() }
    let wish = try RecordingWish(form)
    let plan = RecordingPlan(listeningTo: wish)
    let source = try source(wish, plan)
    endListening()
    board.change { $0.phase = .opening }
    let outputs = OutputNews(plan.redactor) { _ in }
    let listening = activate(plan, nil, outputs) { [weak self] in self?.concludeByItself() }
    do throws(RecordingError) {
      try listening.start(source)
    } catch {
      board.change { $0.phase = .idle }
      throw StudioRefusal(error)
    }
    active.withLock { $0 = listening }
    pulse.follow(listening)
    board.change { $0.phase = .listening }
  }

  /// Ends monitoring without recording, if it is active.
  func endListening() {
    guard let active = active.withLock({ $0 }), active.isListening else { return }
    pulse.follow(nil)
    _ = active.stop()
    self.active.withLock { $0 = nil }
    board.change { state in
      if state.phase == .listening || state.phase == .opening { state.phase = .idle }
      state.isHeard = false
    }
  }
}
