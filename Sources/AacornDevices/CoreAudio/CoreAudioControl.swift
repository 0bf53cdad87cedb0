import AacornSystem

/// The work of a source from start to end, on its own thread.
///
/// All changes to units, devices and sessions happen here, one after the other, whatever thread
/// reports their cause.
///
///     running ──device gone, no samples──► away (looks every 250 ms) ──► running
///        │                                   ▲
///        └────── interrupted ──► suspended ──┘ told to resume
final class CoreAudioControl {
  private enum Phase {
    case running(any CoreAudioStream, CoreAudioRoute)
    /// There is nothing to capture from, and a device is being sought.
    case away
    /// Something else has the audio; the system will report the end of that.
    case suspended
    /// The user has revoked the permission.
    case failed
  }

  private let hardware: any CoreAudioHardware
  private let request: CaptureRequest
  private let sink: CaptureSink
  private let state: CoreAudioState
  private var phase = Phase.away
  /// What the sink was last told: that samples flow (nil), or why they do not.
  private var standstill: CaptureNotice?
  /// The device that last delivered samples.
  private var lastDeviceID: String?
  private var activationRemarks: [String] = []
  /// What went wrong while samples should have flowed.
  private var troubles: [String] = []
  private var neededFrameCount = 0
  private var lastProgress = 0
  private var silentWaitCount = 0

  init(
    _ hardware: any CoreAudioHardware, _ request: CaptureRequest, _ sink: CaptureSink,
    _ state: CoreAudioState
  ) {
    self.hardware = hardware
    self.request = request
    self.sink = sink
    self.state = state
  }

  /// Runs until the source is stopped or cannot be opened.
  func run() {
    defer { state.finish() }
    let mailbox = state.mailbox
    guard awaitPermission() else { return }
    let observation = hardware.observe { mailbox.post($0) }
    do throws(CaptureError) {
      try activate()
      try open()
    } catch {
      observation.end()
      hardware.deactivate()
      return state.finishOpening(.failure(error))
    }
    state.finishOpening(.success(()))
    while true {
      switch mailbox.next(milliseconds: patience) {
      case .event(.stop):
        observation.end()
        close()
        return hardware.deactivate()
      case .event(let event): handle(event)
      case .poke: makeRoom()
      case .timeout: lookAround()
      }
    }
  }

  /// How long nothing needs checking.
  private var patience: Int {
    switch phase {
    case .running: 500
    case .away: 250
    case .suspended, .failed: 60_000
    }
  }

  // MARK: Permission

  /// Waits for the user's answer if necessary; false if it is no, or if the source is stopped.
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
    if isPermitted == false { state.finishOpening(.failure(Self.denied)) }
    return isPermitted == true
  }

  private static let denied = CaptureError.permissionDenied(id: "microphone")

  // MARK: Events

  private func handle(_ event: CoreAudioEvent) {
    if case .failed = phase { return }
    switch event {
    case .stop, .permission: break
    case .interrupted(.untilEnded): pause(.suspended, telling: .suspended)
    case .interrupted(.untilNow):
      pause(.away, telling: .suspended)
      lookAround()
    case .interrupted(.deviceGone), .servicesLost: pause(.away, telling: .deviceLost)
    case .interruptionEnded(let shouldResume):
      guard case .suspended = phase, shouldResume else { return }
      phase = .away
      lookAround()
    case .servicesReset:
      // Even if it was suspended: the notice that ends the suspension may have died with the
      // service; if the audio is still in use elsewhere, resuming does not disturb it.
      pause(.away, telling: .deviceLost)
      lookAround()
    case .routeChanged(let reason): followRoute(reason)
    }
  }

  private func followRoute(_ reason: CoreAudioRouteReason) {
    switch phase {
    case .suspended, .failed: break
    case .away: lookAround()
    case .running(_, let present):
      switch present.reaction(to: try? hardware.route(for: request), reason) {
      case .keep: break
      case .rebuild: rebuild()
      case .lose: pause(.away, telling: .deviceLost)
      }
    }
  }

  /// Replaces the unit if its blocks have become longer than it has room for.
  private func makeRoom() {
    guard case .running(let stream, _) = phase else { return }
    let needed = stream.feed.neededFrameCount
    guard needed > neededFrameCount else { return }
    neededFrameCount = needed
    rebuild()
  }

  /// Looks for a device, or checks whether the current one still delivers.
  private func lookAround() {
    switch phase {
    case .suspended, .failed: break
    case .running(let stream, _): watch(stream.feed)
    case .away:
      do throws(CaptureError) {
        if hardware.isPermitted == false { throw Self.denied }
        try activate()
        try open()
      } catch {
        // Only the user can change that; everything else may recover by itself.
        if case .permissionDenied = error { fail(error) }
      }
    }
  }

  /// Treats a device as lost if it claims to run but delivers nothing for 2 s, or for 5 s at first,
  /// when a headset may have to switch modes.
  private func watch(_ feed: CoreAudioFeed) {
    let progress = feed.progress
    silentWaitCount = progress == lastProgress ? silentWaitCount + 1 : 0
    lastProgress = progress
    guard silentWaitCount >= (progress == 0 ? 10 : 4) else { return }
    if let status = feed.failure {
      troubles = ["The device delivered nothing for a while (\(status.text)) and was reopened."]
    }
    pause(.away, telling: .deviceLost)
    lookAround()
  }

  // MARK: Units

  private func activate() throws(CaptureError) {
    activationRemarks = try hardware.activate(request)
  }

  private func open() throws(CaptureError) {
    let route = try hardware.route(for: request)
    let order = CoreAudioOrder(
      request: request, route: route, neededFrameCount: neededFrameCount, mailbox: state.mailbox)
    let notices = notices(for: route.device)
    let stream = try hardware.open(order) { format in
      CoreAudioFeed(format, sink: sink, gate: state.gate, notices: notices)
    }
    state.use(route.device, activationRemarks + stream.remarks + troubles)
    do throws(CaptureError) {
      try stream.start()
    } catch {
      // Some samples may have arrived before the start failed.
      close(stream, route)
      throw error
    }
    phase = .running(stream, route)
    lastProgress = 0
    silentWaitCount = 0
  }

  /// What the sink must be told before the first samples from a device.
  private func notices(for device: CaptureDevice) -> [CaptureNotice] {
    let isOther = lastDeviceID != nil && lastDeviceID != device.id
    return switch standstill {
    case .deviceLost: [.deviceReturned]
    case .suspended: isOther ? [.resumed, .deviceChanged] : [.resumed]
    default: isOther ? [.deviceChanged] : []
    }
  }

  /// Reopens the unit for the current device and format.
  private func rebuild() {
    close()
    phase = .away
    do throws(CaptureError) {
      try open()
    } catch {
      pause(.away, telling: .deviceLost)
    }
  }

  /// Closes the unit and reports why no samples come, unless the sink already has a reason.
  private func pause(_ next: Phase, telling notice: CaptureNotice) {
    close()
    phase = next
    guard standstill == nil else { return }
    standstill = notice
    sink.notify(notice, time: System.nanoseconds)
  }

  private func close() {
    if case .running(let stream, let route) = phase { close(stream, route) }
  }

  private func close(_ stream: any CoreAudioStream, _ route: CoreAudioRoute) {
    stream.close()
    if stream.feed.hasDelivered {
      standstill = nil
      lastDeviceID = route.device.id
    }
  }

  private func fail(_ error: CaptureError) {
    close()
    phase = .failed
    state.fail(error)
    hardware.deactivate()
    sink.notify(.failed, time: System.nanoseconds)
  }
}
