import AacornRecording
import AacornStreaming

/// An event of a stream, as reported to people and programs.
enum StreamEvent: Sendable {
  /// An event of the audio.
  case sound(RecorderEvent)
  /// An output changed its state.
  case output(Int, OutputStatus.State)
  /// So much was dropped from the queue of an output since the last report, in its units.
  case dropped(Int, count: Int)
  /// The network has made the bitrate another.
  case bitrate(BitrateChange)
  /// Another piece is being played.
  case metadata(LiveMetadata)
  /// The program can be reached at an address.
  case listening(Service, url: String)
  case warning(String)

  /// What is available at an address.
  enum Service: String, Sendable {
    case hls, status
  }
}
