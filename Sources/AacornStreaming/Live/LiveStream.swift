public import AacornCodec

/// A description of the audio for the server.
public struct LiveStream: Sendable, Equatable {
  /// The format of the frames.
  public var configuration: AudioSpecificConfig
  /// The timing of the frames.
  public var timing: StreamTiming
  /// The metadata when the connection opens.
  public var metadata: LiveMetadata

  /// Creates a stream.
  public init(
    configuration: AudioSpecificConfig, timing: StreamTiming,
    metadata: LiveMetadata = LiveMetadata()
  ) {
    self.configuration = configuration
    self.timing = timing
    self.metadata = metadata
  }
}
