#if os(Linux)
/// Plays on an ALSA device: a card, or a plug-in that represents one.
///
/// If a card cannot play the feed's format, the library converts it.
public final class ALSATarget: PlaybackTarget {
  private let request: PlaybackRequest
  private let maxStallNanoseconds: Int64
  private let library: ALSALibrary?
  private let work: ALSAWorker

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
    work = ALSAWorker(pinnedID: request.device.pinnedID, library: library)
  }

  deinit {
    stop()
  }

  /// The device in use, or the last one.
  public var device: Device? { work.report?.device }

  /// Always nil, since a missing device may always return.
  public var failure: PlaybackError? { nil }

  /// Peculiarities of the devices that were opened.
  public var diagnostics: [String] {
    guard let report = work.report else { return [] }
    guard report.xrunCount > 0 else { return report.diagnostics }
    let count = report.xrunCount == 1 ? "once" : "\(report.xrunCount) times"
    return report.diagnostics + ["“\(work.id)” underran \(count), because this program was late."]
  }

  /// The number of times that the device has stopped because its buffer was empty.
  package var xrunCount: Int { work.report?.xrunCount ?? 0 }

  /// Returns the rate and channels of a card, or a format that suits most plug-ins.
  public func preferredFormat() throws(PlaybackError) -> PlaybackFormat {
    let library =
      if let library {
        library
      } else {
        try PlaybackError.translating { () throws(CaptureError) in try ALSALibrary() }
      }
    var properties = ALSAProbe.DeviceProperties.unknown
    if !ALSADevices(library: library, direction: .playback).hasSideEffects(work.id) {
      guard let found = ALSAProbe.properties(at: work.id, for: .playback, library) else {
        if request.device == .followingDefault { throw .noDevice(backend: .alsa) }
        throw .unknownDevice(id: work.id, backend: .alsa)
      }
      properties = found
    }
    return PlaybackFormat(
      sampleRate: properties.sampleRate > 0 ? properties.sampleRate : 48000,
      channelCount: properties.channelCount > 0 ? properties.channelCount : 2)
  }

  /// Opens the device for the feed's format, and begins to play.
  public func start(_ feed: PlaybackFeed) throws(PlaybackError) {
    let (request, id, maxStallNanoseconds) = (request, work.id, maxStallNanoseconds)
    try PlaybackError.translating { () throws(CaptureError) in
      try work.start { session, library in
        ALSAPlayback(
          session, feed, request, id, library, maxStallNanoseconds: maxStallNanoseconds
        ).run()
      }
    }
  }

  /// Ends the playback immediately, within a second even if the library hangs.
  public func stop() {
    work.stop()
  }
}
#endif
