#if os(Linux)
/// Plays on an ALSA device: a card, or a plug-in that represents one.
///
/// If a card cannot play the feed's format, the library converts it.
public final class ALSATarget: PlaybackTarget {
  private let request: PlaybackRequest
  private let maxStallNanoseconds: Int64
  private let id: String
  /// The library to use; nil for alsa-lib.
  private let library: ALSALibrary?
  private let thread = DeviceThread<ALSASession>()

  /// Creates a target for a request without opening a device.
  public convenience init(_ request: PlaybackRequest) {
    self.init(request, library: nil)
  }

  /// Creates a target that uses `library`, or alsa-lib if it is nil.
  ///
  /// `maxStallNanoseconds` is the time after which a stalled device is considered dead.
  init(
    _ request: PlaybackRequest, library: ALSALibrary?, maxStallNanoseconds: Int64 = 5_000_000_000
  ) {
    self.request = request
    self.library = library
    self.maxStallNanoseconds = maxStallNanoseconds
    id = request.device.pinnedID ?? "default"
  }

  deinit {
    stop()
  }

  /// The device in use, or the last one.
  public var device: Device? { thread.status?.device }

  /// Always nil, since a missing device may always return.
  public var failure: DeviceError? { nil }

  /// Peculiarities of the devices that were opened.
  public var diagnostics: [String] {
    guard let status = thread.status else { return [] }
    guard status.xrunCount > 0 else { return status.diagnostics }
    let count = status.xrunCount == 1 ? "once" : "\(status.xrunCount) times"
    return status.diagnostics + ["“\(id)” underran \(count), because this program was late."]
  }

  /// The number of times that the device has stopped because its buffer was empty.
  package var xrunCount: Int { thread.status?.xrunCount ?? 0 }

  /// Returns the rate and channels of a card, or a format that suits most plug-ins.
  public func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    let library =
      if let library {
        library
      } else {
        try ALSALibrary()
      }
    var properties = ALSAProbe.DeviceProperties.unknown
    if !ALSADevices(library: library, direction: .playback).hasSideEffects(id) {
      guard let found = ALSAProbe.properties(at: id, for: .playback, library) else {
        if request.device == .followingDefault { throw .noDevice(for: .playback, backend: .alsa) }
        throw .unknownDevice(id: id, backend: .alsa)
      }
      properties = found
    }
    return PlaybackFormat(
      sampleRate: properties.sampleRate > 0 ? properties.sampleRate : 48000,
      channelCount: properties.channelCount > 0 ? properties.channelCount : 2)
  }

  /// Opens the device for the feed's format, and begins to play.
  public func start(_ feed: PlaybackFeed) throws(DeviceError) {
    let (request, maxStallNanoseconds) = (request, maxStallNanoseconds)
    try thread.start(id, ALSASession(id, library)) { session in
      ALSAPlayback(session, feed, request, maxStallNanoseconds: maxStallNanoseconds).run()
    }
  }

  /// Ends the playback immediately, within a second even if the library hangs.
  public func stop() {
    thread.stop()
  }
}
#endif
