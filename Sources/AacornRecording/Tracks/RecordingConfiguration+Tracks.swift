extension RecordingConfiguration {
  /// The configuration for a track; gain and mute apply to the mix instead.
  var forTrack: RecordingConfiguration {
    var configuration = self
    configuration.gain = 1
    configuration.isMuted = false
    return configuration
  }

  /// The configuration for a follower track, which follows the leader rather than the wall clock.
  var forFurtherTrack: RecordingConfiguration {
    var configuration = forTrack
    configuration.channelMap = []
    configuration.followsWallClock = false
    return configuration
  }
}
