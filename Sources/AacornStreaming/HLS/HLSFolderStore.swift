public import AacornRecording
import AacornSystem

/// A store that writes an HLS presentation to a folder, for any web server.
///
/// A file appears under its name when it is complete: it is written under another name in the same
/// folder and then renamed, so no reader can see an incomplete file. Segments are written before
/// the playlist that lists them, so the playlist in the folder never lists missing files, even if
/// the process is killed at any time. (Files are not flushed to disk individually: after a power
/// failure the last half minute may be missing.)
///
/// Files that an earlier, killed run of the same live playlist left behind are removed once the new
/// playlist has replaced the old one. The files of events and of complete presentations stay, as do
/// all files whose names do not follow our pattern.
///
/// A folder holds one presentation at a time: a second one would remove the files of the first.
public final class HLSFolderStore: HLSStore {
  /// The path of the folder.
  public let path: String
  /// The names of the playlists whose leftover files have been removed.
  private let cleaned = Lock<Set<String>>([])
  /// The locked folder, which other stores cannot use.
  private let folder = Lock<OpenFile?>(nil)
  private let watch = Lock(HLSFolderWatch())
  /// The initialization sections, which all later segments need.
  private let initializations = Lock<[String: [UInt8]]>([:])

  /// Creates a store for a folder.
  ///
  /// `prepare` creates the folder if its parent exists.
  public init(_ path: String) {
    self.path = path
  }

  /// False: any web server may serve the folder, and such servers do not support blocking requests.
  public var servesParts: Bool { false }

  /// Creates the folder, checks that files can be created in it, and locks it for this store.
  public func prepare(for configuration: HLSConfiguration) throws(OutputError) {
    do throws(SystemError) {
      do throws(SystemError) {
        try System.makeFolder(path)
      } catch {
        guard error == .exists else { throw error }
      }
      guard try System.status(of: path).kind == .folder else { throw .notFolder }
      try probe()
      try lockFolder()
    } catch {
      throw outputError(error)
    }
  }

  // The name of the test file contains the name of this program, so that it never replaces a user's
  // file.
  private func probe() throws(SystemError) {
    let probe = path(of: ".aacorn" + Self.partialEnding)
    try? System.remove(probe)
    let descriptor = try System.open(probe, for: .creating)
    do throws(SystemError) {
      try System.close(descriptor)
    } catch {
      try? System.remove(probe)
      throw error
    }
    try System.remove(probe)
  }

  // The system releases the lock when the process ends, for whatever reason.
  private func lockFolder() throws(SystemError) {
    // A folder that the user may write to but not list cannot be locked, and is used without a
    // lock.
    guard folder.withLock({ $0 == nil }), let descriptor = try? System.open(path, for: .reading)
    else { return }
    let file = OpenFile(descriptor)
    do throws(SystemError) {
      try System.lock(descriptor)
    } catch {
      // Ignore other errors, because some network file systems do not support such locks.
      if error == .wouldBlock { throw error }
    }
    folder.withLock { $0 = file }
  }

  /// Writes a complete file, replacing a file with the same name.
  public func put(_ bytes: [UInt8], as name: String) throws(OutputError) {
    if HLSNames.isInitialization(name) { initializations.withLock { $0[name] = bytes } }
    do throws(SystemError) {
      try write(bytes, as: name)
    } catch {
      throw isFolderMissing ? missingFolderError : outputError(error)
    }
  }

  /// Replaces a playlist, and removes leftover files when it is first published.
  public func publish(
    _ playlist: String, as name: String, contents: HLSPlaylistContents
  ) throws(OutputError) {
    try put(Array(playlist.utf8), as: name)
    if cleaned.withLock({ $0.insert(name).inserted }) { removeLeftovers(of: name, contents) }
  }

  /// Removes a file, and stops watching it.
  public func remove(_ name: String) {
    watch.withLock { $0.remove(name) }
    initializations.withLock { $0[name] = nil }
    try? System.remove(path(of: name))
  }

  /// Checks that the folder and its files are unchanged, and restores missing initialization
  /// sections.
  public func poll(isLast: Bool) throws(OutputError) -> [OutputError] {
    if isFolderMissing { throw missingFolderError }
    let lost = watch.withLock { $0.checkFiles(in: path, all: isLast) }
    guard let first = lost.first else { return [] }
    for name in lost {
      // Without the initialization section, all segments that depend on it are silent.
      if let bytes = initializations.withLock({ $0[name] }) { try put(bytes, as: name) }
    }
    let words = lost.count == 1 ? "“\(first)” was" : "“\(first)” and \(lost.count - 1) more were"
    return [
      OutputError(
        .lost,
        "\(words) removed from the HLS folder “\(path)” or changed by another program during the "
          + "stream. Listeners may miss that audio. The stream continues.")
    ]
  }

  /// Whether the path does not lead to the locked folder anymore.
  private var isFolderMissing: Bool {
    guard let folder = folder.withLock({ $0 }), let own = try? System.status(of: folder.descriptor)
    else { return false }
    return (try? System.status(of: path))?.identity != own.identity
  }

  private var missingFolderError: OutputError {
    OutputError(
      .lost,
      "The HLS folder “\(path)” was removed, renamed or replaced by another program during the "
        + "stream. Players cannot find the stream there anymore.")
  }

  private func path(of name: String) -> String { "\(path)/\(name)" }

  private static let partialEnding = ".partial"

  private func write(_ bytes: [UInt8], as name: String) throws(SystemError) {
    let partial = path(of: "." + name + Self.partialEnding)
    // A killed run may have left a file with this name.
    try? System.remove(partial)
    let descriptor = try System.open(partial, for: .creating)
    do throws(SystemError) {
      do throws(SystemError) {
        try System.write(descriptor, bytes, at: 0)
      } catch {
        try? System.close(descriptor)
        throw error
      }
      let status = try? System.status(of: descriptor)
      try System.close(descriptor)
      try System.rename(partial, to: path(of: name))
      if var status {
        // Renaming has changed the file's timestamps, so read them again.
        if let found = try? System.status(of: path(of: name)), found.identity == status.identity {
          status = found
        }
        watch.withLock { $0.add(name, status, bytes) }
      }
    } catch {
      try? System.remove(partial)
      throw error
    }
  }

  private func removeLeftovers(of name: String, _ contents: HLSPlaylistContents) {
    guard
      let session = contents.names.lazy.compactMap({ HLSNames.liveSession(of: $0, in: name) }).first
    else { return }
    for file in (try? System.names(inFolder: path)) ?? [] {
      var finalName = file
      if file.hasPrefix("."), file.hasSuffix(Self.partialEnding) {
        finalName = String(file.dropFirst().dropLast(Self.partialEnding.count))
      }
      guard let other = HLSNames.liveSession(of: finalName, in: name), other != session else {
        continue
      }
      remove(file)
    }
  }

  func outputError(_ error: SystemError) -> OutputError {
    switch error {
    case .diskFull, .quotaReached:
      OutputError(
        .diskFull,
        "The disk of the HLS folder “\(path)” is full. Existing segments can be played. Make room, "
          + "or choose a folder on another disk.")
    case .fileTooLarge:
      OutputError(
        .cannotWrite,
        "A file in the HLS folder “\(path)” has reached the maximum file size (ulimit -f). Existing "
          + "segments can be played. Raise the limit, or choose shorter segments."
      )
    case .wouldBlock:
      OutputError(
        .cannotWrite,
        "The HLS folder “\(path)” is being written to by "
          + (System.lockOwner(of: path) ?? "another stream")
          + ". Stop that, or choose another folder.")
    case .notFound:
      OutputError(
        .cannotWrite,
        "Cannot create the HLS folder “\(path)”: its parent folder does not exist. Create that "
          + "first, or choose another.")
    case .notFolder, .isFolder, .exists:
      OutputError(
        .cannotWrite,
        "Cannot write to “\(path)”: something else has that name. Choose another folder.")
    default:
      OutputError(
        .cannotWrite,
        "Cannot write to the HLS folder “\(path)”: \(error.text). Choose another folder.")
    }
  }
}
