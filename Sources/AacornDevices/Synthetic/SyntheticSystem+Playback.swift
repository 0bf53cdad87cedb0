extension SyntheticSystem: PlaybackSystem {
  /// A silent real-time output, for machines without an output.
  public static let silentOutput = Device(
    backend: backend, id: "null", name: "Silent output", details: "Discards the audio",
    isDefault: true)

  /// Returns the silent output alone.
  public static func playbackDevices() throws(PlaybackError) -> [Device] {
    [silentOutput]
  }

  /// Creates a target for the silent output.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(PlaybackError) -> any PlaybackTarget {
    if case .pinned(let id) = request.device, id != silentOutput.id {
      throw .unknownDevice(id: id, backend: backend)
    }
    return SyntheticTarget(silentOutput, latency: request.latency)
  }
}
