import AacornRecording
import AacornSystem

/// Sound from the web, in a pipe from which it is read like a file.
///
///     server ─► a thread of its own ─► pipe, some seconds of sound ─► reader
final class HTTPSource: Sendable {
  /// Whether it is a broadcast, which has no other place than the one on air.
  let isLive: Bool
  /// How many bytes it has, if it is one file whose server says so.
  let byteCount: Int?
  /// What the sound is, if the server says that it is none that is read from a pipe.
  let foreignCoding: String?
  /// Whether the server says that the sound is MP3.
  var isMP3: Bool { foreignCoding?.hasPrefix("MP3") == true }
  private let reading: Int32
  private let interruption = Interruption()
  private let outcome = Lock(Outcome())

  /// What has become of the sound, written before the pipe ends.
  private struct Outcome {
    /// Whether the sound is open.
    var isOpen = false
    /// Why it broke off for good.
    var failure: AACFileError?
    /// Segments that did not come, or not whole.
    var missingCount = 0
  }

  /// Asks a server for a sound, and begins to read it once the server has agreed.
  ///
  /// - Parameters:
  ///   - address: Where it is.
  ///   - manner: How to ask for it.
  ///   - opening: What ends the wait for the answer.
  ///   - titles: Is called on another thread with what a broadcast says of itself.
  ///   - lost: Is called there with how much of a broadcast has passed without coming here.
  /// - Throws: Why there is no sound.
  init(
    _ address: HTTPAddress, _ manner: HTTPManner, opening: Interruption,
    titles: @escaping @Sendable (String) -> Void,
    lost: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws(AACFileError) {
    let (address, request, segments) = try Self.follow(address, manner, opening)
    guard let pipe = System.makePipe() else {
      throw HTTPConnection.failure(address.place, "too many files are open")
    }
    reading = pipe.reading
    isLive = segments?.isLive ?? request.answer.isLive
    byteCount = segments == nil ? request.answer.bodyCount : nil
    foreignCoding = segments == nil ? request.answer.foreignCoding : nil
    let interruption = interruption
    request.connection.interruption = interruption
    let outcome = outcome
    let transfer = HTTPTransfer(
      address: address, manner: manner, descriptor: pipe.writing, interruption: interruption,
      isOpening: { outcome.withLock { !$0.isOpen } })
    // What the first answer brought is passed on by the thread, which owns the connection from now on.
    let start = Lock<HTTPRequest?>(nil)
    start.withLock { $0 = request }
    let isStarted = System.startThread {
      System.blockPipeSignal()
      guard let request = start.withLock({ $0.take() }) else { return }
      let failure: AACFileError?
      if let segments {
        failure = segments.run(
          transfer, missing: { outcome.withLock { $0.missingCount += 1 } }, lost: lost)
      } else {
        failure = transfer.run(request, titles, lost: lost)
      }
      outcome.withLock { $0.failure = failure }
      try? System.close(pipe.writing)
    }
    if !isStarted {
      try? System.close(pipe.writing)
      throw AACFileError(
        .noThread, "The system has no threads left.", .words("Close other programs."))
    }
  }

  deinit {
    interruption.raise(System.interruptSignal)
    try? System.close(reading)
  }

  /// The path under which the pipe can be opened, as long as this exists.
  var path: String { "/dev/fd/\(reading)" }

  /// Records that the audio is open: the remaining bytes may arrive as slowly as they are played.
  func noteOpened() { outcome.withLock { $0.isOpen = true } }

  /// Why the sound broke off for good, once the pipe has ended; nil if it did not.
  var failure: AACFileError? { outcome.withLock(\.failure) }

  /// What is missing in what has come, as a sentence; nil if nothing is.
  var damageSentence: String? {
    let count = outcome.withLock(\.missingCount)
    if count == 0 { return nil }
    return "\(QuantityText.count(count, "segment")) of the sound did not come, or not whole; the "
      + "others were played."
  }

  /// Asks for a sound, and follows lists to their first address; segments are those of HLS.
  private static func follow(
    _ address: HTTPAddress, _ manner: HTTPManner, _ interruption: Interruption
  ) throws(AACFileError) -> (HTTPAddress, HTTPRequest, HLSSegments?) {
    var address = address
    for _ in 0...HTTPRequest.redirectLimit {
      let request = try HTTPRequest.send(to: address, manner, interruption).accepted()
      guard request.isPlaylist else { return (address, request, nil) }
      let bytes = try HLSSegments.all(of: request, manner)
      if let playlist = HLSPlaylist(bytes), playlist.hasTags {
        return (address, request, try HLSSegments(request.address, playlist, manner, interruption))
      }
      address = try request.address.next(AddressList.first(in: bytes), by: .playlist)
    }
    throw HTTPConnection.failure(address.place, "its playlists lead around in circles")
  }
}
