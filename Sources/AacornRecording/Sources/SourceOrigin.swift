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

  /// Tells whoever pushes samples that the recording does not take them, as it does not begin.
  ///
  /// The sources that it has started are stopped by then, and others may be in use by another
  /// recording, which goes on.
  func refuse() {
    if case .source(let source as PushSource) = self { source.refuse() }
  }
}
