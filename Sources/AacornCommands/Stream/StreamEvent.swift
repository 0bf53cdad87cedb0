import AacornRecording
import AacornStreaming

/// What happens to a stream, as it is told to people and programs.
enum StreamEvent: Sendable {
  /// Something about the sound.
  case sound(RecorderEvent)
  /// An output changed its state.
  case output(Int, StreamSnapshot.State)
  /// So many frames of an output were dropped since the last time.
  case dropped(Int, frameCount: Int)
  /// Another piece is being played.
  case metadata(LiveMetadata)
  /// The program can be reached at an address.
  case listening(Service, url: String)
  case warning(String)

  /// What can be had at an address.
  enum Service: String, Sendable {
    case hls, status
  }
}
