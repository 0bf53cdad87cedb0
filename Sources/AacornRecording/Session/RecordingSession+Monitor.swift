package import AacornDevices
import AacornSystem

/// Hearing along.
extension RecordingSession {
  /// Who plays what is recorded.
  struct Monitoring {
    var monitor: Monitor?
    /// The last one, which may still be ending.
    var last: Monitor?
    /// What is played.
    var point = MonitorConfiguration.Point.source
    /// Whether the recording has ended, so that nothing is played any more.
    var isOver = false
  }

  /// Plays what is recorded on a device, or no longer.
  ///
  /// The device is opened on a thread of its own; events say how that goes. Whatever becomes of it,
  /// the recording stays as it is. With several sources their mix is played.
  public func setMonitor(_ configuration: MonitorConfiguration?) {
    guard let configuration else { return endMonitoring(forGood: false) }
    setMonitor(configuration) { () throws(PlaybackError) in try configuration.makeTarget() }
  }

  /// The same with a target of the caller's own.
  package func setMonitor(
    _ configuration: MonitorConfiguration,
    on makeTarget: @escaping @Sendable () throws(PlaybackError) -> any PlaybackTarget
  ) {
    let isRunning = monitoring.withLock { monitoring in
      let (listener, device, isMix) = state.withLock { state in
        (state.sink?.listener, state.status.device, state.trackNames.count > 1)
      }
      // What has not begun to be recorded cannot be heard.
      guard !monitoring.isOver, let listener else { return true }
      let point = isMix ? .recording : configuration.point
      monitoring.monitor?.stop()
      let monitor = Monitor(
        of: point == .source ? listener : programme, from: device,
        hearsSeveral: isMix, volume: configuration.volume, after: monitoring.last, on: makeTarget
      ) { [self] monitor, event in tell(event, of: monitor) }
      guard monitor.start() else {
        monitoring.monitor = nil
        return false
      }
      (monitoring.monitor, monitoring.last, monitoring.point) = (monitor, monitor, point)
      return true
    }
    if !isRunning {
      let reason = "the system has no threads left"
      events(.monitor(.refused(.system(operation: "play on", id: "", reason: reason))))
    }
  }

  /// Passes on what the current monitor tells, on its thread.
  private func tell(_ event: MonitorEvent, of monitor: Monitor) {
    let isCurrent = monitoring.withLock { monitoring in
      guard monitoring.monitor === monitor else { return false }
      switch event {
      case .refused, .stopped: monitoring.monitor = nil
      default: break
      }
      return true
    }
    if isCurrent { events(.monitor(event)) }
  }

  /// Sets the factor for what is heard.
  public func setMonitorVolume(_ volume: Float) {
    guard volume.isFinite else { return }
    monitoring.withLock { $0.monitor }?.setVolume(volume)
  }

  /// How what is heard comes through; nil if nothing is.
  public var monitorStatus: MonitorStatus? { monitoring.withLock { $0.monitor }?.status }

  /// Has it end soon, and tells that unless the recording ends.
  func endMonitoring(forGood: Bool) {
    let monitor = monitoring.withLock { monitoring in
      defer { monitoring.monitor = nil }
      monitoring.isOver = monitoring.isOver || forGood
      return monitoring.monitor
    }
    guard let monitor else { return }
    monitor.stop()
    if !forGood { events(.monitor(.stopped)) }
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
