public import AacornDevices

/// A track of a recording: where its sound comes from, and how it is heard.
///
///     let voice = TrackSource(TrackConfiguration("mic"), from: microphone)
///     var bed = TrackConfiguration("music")
///     bed.gain = -14
///     bed.loops = true
///     let music = TrackSource(bed, playing: try FileSignal(path: "bed.wav"))
///     let recorder = Recorder(from: [voice, music], to: [FileOutput("show.m4a", .m4a)])
public struct TrackSource: Sendable {
  /// How the track is heard.
  public let configuration: TrackConfiguration
  let origin: SourceOrigin

  /// A track of a device, or of anything else that captures.
  public init(_ configuration: TrackConfiguration, from source: any CaptureSource) {
    self.configuration = configuration
    origin = .source(source)
  }

  /// A track of a device that is looked for when the recording begins.
  public init(_ configuration: TrackConfiguration, _ request: CaptureRequest) {
    self.configuration = configuration
    origin = .request(request)
  }

  /// A track that plays a signal, such as that of a file, at the recording's pace.
  ///
  /// Its samples are taken as the mix needs them, so it neither drifts nor gets lost. As the first
  /// track of a recording it is played in real time.
  public init(_ configuration: TrackConfiguration, playing signal: any SyntheticSignal) {
    self.configuration = configuration
    origin = .signal(configuration, signal)
  }
}
