import Platform

/// A file that grows in whole pieces: what one call of `append` brings is there whole or not at
/// all, unless the machine itself stops.
///
/// It has its name from the first byte on, because a recording must be found after a crash.
struct RecordingFile: Sendable {
  /// The path it was opened with.
  let path: String
  /// Whether bytes in it can be changed; false for pipes and devices.
  let isSeekable: Bool
  /// Bytes in it.
  private(set) var byteCount = 0
  private let descriptor: Int32
  private let isStandardOutput: Bool

  /// Creates the file, which must not be there unless it may be replaced; `-` is standard output.
  init(_ path: String, replacing: Bool) throws(OutputError) {
    if path == "-" {
      self.path = "standard output"
      descriptor = System.standardOutput
      isStandardOutput = true
      // Even if it is a file: another program may have written to it before.
      isSeekable = false
      return
    }
    self.path = path
    isStandardOutput = false
    do throws(SystemError) {
      let existing = try? System.status(of: path)
      // With a symbolic link, what it points to is replaced, and the link stays.
      let target = existing == nil ? path : (try? System.resolved(path)) ?? path
      switch existing?.kind {
      case .other, .link:
        descriptor = try System.open(path, for: .writing)
        isSeekable = false
        return
      case .folder: throw .isFolder
      case .file where replacing: try System.remove(target)
      case .file: throw .exists
      case nil: break
      }
      descriptor = try System.open(target, for: .creating)
      isSeekable = true
      System.synchronizeFolder(of: target)
    } catch {
      throw OutputError(error, writing: path)
    }
  }

  /// Adds bytes at the end.
  ///
  /// If they do not all fit, none of them stays.
  mutating func append(_ bytes: [UInt8]) throws(OutputError) {
    do throws(SystemError) {
      if isSeekable {
        try System.write(descriptor, bytes, at: byteCount)
      } else {
        var offset = 0
        while offset < bytes.count {
          offset += try System.write(descriptor, bytes, from: offset)
        }
      }
    } catch {
      if isSeekable { try? System.truncate(descriptor, to: byteCount) }
      throw OutputError(error, writing: path)
    }
    byteCount += bytes.count
  }

  /// Changes bytes, or adds some beyond the end.
  mutating func write(_ bytes: [UInt8], at offset: Int) throws(OutputError) {
    do throws(SystemError) {
      try System.write(descriptor, bytes, at: offset)
    } catch {
      throw OutputError(error, writing: path)
    }
    byteCount = max(byteCount, offset + bytes.count)
  }

  /// Takes bytes at the end away again.
  mutating func cut(to byteCount: Int) {
    try? System.truncate(descriptor, to: byteCount)
    self.byteCount = byteCount
  }

  /// Bytes from the file, fewer at its end.
  func read(at offset: Int, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    // Ordinary files give all that is there at once.
    let filled = (try? System.read(descriptor, into: &bytes, at: offset)) ?? 0
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Has the disk take what was written.
  func synchronize() throws(OutputError) {
    guard isSeekable else { return }
    do throws(SystemError) {
      try System.synchronizeData(descriptor)
    } catch {
      throw OutputError(error, writing: path)
    }
  }

  /// Closes it.
  func close() throws(OutputError) {
    if isStandardOutput { return }
    do throws(SystemError) {
      try System.close(descriptor)
    } catch {
      throw OutputError(error, writing: path)
    }
  }

  /// Takes it away again.
  func remove() {
    try? close()
    if isSeekable && !isStandardOutput { try? System.remove(path) }
  }
}

extension OutputError {
  /// The system's refusal in words.
  init(_ error: SystemError, writing path: String) {
    switch error {
    case .exists:
      self.init(
        .exists,
        "“\(path)” exists already and was left alone. Use --force to replace it, or -o to choose "
          + "another name.")
    case .diskFull, .quotaReached:
      self.init(
        .diskFull,
        "The disk of “\(path)” is full. What fitted is kept and can be played. Make room, or choose "
          + "another disk with -o.")
    case .fileTooLarge:
      self.init(
        .diskFull,
        "“\(path)” has reached the size that files may have here (ulimit -f). What fitted is kept "
          + "and can be played. Begin new files earlier, or raise the limit.")
    case .brokenPipe:
      self.init(.readerGone, "The reader of \(path) went away.")
    case .notFound:
      self.init(
        .cannotWrite,
        "Cannot create “\(path)”: its folder does not exist. Make the folder first, or choose another."
      )
    case .accessDenied, .notPermitted, .readOnly:
      self.init(
        .cannotWrite,
        "Cannot create “\(path)”: \(error.text). Choose another folder with -o.")
    default:
      self.init(.cannotWrite, "Cannot write “\(path)”: \(error.text). Choose another file with -o.")
    }
  }
}
