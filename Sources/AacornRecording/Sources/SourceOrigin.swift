package import AacornDevices

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
