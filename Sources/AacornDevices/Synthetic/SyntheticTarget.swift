import AacornSystem

/// A simulated silent output that follows the monotonic clock, like loudspeakers.
public final class SyntheticTarget: PlaybackTarget {
  /// The simulated device.
  public let device: Device?
  private let latency: Int64
  private let flow: SyntheticFlow

  /// Creates an output that identifies as `device`.
  ///
  /// A frame plays `latency` after the output has read it.
  public init(
    _ device: Device = SyntheticSystem.silentOutput, latency: Duration = .milliseconds(40)
  ) {
    self.device = device
    self.latency = max(.zero, latency).nanoseconds
    flow = SyntheticFlow(deviceID: device.id, pacing: .realTime)
  }

  deinit {
    stop()
  }

  /// Nil: the output cannot fail.
  public var failure: DeviceError? { nil }

  /// A diagnostic that the output is silent.
  public var diagnostics: [String] { ["This output discards the audio."] }

  /// Returns the device's rate and channels, or by default 48 kHz in stereo.
  public func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    let (rate, count) = (device?.sampleRate ?? 0, device?.channelCount ?? 0)
    return PlaybackFormat(
      sampleRate: rate > 0 ? rate : 48_000, channelCount: count > 0 ? count : 2)
  }

  /// Starts to read frames in blocks of 10 ms, the first of them now.
  public func start(_ feed: PlaybackFeed) throws(DeviceError) {
    try flow.start { [flow, latency] startTime in
      var clock = SyntheticClock(sampleRate: feed.format.sampleRate, startTime: startTime)
      let blockFrameCount = clock.blockFrameCount(of: .milliseconds(10))
      var samples = [Float](repeating: 0, count: blockFrameCount * feed.format.channelCount)
      var frame = 0
      while true {
        let time = clock.time(of: frame)
        flow.sleep(until: time)
        if flow.isStopping { return }
        let count = unsafe samples.withUnsafeMutableBufferPointer { unsafe feed.read(into: $0) }
        if count > 0 {
          feed.recordPresentation(
            frame: feed.consumedFrameCount - count, soundsAt: time &+ latency)
        }
        frame += blockFrameCount
        // If the program was stopped for a while, playback does not run faster afterward to catch
        // up.
        let delay = System.nanoseconds - time
        if delay > 1_000_000_000 { clock.startTime += delay }
      }
    }
  }

  /// Ends the playback immediately.
  public func stop() { flow.stop() }
}
