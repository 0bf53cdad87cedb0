public import AacornDevices

/// What happens to the sound that is heard along.
public enum MonitorEvent: Sendable, Equatable {
  /// It is played on this device.
  case started(PlaybackDevice?)
  /// It cannot be played; the recording does not need it.
  case refused(PlaybackError)
  /// The device or the sound server is gone.
  case deviceLost
  /// It is heard again.
  case deviceReturned(PlaybackDevice?)
  /// The sound server has moved it to this device.
  case deviceChanged(PlaybackDevice?)
  /// The system has put the device to sleep.
  case suspended
  /// The device is awake again.
  case resumed
  /// Microphone and loudspeakers are those of one device, so that one may hear the other.
  case mayFeedBack
  /// The microphone hears the loudspeakers, which were made quieter for it.
  case feedback
  /// It is played no longer.
  case stopped
}
