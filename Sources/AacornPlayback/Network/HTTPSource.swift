import AacornRecording
import AacornSystem

/// Audio from the web in a pipe, from which it is read like a file.
///
///     server ─► separate thread ─► pipe, some seconds of audio ─► reader
final class HTTPSource: Sendable {
  /// Whether the audio is a live stream, in which seeking is impossible.
  let isLive: Bool
  /// The size in bytes, if the audio is one file whose server states its size.
  let byteCount: Int?
  /// The format of the audio, if the server states one that cannot be read from a pipe.
  let foreignCoding: String?
  /// Whether the server states that the format is MP3.
  var isMP3: Bool { foreignCoding?.hasPrefix("MP3") == true }
  private let reading: Int32
  private let interruption = Interruption()
  private let outcome = Lock(Outcome())

  /// The outcome of the transfer.
  ///
  /// It is set before the end of the pipe can be read.
  private struct Outcome {
    /// Whether the reader has opened the audio.
    var isOpen = false
    /// The error that ended the transfer permanently.
    var failure: AACFileError?
    /// The number of segments that were not received completely.
    var missingCount = 0
  }

  /// Requests audio from a server, and starts the transfer once the server has accepted.
  ///
  /// - Parameters:
  ///   - address: The address of a file, a stream or a playlist.
  ///   - options: The options for requests.
  ///   - opening: Ends the wait for the response when it is raised.
  ///   - titles: Called on another thread with each new title of a live stream.
  ///   - lost: Called on that thread with the duration of each loss in a live stream.
  /// - Throws: The reason why there is no audio.
  init(
    _ address: HTTPAddress, _ options: HTTPTransferOptions, opening: Interruption,
    titles: @escaping @Sendable (String) -> Void,
    lost: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws(AACFileError) {
    let (address, request, segments) = try Self.resolve(address, options, interruption: opening)
    guard let pipe = System.makePipe() else {
      throw address.failure("too many files are open")
    }
    reading = pipe.reading
    isLive = segments?.isLive ?? request.response.isLive
    byteCount = segments == nil ? request.response.bodyCount : nil
    foreignCoding = segments == nil ? request.response.foreignCoding : nil
    let interruption = interruption
    request.connection.interruption = interruption
    let outcome = outcome
    let transfer = HTTPTransfer(
      address: address, options: options, descriptor: pipe.writing, interruption: interruption,
      isOpening: { outcome.withLock { !$0.isOpen } })
    // The thread passes on the bytes of the first response, and owns the connection from now on.
    let start = Lock<HTTPDownload?>(nil)
    start.withLock { $0 = request }
    let isStarted = System.startThread("download") {
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
        .noThread, "The system has no threads left.", suggestion: .text("Close other programs."))
    }
  }

  deinit {
    interruption.raise(System.interruptSignal)
    try? System.close(reading)
  }

  /// The path of the pipe.
  ///
  /// It is valid as long as this object exists.
  var path: String { "/dev/fd/\(reading)" }

  /// Records that the reader has opened the audio.
  ///
  /// From then on, the server may send the bytes as slowly as they are played.
  func markOpened() { outcome.withLock { $0.isOpen = true } }

  /// The error that ended the transfer permanently, once the pipe has ended; nil without one.
  var failure: AACFileError? { outcome.withLock(\.failure) }

  /// A message about missing segments; nil if all were received.
  var damageMessage: String? {
    let count = outcome.withLock(\.missingCount)
    if count == 0 { return nil }
    return "\(QuantityText.count(count, "segment")) of the stream did not arrive completely. The "
      + "others were played."
  }

  /// Requests audio, and follows lists to their first address.
  ///
  /// The segments are nil without HLS.
  private static func resolve(
    _ address: HTTPAddress, _ options: HTTPTransferOptions, interruption: Interruption
  ) throws(AACFileError) -> (HTTPAddress, HTTPDownload, HLSSegments?) {
    var address = address
    for _ in 0...HTTPDownload.redirectLimit {
      let request = try HTTPDownload.send(to: address, options, interruption).accepted()
      guard request.isPlaylist else { return (address, request, nil) }
      let bytes = try HLSSegments.all(of: request, options)
      if let playlist = HLSPlaylist(bytes), playlist.hasTags {
        return (
          address, request,
          try HLSSegments(request.address, playlist, options: options, interruption: interruption)
        )
      }
      address = try request.address.next(AddressList.first(in: bytes), by: .playlist)
    }
    throw address.failure("its playlists lead to too many other playlists")
  }
}
