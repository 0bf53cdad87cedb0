import AacornRecording
import AacornSystem

/// Sound of the web that is read from files only, fetched whole into one that goes with this object.
final class FetchedFile: Sendable {
  /// The path under which it can be opened, as long as this exists.
  let path: String
  private let descriptor: Int32

  /// The most bytes that are fetched.
  static let limit = 1 << 31

  /// Where such files are put, unless `TMPDIR` says otherwise: rather on a disk than in memory.
  private static var folder: String {
    if let folder = System.environment("TMPDIR"), !folder.isEmpty { return folder }
    return (try? System.status(of: "/var/tmp"))?.kind == .folder ? "/var/tmp" : "/tmp"
  }

  /// Fetches what is at an address, all of it.
  ///
  /// `progress` is called with how many bytes have come of how many, first of all with none.
  init(
    _ address: HTTPAddress, _ manner: HTTPManner, _ interruption: Interruption,
    progress: (_ fetchedCount: Int, _ byteCount: Int) -> Void = { _, _ in }
  ) throws(AACFileError) {
    let request = try HTTPRequest.send(to: address, manner, interruption).accepted()
    guard let byteCount = request.answer.bodyCount else {
      throw HTTPConnection.failure(address.place, "it does not say how long the sound is")
    }
    if byteCount > Self.limit {
      throw AACFileError(
        .unsupported,
        "What is at “\(displayed(address.text))” is played from a file, for which "
          + "\(QuantityText.size(byteCount)) are too much: at most \(QuantityText.size(Self.limit)) "
          + "are fetched.", .words("Download it and play the file."))
    }
    let folder = Self.folder
    let made: (path: String, descriptor: Int32)
    do throws(SystemError) {
      if let room = System.freeBytes(at: folder), room < byteCount { throw .diskFull }
      made = try System.makeTemporaryFile(
        beside: FileName.joined(folder, "sound"), like: nil, permissions: 0o600)
    } catch {
      throw HTTPTransfer.error(error, address, folder)
    }
    descriptor = made.descriptor
    #if os(Linux)
    // Without a name it leaves nothing behind, whatever ends the program.
    try? System.remove(made.path)
    path = "/dev/fd/\(made.descriptor)"
    #else
    // Audio Toolbox wants a name.
    path = made.path
    #endif
    let transfer = HTTPTransfer(
      address: address, manner: manner, descriptor: made.descriptor, folder: folder,
      interruption: interruption, isOpening: { true })
    var fetchedCount = 0
    progress(0, byteCount)
    let failure = transfer.run(
      request, { _ in },
      arrived: { count in
        fetchedCount += count
        progress(fetchedCount, byteCount)
      })
    if let failure { throw failure }
    if let signal = interruption.signal { throw AACFileError(signal: signal) }
  }

  deinit {
    try? System.close(descriptor)
    #if !os(Linux)
    try? System.remove(path)
    #endif
  }
}
