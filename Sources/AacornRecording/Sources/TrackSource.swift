public import AacornDevices

/// A track of a recording: its source and its mixing settings.
///
///     let voice = TrackSource(TrackConfiguration("mic"), from: microphone)
///     var bed = TrackConfiguration("music")
///     bed.gain = -14
///     bed.loops = true
///     let music = TrackSource(bed, playing: try FileSignal(path: "bed.wav"))
///     let recorder = Recorder(from: [voice, music], to: [FileOutput("show.m4a", .m4a)])
public struct TrackSource: Sendable {
  /// The mixing settings.
  public let configuration: TrackConfiguration
  let origin: SourceOrigin

  /// Creates a track of a device or another capture source.
  public init(_ configuration: TrackConfiguration, from source: any CaptureSource) {
    self.configuration = configuration
    origin = .source(source)
  }

  /// Creates a track of a device that is found when the recording begins.
  public init(_ configuration: TrackConfiguration, _ request: CaptureRequest) {
    self.configuration = configuration
    origin = .request(request)
  }

  /// Creates a track that plays a signal, such as a file, at the recording's pace.
  ///
  /// The mix takes samples as it needs them, so the signal neither drifts nor loses samples. As the
  /// first track of a recording it is played in real time.
  public init(_ configuration: TrackConfiguration, playing signal: any SyntheticSignal) {
    self.configuration = configuration
    origin = .signal(configuration, signal)
  }
}
