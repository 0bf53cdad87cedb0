public import AacornDevices
import AacornSignal

/// The origin of a recording's source.
package enum SourceOrigin: Sendable {
  /// An existing source.
  case source(any CaptureSource)
  /// A device to find when the recording begins, which may take a sound server some time.
  case request(CaptureRequest)
  /// A signal, for the track with this configuration.
  case signal(TrackConfiguration, any SyntheticSignal)

  /// Returns the source without opening it.
  ///
  /// A signal of a further track follows the mix instead of a clock, unlike the first track's.
  func source(followsMix: Bool = false) throws(DeviceError) -> any CaptureSource {
    switch self {
    case .source(let source): return source
    case .request(let request): return try DeviceSystems.makeSource(request)
    case .signal(let configuration, let signal):
      let device = Device(
        backend: .synthetic, id: configuration.name, name: configuration.name)
      return SyntheticSource(
        device, playing: configuration.loops ? RepeatedSignal(signal) : signal,
        pacing: followsMix ? .unpaced : .realTime)
    }
  }

  /// Notifies clients that push samples that the recording does not begin.
  ///
  /// Started sources have already been stopped. Other kinds of sources may be in use by another
  /// recording, which continues.
  func closeUnlessRunning() {
    if case .source(let source as PushSource) = self { source.closeUnlessRunning() }
  }
}

/// The sources of a recording.
package enum RecordingMaterial: Sendable {
  /// One source, recorded without track settings.
  case one(SourceOrigin)
  /// Tracks to mix; the first one sets the recording's time line.
  case tracks([TrackSource])

  /// The origins of the audio, the first track's first.
  var origins: [SourceOrigin] {
    switch self {
    case .one(let origin): [origin]
    case .tracks(let tracks): tracks.map(\.origin)
    }
  }
}

extension CaptureRequest {
  /// Creates the request for a recording; without a device, it is for the default one.
  package init(
    device: String?, isVoiceProcessed: Bool, from backend: DeviceBackend,
    for configuration: RecordingConfiguration
  ) {
    self.init(
      device: device.map { .pinned(id: $0) } ?? .followingDefault,
      isVoiceProcessed: isVoiceProcessed)
    if configuration.monitor != nil { blockDuration = MonitorConfiguration.blockDuration }
    if backend.prefersRecordingRate { sampleRate = configuration.sampleRate }
    if backend == .synthetic {
      channelCount =
        configuration.channelMap.max().map {
          min($0, SampleLimits.maxChannelCount) + 1
        } ?? configuration.channelCount
    }
  }
}

extension PushSource {
  /// Sends complete interleaved frames, waiting for room without blocking a thread.
  ///
  /// A live source does not wait: samples without room become a gap. Returns false if no recording
  /// accepts samples, or if the task was canceled; some of the samples may have been accepted
  /// before.
  ///
  /// If the last frame is incomplete, no samples are accepted, and the recording ends with the
  /// source's `failure`.
  @discardableResult
  public func send(_ samples: [Float]) async -> Bool {
    guard acceptsFrames(sampleCount: samples.count) else { return false }
    var start = 0
    while start < samples.count {
      if isClosed || Task.isCancelled { return false }
      let end = min(samples.count, start + maxBlockSampleCount)
      if push(samples.span.extracting(start..<end)) || followsClock {
        start = end
      } else {
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    return true
  }
}
