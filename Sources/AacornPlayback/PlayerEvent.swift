public import AacornDevices
public import AacornRecording
public import AacornSignal

/// An event of a playback, reported when it becomes audible.
public enum PlayerEvent: Sendable, Equatable {
  /// The device is open.
  case opened(Device?)
  /// An item starts, at its beginning or at the requested position.
  case started(PlayedItem)
  /// The current position, reported four times a second.
  case position(PlayerPosition)
  /// An item has ended, or was replaced by another one. The value is its index.
  case ended(Int)
  /// An item cannot be read, or not to its end, and the next one follows. The value includes its
  /// index.
  case unreadable(Int, AACFileError)
  /// An item is damaged, and was played nevertheless. The values are its index and a message.
  case damaged(Int, String)
  /// A resource whose format can be read only from files is downloaded before it is played. The
  /// values are the index of the item, the number of received bytes and the total number.
  ///
  /// The event is reported at the beginning, at most four times a second, and at the end.
  case fetching(Int, fetchedCount: Int, byteCount: Int)
  /// A live stream has a new title, with the index of the item. Reported on another thread when it
  /// is received.
  case title(Int, String)
  /// A part of a live stream was lost, because the server did not keep it during a pause or an
  /// interruption of the connection. The values are the index of the item and the lost duration.
  /// Reported on another thread when the stream continues.
  case lost(Int, Duration)
  /// A seek was requested in a live stream, or to a position in a pipe that has passed. Reported
  /// once per item, with its index.
  case unseekable(Int)
  /// The playback was paused, or resumed.
  case paused(Bool)
  /// The device or the audio server was disconnected. The playback waits until it returns.
  case deviceLost
  /// The playback continues on a returned device.
  case deviceReturned(Device?)
  /// The playback continues on another device.
  case deviceChanged(Device?)
  /// The device was suspended, or another program has interrupted it.
  case suspended
  /// The device was resumed.
  case resumed
  /// Samples were late, so silence of this many device frames was played.
  case underrun(frameCount: Int)
  /// The playback has ended: all items were played, it was stopped, or it could not continue.
  case stopped(PlayerSummary)
}

/// An item in playback.
public struct PlayedItem: Sendable, Equatable {
  /// The index of the item in the list.
  public var index: Int
  /// The item.
  public var item: PlaylistItem
  /// The sampling rate in Hz.
  public var sampleRate: Int
  /// The number of channels.
  public var channelCount: Int
  /// The loudspeakers of the channels, if known.
  public var layout: ChannelLayout?
  /// The duration, if it is known in advance.
  public var duration: Duration?
  /// Whether the format is AAC.
  public var isAAC: Bool
  /// The title in the file.
  public var title: String?
  /// The performer or speaker in the file.
  public var artist: String?
  /// The album in the file.
  public var album: String?
}

/// A position in a playback.
public struct PlayerPosition: Sendable, Equatable {
  /// The index of the item.
  public var index: Int
  /// The position in the item.
  public var time: Duration
  /// The duration of the item, if known.
  public var duration: Duration?

  /// Creates a position.
  public init(index: Int, time: Duration, duration: Duration? = nil) {
    self.index = index
    self.time = time
    self.duration = duration
  }
}

/// The state of a player.
public enum PlayerState: Sendable, Equatable {
  /// The player has not been started.
  case idle
  /// The first item and the device are being opened.
  case opening
  /// The device is playing.
  case playing
  /// The playback is paused.
  case paused
  /// The device is disconnected or suspended.
  case waiting
  /// The playback has ended.
  case stopped
}
