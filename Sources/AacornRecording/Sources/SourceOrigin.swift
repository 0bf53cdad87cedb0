package import AacornDevices

/// Where a recording gets its source from.
package enum SourceOrigin: Sendable {
  /// It is there.
  case source(any CaptureSource)
  /// It is looked for when the recording begins, which may take a sound server some time.
  case request(CaptureRequest)
  /// It is made of a signal, for the track of this configuration.
  case signal(TrackConfiguration, any SyntheticSignal)

  /// The source; not yet opened.
  ///
  /// A signal of a further track has no time of its own, unlike that of the first.
  func source(isFurther: Bool = false) throws(CaptureError) -> any CaptureSource {
    switch self {
    case .source(let source): return source
    case .request(let request): return try CaptureSystems.makeSource(request)
    case .signal(let configuration, let signal):
      let device = CaptureDevice(
        backend: .synthetic, id: configuration.name, name: configuration.name)
      return SyntheticSource(
        device, playing: configuration.loops ? RepeatedSignal(signal) : signal,
        pacing: isFurther ? .unpaced : .realTime)
    }
  }

  /// Stops a source that the recording does not want after all.
  func stop() {
    if case .source(let source) = self { source.stop() }
  }
}
