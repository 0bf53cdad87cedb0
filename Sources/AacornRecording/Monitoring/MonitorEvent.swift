public import AacornDevices

/// An event of the monitor.
public enum MonitorEvent: Sendable, Equatable {
  /// The monitor plays on this device.
  case started(PlaybackDevice?)
  /// The monitor cannot play; the recording continues without it.
  case refused(PlaybackError)
  /// The device or the sound server was disconnected.
  case deviceLost
  /// The device is connected again.
  case deviceReturned(PlaybackDevice?)
  /// The sound server has moved the monitor to this device.
  case deviceChanged(PlaybackDevice?)
  /// The system has suspended the device.
  case suspended
  /// The system has resumed the device.
  case resumed
  /// Microphone and loudspeakers belong to one device, so that feedback is likely.
  case mayFeedBack
  /// The microphone picks up the loudspeakers, so the monitor was made quieter.
  case feedback
  /// The monitor has stopped.
  case stopped
}
