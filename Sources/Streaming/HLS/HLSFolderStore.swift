import Platform
public import Recording

/// Keeps an HLS presentation in a folder, for any web server.
///
/// A file appears under its name when it is complete: it is written under another name in the same
/// folder and then renamed, which no reader can see half of. As segments come before the playlist
/// that lists them, the playlist in the folder never lists what is not there, even if the program
/// is killed at any instant. (The disk is not told to take every file at once: after a power cut
/// the last half minute may be missing.)
///
/// What an earlier run left behind of the same live playlist, because it was killed, is removed
/// once the new playlist has replaced the old one. The files of events and of complete
/// presentations stay, and so does everything whose name is not of our making.
public final class HLSFolderStore: HLSStore {
  /// The folder.
  public let path: String
  /// Playlists whose leftovers have been removed.
  private let cleaned = Lock<Set<String>>([])

  /// A store in a folder, which is made if its parent is there.
  public init(_ path: String) {
    self.path = path
  }

  /// Any web server reads from it, and none of them holds requests back.
  public var servesParts: Bool { false }

  /// Makes the folder and sees whether files can be made in it.
  public func prepare() throws(OutputError) {
    do throws(SystemError) {
      do throws(SystemError) {
        try System.makeFolder(path)
      } catch {
        guard error == .exists else { throw error }
      }
      guard try System.status(of: path).kind == .folder else { throw .notFolder }
      try write([], as: "aacorn")
      try System.remove(path(of: "aacorn"))
    } catch {
      throw refusal(error)
    }
  }

  /// Writes a file.
  public func put(_ bytes: [UInt8], as name: String) throws(OutputError) {
    do throws(SystemError) {
      try write(bytes, as: name)
    } catch {
      throw refusal(error)
    }
  }

  /// Replaces a playlist.
  public func publish(
    _ playlist: String, as name: String, edge: HLSEdge
  ) throws(OutputError) {
    try put(Array(playlist.utf8), as: name)
    if cleaned.withLock({ $0.insert(name).inserted }) { removeLeftovers(of: name, playlist) }
  }

  /// Removes a file.
  public func remove(_ name: String) {
    try? System.remove(path(of: name))
  }

  private func path(of name: String) -> String { "\(path)/\(name)" }

  private static let partialEnding = ".partial"

  private func write(_ bytes: [UInt8], as name: String) throws(SystemError) {
    let partial = path(of: "." + name + Self.partialEnding)
    // One may be left from a run that was killed.
    try? System.remove(partial)
    let descriptor = try System.open(partial, for: .creating)
    do throws(SystemError) {
      do throws(SystemError) {
        try System.write(descriptor, bytes, at: 0)
      } catch {
        try? System.close(descriptor)
        throw error
      }
      try System.close(descriptor)
      try System.rename(partial, to: path(of: name))
    } catch {
      try? System.remove(partial)
      throw error
    }
  }

  private func removeLeftovers(of name: String, _ playlist: String) {
    let listed = playlist.split(separator: "\n").lazy.filter { !$0.hasPrefix("#") }
    guard
      let session = listed.compactMap({ HLSNames.liveSession(of: String($0), in: name) }).first
    else { return }
    for file in (try? System.names(inFolder: path)) ?? [] {
      var place = file
      if file.hasPrefix("."), file.hasSuffix(Self.partialEnding) {
        place = String(file.dropFirst().dropLast(Self.partialEnding.count))
      }
      guard let other = HLSNames.liveSession(of: place, in: name), other != session else {
        continue
      }
      remove(file)
    }
  }

  private func refusal(_ error: SystemError) -> OutputError {
    switch error {
    case .diskFull, .quotaReached:
      OutputError(
        .diskFull,
        "The disk of the HLS folder “\(path)” is full. What is there can be played. Make room, or "
          + "choose a folder on another disk.")
    case .notFound:
      OutputError(
        .cannotWrite,
        "Cannot make the HLS folder “\(path)”: the folder it is to be in does not exist. Make that "
          + "first, or choose another.")
    case .notFolder, .isFolder, .exists:
      OutputError(
        .cannotWrite,
        "Cannot write into “\(path)”: something else of that name is there. Choose another folder.")
    default:
      OutputError(
        .cannotWrite,
        "Cannot write into the HLS folder “\(path)”: \(error.text). Choose another folder.")
    }
  }
}
