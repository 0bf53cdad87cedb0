import AacornRecording
import AacornStreaming

/// An event of a stream, for display and JSON.
enum LiveEvent: Sendable {
  /// An event of the audio.
  case sound(RecorderEvent)
  /// An output has changed its state.
  case output(Int, OutputStatus.State)
  /// An output has dropped `count` frames or segments since its last report.
  case dropped(Int, count: Int)
  /// The bitrate was adapted to the network.
  case bitrate(BitrateChange)
  /// The title has changed.
  case metadata(LiveMetadata)
  /// A server of the program listens at a URL.
  case listening(Service, url: String)
  case warning(String)

  /// A service of the program.
  enum Service: String, Sendable {
    case hls, status
  }
}
