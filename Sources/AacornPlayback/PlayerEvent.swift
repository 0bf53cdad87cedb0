public import AacornDevices
public import AacornRecording
public import AacornSignal

/// What happens while items are played, told when it is heard.
public enum PlayerEvent: Sendable, Equatable {
  /// The device is open.
  case opened(PlaybackDevice?)
  /// An item is heard from its beginning, or from the place that was chosen.
  case started(PlayedItem)
  /// What is heard now; four times a second.
  case position(PlayerPosition)
  /// An item is no longer heard, because it is over or another one was chosen; with its index.
  case ended(Int)
  /// An item cannot be read, or not to its end, and the next one follows; with its index.
  case unreadable(Int, AACFileError)
  /// An item is damaged, and was played all the same; with its index and a sentence.
  case damaged(Int, String)
  /// What is at an address is read from files only, and is fetched before it is played; with the index
  /// of the item and how many bytes have come of how many.
  ///
  /// It is told at the beginning, at most four times a second, and at the end.
  case fetching(Int, fetchedCount: Int, byteCount: Int)
  /// What a broadcast says of itself when it arrives, on another thread; with the index of the item.
  case title(Int, String)
  /// So much of a broadcast is lost, because its server does not keep it for as long as the playback was
  /// paused or the connection broken; told when it goes on arriving, on another thread, with the index
  /// of the item.
  case lost(Int, Duration)
  /// Somebody wanted another place of a broadcast, which has only the one on air, or one of a pipe that
  /// has passed; told once for an item, with its index.
  case unseekable(Int)
  /// The playback was paused, or continues.
  case paused(Bool)
  /// The device or the sound server is gone; the sound waits until it is back.
  case deviceLost
  /// Sound is heard again.
  case deviceReturned(PlaybackDevice?)
  /// Sound now comes from another device.
  case deviceChanged(PlaybackDevice?)
  /// The device was put to sleep, or another program has interrupted it.
  case suspended
  /// The device is awake again.
  case resumed
  /// Samples came too late, and silence of so many frames of the device was heard.
  case underrun(frameCount: Int)
  /// It is over: all items have been heard, somebody stopped it, or it could not go on.
  case stopped(PlayerSummary)
}

/// An item that is heard.
public struct PlayedItem: Sendable, Equatable {
  /// Its index among the items.
  public var index: Int
  /// What it is.
  public var item: PlaylistItem
  /// Frames per second.
  public var sampleRate: Int
  /// Samples per frame.
  public var channelCount: Int
  /// The loudspeaker of each channel, if that is known.
  public var layout: ChannelLayout?
  /// How long it is, if that is known beforehand.
  public var duration: Duration?
  /// Whether it is AAC.
  public var isCoded: Bool
  /// The title that the file has.
  public var title: String?
  /// The performer or speaker that the file has.
  public var artist: String?
  /// The album that the file has.
  public var album: String?
}

/// What sounds at a moment.
public struct PlayerPosition: Sendable, Equatable {
  /// The index of the item.
  public var index: Int
  /// The place in it.
  public var time: Duration
  /// How long the item is, if that is known.
  public var duration: Duration?

  /// A place in an item.
  public init(index: Int, time: Duration, duration: Duration? = nil) {
    self.index = index
    self.time = time
    self.duration = duration
  }
}

/// What a player does.
public enum PlayerState: Sendable, Equatable {
  /// It has not been started.
  case idle
  /// The first item and the device are being opened.
  case opening
  /// Sound is heard.
  case playing
  /// It was paused.
  case paused
  /// The device is away or asleep.
  case waiting
  /// It is over.
  case stopped
}

/// What has become of a playback.
public struct PlayerSummary: Sendable, Equatable {
  /// How many items were heard, each as often as it was.
  public var playedItemCount = 0
  /// How long sound was heard.
  public var heard = Duration.zero
  /// What was heard last.
  public var position: PlayerPosition?
  /// Whether the last item was heard to its end.
  public var isComplete = false
  /// Items that could not be read, or not to their end, by their index.
  public var unreadable: [Int: AACFileError] = [:]
  /// Items that are damaged, by their index.
  public var damaged: Set<Int> = []
  /// How much of broadcasts was lost.
  public var lost = Duration.zero
  /// How often samples came too late.
  public var underrunCount = 0
  /// Why it ended, if it had to.
  public var failure: PlayerError?

  /// Nothing was played.
  public init() {}
}
