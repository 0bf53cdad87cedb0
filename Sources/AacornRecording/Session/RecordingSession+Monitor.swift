package import AacornDevices
import AacornSystem

/// Monitoring.
extension RecordingSession {
  /// The monitors of the recording.
  struct Monitoring {
    var monitor: Monitor?
    /// The previous monitor, which may still be ending.
    var last: Monitor?
    var point = MonitorConfiguration.Point.source
    /// Whether the recording has ended, so that no monitor starts any more.
    var isFinished = false
  }

  /// Starts monitoring the recording on a device; nil stops monitoring.
  ///
  /// The device is opened on a separate thread, and events report the result. A failure does not
  /// affect the recording. With several sources their mix is played.
  package func setMonitor(_ configuration: MonitorConfiguration?) {
    guard let configuration else { return endMonitoring(isFinal: false) }
    setMonitor(configuration) { () throws(DeviceError) in try configuration.makeTarget() }
  }

  /// Starts monitoring with the caller's target.
  package func setMonitor(
    _ configuration: MonitorConfiguration,
    on makeTarget: @escaping @Sendable () throws(DeviceError) -> any PlaybackTarget
  ) {
    let isRunning = monitoring.withLock { monitoring in
      let (listener, device, isMix) = state.withLock { state in
        (state.sink?.listener, state.status.device, state.trackNames.count > 1)
      }
      // Monitoring requires an open source.
      guard !monitoring.isFinished, let listener else { return true }
      let point = isMix ? .recording : configuration.point
      monitoring.monitor?.stop()
      let monitor = Monitor(
        of: point == .source ? listener : mixSink, from: device,
        hasSeveralSources: isMix, volume: configuration.volume, after: monitoring.last,
        on: makeTarget
      ) { [weak self] monitor, event in self?.forwardEvent(event, of: monitor) }
      guard monitor.start() else {
        monitoring.monitor = nil
        return false
      }
      (monitoring.monitor, monitoring.last, monitoring.point) = (monitor, monitor, point)
      return true
    }
    if !isRunning { events(.monitor(.refused(.noThread(to: "play on")))) }
  }

  /// Forwards an event of the current monitor, on the monitor's thread.
  private func forwardEvent(_ event: MonitorEvent, of monitor: Monitor) {
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

  package func setMonitorVolume(_ volume: Float) {
    guard volume.isFinite else { return }
    monitoring.withLock { $0.monitor }?.setVolume(volume)
  }

  package var monitorStatus: MonitorStatus? { monitoring.withLock { $0.monitor }?.status }

  /// Requests the end of monitoring, and reports it unless the recording has ended (`isFinal`).
  func endMonitoring(isFinal: Bool) {
    let monitor = monitoring.withLock { monitoring in
      defer { monitoring.monitor = nil }
      monitoring.isFinished = monitoring.isFinished || isFinal
      return monitoring.monitor
    }
    guard let monitor else { return }
    monitor.stop()
    if !isFinal { events(.monitor(.stopped)) }
  }
}

extension RecordingSession: SampleListener {
  /// Forwards recorded samples to the client and the monitor.
  package func receive(_ samples: borrowing Span<Float>) {
    sound?.receive(samples)
    guard mixSink.isMonitored, !samples.isEmpty else { return }
    let frameCount = samples.count / configuration.channelCount
    let duration = System.nanoseconds(
      ofFrames: Int64(frameCount), at: configuration.sampleRate)
    let block = CaptureBlock(
      frameCount: frameCount, channelCount: configuration.channelCount,
      sampleRate: configuration.sampleRate, time: System.nanoseconds - duration,
      isTimeReliable: false)
    unsafe _ = samples.withUnsafeBytes { unsafe mixSink.write(block, $0, .float32) }
  }
}
