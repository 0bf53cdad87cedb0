extension RecordingConfiguration {
  /// The configuration for a track whose loudness the mix determines.
  var forTrack: RecordingConfiguration {
    var configuration = self
    configuration.gain = 1
    configuration.isMuted = false
    return configuration
  }

  /// The same for a further track, which follows the leader rather than the wall clock.
  var forFurtherTrack: RecordingConfiguration {
    var configuration = forTrack
    configuration.channelMap = []
    configuration.followsWallClock = false
    return configuration
  }
}
