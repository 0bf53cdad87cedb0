import AacornDevices
import AacornRecording
import AacornSystem

// Changes while audio is open, and monitoring without recording. All methods run on the worker's
// thread.
extension StudioRecorder {
  // MARK: - Changes

  func mute(_ form: FormFields) throws(StudioError) {
    let isMuted = try form.flag("muted")
    try recording().session.setMuted(isMuted)
    statusStore.change { $0.isMuted = isMuted }
  }

  /// Starts or stops playing the input on the default output.
  ///
  /// The form's gain applies to the monitor output.
  func monitor(_ form: FormFields) throws(StudioError) {
    let isOn = try form.flag("on")
    guard let session = active.withLock({ $0 })?.session else {
      throw StudioError(409, "No device is open, so there is no input to monitor.")
    }
    let volume = Gain.factor(decibels: try form.gain() ?? 0)
    let isMonitored = session.monitorStatus != nil
    if isOn && isMonitored {
      session.setMonitorVolume(volume)
    } else if isOn != isMonitored {
      session.setMonitor(isOn ? MonitorConfiguration(volume: volume) : nil)
    }
    let isPlaying = session.monitorStatus != nil
    statusStore.change { $0.isMonitored = isPlaying }
  }

  func changeGain(_ form: FormFields) throws(StudioError) {
    guard let gain = try form.gain() else { throw .impossible("The field “gain” is missing.") }
    active.withLock { $0 }?.session.setGain(Gain.factor(decibels: gain))
    statusStore.change { $0.request.gain = gain }
  }

  /// Changes the effects of the input.
  ///
  /// Without an open device it only checks whether the effects can be created.
  func changeEffects(_ form: FormFields) throws(StudioError) {
    let request = try EffectRequest(form["effects"] ?? "")
    if let session = active.withLock({ $0 })?.session {
      do throws(EffectError) {
        try session.setEffects(request.effects)
      } catch {
        throw StudioError(error)
      }
    } else {
      try request.check()
    }
    statusStore.change { $0.request.effects = request }
  }

  /// Sets whether a recording bypasses its effects.
  func bypass(_ form: FormFields) throws(StudioError) {
    let isBypassed = try form.flag("bypassed")
    try recording().session.setBypassed(isBypassed)
    statusStore.change { $0.isBypassed = isBypassed }
  }

  func changeDevice(_ form: FormFields) throws(StudioError) {
    guard let active = active.withLock({ $0 }) else {
      throw StudioError(409, "No device is open, so there is nothing to switch.")
    }
    var request = active.plan.request
    let other = try RecordingRequest(form)
    (request.device, request.backend) = (other.device, other.backend)
    active.session.switchSource(to: try source(request, active.plan))
    if !active.isListening {
      statusStore.change {
        ($0.request.device, $0.request.backend) = (request.device, request.backend)
      }
    }
  }

  // MARK: - Listening

  func listen(_ form: FormFields) throws(StudioError) {
    let isOn = try form.flag("on")
    if isRecording {
      if isOn { throw StudioError(409, "The levels of the current recording are shown.") }
      return
    }
    if !isOn { return endListening() }
    let request = try RecordingRequest(form)
    let plan = RecordingPlan(listeningTo: request)
    let source = try source(request, plan)
    endListening()
    statusStore.change { $0.phase = .opening }
    let outputs = OutputMessages(plan.redactor) { _ in }
    let listening = activate(plan, nil, outputs) { [weak self] in self?.finishEndedSession() }
    do throws(RecordingError) {
      try listening.start(source)
    } catch {
      statusStore.change { $0.phase = .idle }
      throw StudioError(error)
    }
    active.withLock { $0 = listening }
    broadcaster.setRecording(listening)
    statusStore.change { $0.phase = .listening }
  }

  /// Ends monitoring without recording, if it is active.
  func endListening() {
    guard let active = active.withLock({ $0 }), active.isListening else { return }
    broadcaster.setRecording(nil)
    _ = active.stop()
    self.active.withLock { $0 = nil }
    statusStore.change { state in
      if state.phase == .listening || state.phase == .opening { state.phase = .idle }
      state.isMonitored = false
    }
  }
}
