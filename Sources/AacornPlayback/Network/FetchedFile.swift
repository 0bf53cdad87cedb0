import AacornRecording
import AacornSystem

/// A web resource whose format can be read only from files.
///
/// It is downloaded completely to a temporary file that lasts as long as this object.
final class FetchedFile: Sendable {
  /// The path of the file.
  ///
  /// It is valid as long as this object exists.
  let path: String
  private let descriptor: Int32

  /// The maximum number of bytes to download.
  static let maxByteCount = 1 << 31

  /// The folder for temporary files: `TMPDIR` if it is set.
  ///
  /// The default folder is on a disk rather than in memory, if possible.
  private static var folder: String {
    if let folder = System.environment("TMPDIR"), !folder.isEmpty { return folder }
    return (try? System.status(of: "/var/tmp"))?.kind == .folder ? "/var/tmp" : "/tmp"
  }

  /// Downloads the resource at an address.
  ///
  /// `progress` is called with the number of received bytes and the total number of bytes; the
  /// first call reports no received bytes.
  init(
    _ address: HTTPAddress, _ options: HTTPTransferOptions, interruption: Interruption,
    progress: (_ fetchedCount: Int, _ byteCount: Int) -> Void = { _, _ in }
  ) throws(AACFileError) {
    let request = try HTTPDownload.send(to: address, options, interruption).accepted()
    guard let byteCount = request.response.bodyCount else {
      throw address.failure("it does not state the length of the audio")
    }
    if byteCount > Self.maxByteCount {
      throw AACFileError(
        .unsupported,
        "“\(displayed(address.text))” must be downloaded to be played, but has "
          + "\(QuantityText.size(byteCount)). At most \(QuantityText.size(Self.maxByteCount)) are "
          + "downloaded.", suggestion: .text("Download it and play the file."))
    }
    let folder = Self.folder
    let made: (path: String, descriptor: Int32)
    do throws(SystemError) {
      if let room = System.freeBytes(at: folder), room < byteCount { throw .diskFull }
      made = try System.makeTemporaryFile(
        beside: FileName.joined(folder, "sound"), like: nil, permissions: 0o600)
    } catch {
      throw HTTPTransfer.error(error, address, folder: folder)
    }
    descriptor = made.descriptor
    #if os(Linux)
    // An unlinked file disappears when the process ends, for whatever reason.
    try? System.remove(made.path)
    path = "/dev/fd/\(made.descriptor)"
    #else
    // Audio Toolbox opens the file by its path, so the file is removed only in `deinit`.
    path = made.path
    #endif
    let transfer = HTTPTransfer(
      address: address, options: options, descriptor: made.descriptor, folder: folder,
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
