package import AacornDevices
import AacornSystem

/// Hearing along.
extension RecordingSession {
  /// Plays what is recorded on a device, or no longer.
  ///
  /// The device is opened on a thread of its own; events say how that goes. Whatever becomes of it,
  /// the recording stays as it is.
  public func setMonitor(_ configuration: MonitorConfiguration?) {
    guard let configuration else { return endMonitoring() }
    setMonitor(configuration) { () throws(PlaybackError) in
      try PlaybackSystems.makeTarget(configuration.request, backend: configuration.backend)
    }
  }

  /// The same with a target of the caller's own.
  package func setMonitor(
    _ configuration: MonitorConfiguration,
    on makeTarget: @escaping @Sendable () throws(PlaybackError) -> any PlaybackTarget
  ) {
    let (source, device, isOver) = state.withLock { state in
      (state.sink?.listener, state.status.device, state.summary != nil)
    }
    let sink = configuration.point == .source ? source : programme
    // What has not begun to be recorded cannot be heard.
    guard let sink, !isOver else { return }
    endMonitoring()
    let monitor = Monitor(
      of: sink, from: device, volume: configuration.volume, on: makeTarget
    ) { [self] event in
      // After its end nothing is told of a recording.
      if summary == nil { events(.monitor(event)) }
    }
    monitoring.withLock { $0 = (monitor, configuration.point) }
    if !monitor.start() {
      monitoring.withLock { $0 = nil }
      let reason = "the system has no threads left"
      events(.monitor(.refused(.system(operation: "play on", id: "", reason: reason))))
    }
  }

  /// Sets the factor for what is heard.
  public func setMonitorVolume(_ volume: Float) {
    monitoring.withLock { $0?.monitor.setVolume(volume) }
  }

  /// How what is heard comes through; nil if nothing is.
  public var monitorStatus: MonitorStatus? { monitoring.withLock { $0?.monitor.status } }

  /// Has it end soon.
  func endMonitoring() {
    let monitor = monitoring.withLock { monitoring in
      defer { monitoring = nil }
      return monitoring?.monitor
    }
    monitor?.stop()
  }

  /// Passes on what is recorded to those who want it.
  func passOn(_ samples: borrowing Span<Float>) {
    sound?(samples)
    guard programme.isHeard, !samples.isEmpty else { return }
    let frameCount = samples.count / configuration.channelCount
    let duration = Int64(frameCount) * 1_000_000_000 / Int64(configuration.sampleRate)
    let block = CaptureBlock(
      frameCount: frameCount, channelCount: configuration.channelCount,
      sampleRate: configuration.sampleRate, time: System.nanoseconds - duration,
      isTimeReliable: false)
    unsafe samples.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { unsafe _ = programme.write(block, start, .float32) }
    }
  }
}
