import AacornSystem

/// Runs a source or target from start to end, on its own thread.
///
/// All changes to units, devices and sessions happen on this thread, one after the other, whatever
/// thread reports their cause.
///
///     running ──device missing, no samples──► unavailable (retries with backoff) ──► running
///        │                                        ▲
///        └─────── interrupted ──► suspended ──────┘ resumed by the system or by the program
///                                    └─► failed, if the interruption lasts too long
final class CoreAudioControl<Work: CoreAudioWork> {
  private enum Phase {
    case running(any CoreAudioStream, CoreAudioRoute)
    /// No device is available; the control retries.
    case unavailable
    /// Another app or a call uses the audio.
    ///
    /// The system usually reports the end of the interruption, but not always. `hasEnded` means
    /// that it has ended without a request to resume, so only the user or the program may resume.
    case suspended(hasEnded: Bool)
    /// The user has revoked the permission, or the interruption does not end.
    case failed
  }

  private let hardware: any CoreAudioHardware
  private let work: Work
  private let state: CoreAudioState
  private var phase = Phase.unavailable
  /// The last reported reason why no samples flow; nil if samples flow.
  private var reportedStall: DeviceEvent?
  /// The last reported interruption, if it is the reason why no samples flow.
  private var suspension: CoreAudioSuspension?
  /// Whether the end of an interruption restarts the unit only if the system requests it, because
  /// an `untilEnded` interruption has occurred since the unit was last opened.
  private var needsResumeRequest = false
  private var backOff = CoreAudioBackOff()
  private var rebuilds = CoreAudioRebuilds()
  /// Whether a change of route waits until the unit may be replaced again.
  private var hasPendingRouteChange = false
  /// The id of the last used device.
  private var lastDeviceID: String?
  private var activationDiagnostics: [String] = []
  /// Diagnostics about a stalled device, to report when a device is opened next.
  private var problems: [String] = []
  private var neededFrameCount = 0
  private var lastProgress = 0
  private var silentWaitCount = 0

  init(_ hardware: any CoreAudioHardware, _ work: Work, _ state: CoreAudioState) {
    self.hardware = hardware
    self.work = work
    self.state = state
  }

  /// Runs until the source or target is stopped or cannot be opened.
  func run() {
    defer { state.status.finishOpening(state.timeoutError) }
    let mailbox = state.mailbox
    guard awaitPermission() else { return }
    let observation = hardware.observe { mailbox.post($0) }
    do throws(DeviceError) {
      try activate()
      try open()
    } catch {
      observation.end()
      hardware.deactivate()
      return state.status.finishOpening(error)
    }
    state.status.finishOpening(nil)
    while true {
      switch mailbox.next(milliseconds: pollTimeoutMilliseconds) {
      case .event(.stop):
        observation.end()
        close()
        return hardware.deactivate()
      case .event(let event): handle(event)
      case .woken: makeRoom()
      case .timeout: poll()
      }
    }
  }

  /// The wait until the next check, in milliseconds.
  private var pollTimeoutMilliseconds: Int {
    switch phase {
    case .running: 500
    case .unavailable: min(backOff.milliseconds, remainingSuspension)
    case .suspended: remainingSuspension
    case .failed: Self.maxWaitMilliseconds
    }
  }

  private static var maxWaitMilliseconds: Int { 60_000 }

  /// The time that the current interruption may still last, in milliseconds; at most one minute.
  private var remainingSuspension: Int {
    min(
      suspension?.remainingMilliseconds(at: System.nanoseconds) ?? Self.maxWaitMilliseconds,
      Self.maxWaitMilliseconds)
  }

  // MARK: Permission

  /// Waits for the user's response if necessary; false if access is denied or the run is stopped.
  private func awaitPermission() -> Bool {
    var isPermitted = hardware.isPermitted
    if isPermitted == nil {
      let mailbox = state.mailbox
      hardware.requestPermission { mailbox.post(.permission(isGranted: $0)) }
    }
    while isPermitted == nil {
      switch state.mailbox.next(milliseconds: 60_000) {
      case .event(.permission(let isGranted)): isPermitted = isGranted
      case .event(.stop): return false
      default: break
      }
    }
    if isPermitted == false { state.status.finishOpening(Self.denied) }
    return isPermitted == true
  }

  private static var denied: DeviceError { .permissionDenied(id: "microphone") }

  // MARK: Events

  private func handle(_ event: CoreAudioEvent) {
    if case .failed = phase { return }
    switch event {
    case .stop, .permission: break
    case .interrupted(.untilEnded), .interrupted(.untilBack):
      if event == .interrupted(.untilEnded) { needsResumeRequest = true }
      pause(.suspended(hasEnded: false), reporting: .suspended)
    case .interrupted(.endedWhileSuspended):
      pause(.unavailable, reporting: .suspended)
      poll()
    case .interrupted(.deviceGone), .servicesLost: pause(.unavailable, reporting: .deviceLost)
    case .interruptionEnded(let shouldResume): endInterruption(shouldResume || !needsResumeRequest)
    case .servicesReset:
      // Retry during a suspension as well: the notification of its end may be lost with the
      // service. The retry does not disturb other audio that still plays.
      pause(.unavailable, reporting: .deviceLost)
      poll()
    case .routeChanged(let reason): followRoute(reason)
    case .resume: retryNow()
    case .appActive: returnToApp()
    }
  }

  private func endInterruption(_ shouldResume: Bool) {
    switch phase {
    case .running, .failed: break
    case .unavailable: if shouldResume { retryNow() }
    case .suspended where shouldResume: retryNow()
    case .suspended:
      phase = .suspended(hasEnded: true)
      state.status.addDiagnostic(
        "The interruption has ended, but the system does not suggest resuming. Resume to "
          + "continue.")
    }
  }

  /// Searches for a device immediately, and soon again if that fails.
  private func retryNow() {
    switch phase {
    case .running, .failed: return
    case .suspended: phase = .unavailable
    case .unavailable: break
    }
    backOff.reset()
    poll()
  }

  /// Checks whether an interruption has ended without a notification, which the system does not
  /// guarantee.
  ///
  /// If it has not ended, the control keeps waiting, since another retry might cut off a call.
  private func returnToApp() {
    guard case .suspended(hasEnded: false) = phase else {
      if case .unavailable = phase { retryNow() }
      return
    }
    retryNow()
    if case .unavailable = phase { phase = .suspended(hasEnded: false) }
  }

  private func followRoute(_ reason: CoreAudioRouteReason) {
    switch phase {
    case .suspended, .failed: break
    case .unavailable: if reason.mayBringDevice { retryNow() }
    case .running(let stream, let present):
      let route = try? hardware.route()
      switch present.reaction(to: route, reason) {
      case .keep: if let route { stream.update(latency: route.latency) }
      case .rebuild:
        hasPendingRouteChange = !rebuilds.begin(at: System.nanoseconds)
        if !hasPendingRouteChange { rebuild() }
      case .lose: pause(.unavailable, reporting: .deviceLost)
      }
    }
  }

  /// Replaces the unit if its blocks have grown beyond its capacity.
  private func makeRoom() {
    guard case .running(let stream, _) = phase else { return }
    let needed = stream.feed.neededFrameCount
    guard needed > neededFrameCount else { return }
    neededFrameCount = needed
    rebuild()
  }

  /// Searches for a device, or checks whether samples still flow.
  private func poll() {
    switch phase {
    case .failed: break
    case .running(let stream, _):
      watch(stream.feed)
      if hasPendingRouteChange { followRoute(.configuration) }
    case .suspended(let hasEnded):
      guard let suspension, suspension.isTooLong(at: System.nanoseconds) else { return }
      // If the end was reported, the user has not resumed in time. Otherwise the interruption may
      // have ended without a notification, so try again.
      if hasEnded { return fail(suspension.error) }
      retryNow()
    case .unavailable:
      do throws(DeviceError) {
        if hardware.isPermitted == false { throw Self.denied }
        try activate()
        try open()
      } catch {
        // Only the user can change the permission; all other errors may be temporary.
        if case .permissionDenied = error { return fail(error) }
        if let suspension, suspension.isTooLong(at: System.nanoseconds) {
          return fail(suspension.error)
        }
        backOff.lengthen()
      }
    }
  }

  /// Treats a device as lost if its unit runs but no samples flow for 2 s.
  ///
  /// The limit is 5 s before the first samples, because a headset may have to switch modes.
  private func watch(_ flow: any CoreAudioFlow) {
    let progress = flow.progress
    silentWaitCount = progress == lastProgress ? silentWaitCount + 1 : 0
    lastProgress = progress
    guard silentWaitCount >= (progress == 0 ? 10 : 4) else { return }
    if let status = flow.failure {
      problems = ["The device stalled (\(status.text)) and was reopened."]
    }
    pause(.unavailable, reporting: .deviceLost)
    poll()
  }

  // MARK: Units

  private func activate() throws(DeviceError) {
    activationDiagnostics = try hardware.activate()
  }

  private func open() throws(DeviceError) {
    let route = try hardware.route()
    let stream = try work.open(
      route, neededFrameCount: neededFrameCount, announcing: events(for: route.device))
    state.status.device = route.device
    state.status.diagnostics = activationDiagnostics + stream.diagnostics + problems
    do throws(DeviceError) {
      try stream.start()
    } catch {
      // Some samples may have arrived before the start failed.
      close(stream, route)
      throw error
    }
    phase = .running(stream, route)
    needsResumeRequest = false
    hasPendingRouteChange = false
    backOff.reset()
    lastProgress = 0
    silentWaitCount = 0
  }

  /// Returns the events to send before the first samples from or to a device.
  private func events(for device: Device) -> [DeviceEvent] {
    let isOther = lastDeviceID != nil && lastDeviceID != device.id
    if reportedStall == .deviceLost { return [.deviceReturned] }
    let events: [DeviceEvent] = reportedStall == .suspended ? [.resumed] : []
    return isOther ? events + [.deviceChanged] : events
  }

  /// Reopens the unit for the current device and format.
  private func rebuild() {
    close()
    phase = .unavailable
    do throws(DeviceError) {
      try open()
    } catch {
      pause(.unavailable, reporting: .deviceLost)
    }
  }

  /// Closes the unit and reports why no samples flow, unless a reason is already reported.
  private func pause(_ next: Phase, reporting event: DeviceEvent) {
    close()
    phase = next
    if event == .suspended && suspension == nil {
      suspension = CoreAudioSuspension(
        start: System.nanoseconds, maxDuration: hardware.maxInterruptionDuration)
    }
    guard reportedStall == nil else { return }
    reportedStall = event
    work.report(event)
  }

  private func close() {
    if case .running(let stream, let route) = phase { close(stream, route) }
  }

  private func close(_ stream: any CoreAudioStream, _ route: CoreAudioRoute) {
    stream.close()
    if stream.feed.hasDelivered {
      reportedStall = nil
      suspension = nil
      lastDeviceID = route.device.id
    }
  }

  private func fail(_ error: DeviceError) {
    close()
    phase = .failed
    state.status.failure = error
    hardware.deactivate()
    work.report(.failed)
  }
}
