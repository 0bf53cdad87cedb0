import AacornRecording
import AacornSystem

/// The folder with the recordings on disk.
///
/// Only ordinary files in the folder itself count. Symbolic links are ignored, wherever they lead:
/// a page can play, rename and delete only files in this folder.
struct LibraryFolder: Sendable {
  /// A file as the folder lists it.
  struct Item: Equatable, Sendable {
    var name: RecordingName
    var format: SoundFileFormat
    var size: Int
    /// The modification time, in nanoseconds since the start of 1970.
    var modified: Int64

    var version: RecordingVersion { RecordingVersion(size: size, modified: modified) }
  }

  /// The path of the folder, unchanged from the configuration.
  let path: String
  /// The identity of the parent folder at the start.
  let parent: System.FileStatus.Identity?

  init(path: String) {
    self.path = path
    parent = (try? System.status(of: FileName.folder(path)))?.identity
  }

  /// The path of a file in the folder, whether or not the file exists.
  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

  func path(of name: RecordingName) -> String { path(of: name.text) }

  /// The path of a recording's list of gaps, whether or not the list exists.
  func sidecarPath(of name: RecordingName) -> String { path(of: name.text + GapSidecar.ending) }

  /// The contents of the folder, unsorted.
  struct Contents {
    var items: [Item] = []
    /// The audio and video files in formats that the library does not support.
    var others: [RecordingName] = []
  }

  /// Reads the folder and classifies its files.
  func contents() throws(StudioError) -> Contents {
    let names: [String]
    do throws(SystemError) {
      names = try System.names(inFolder: path)
    } catch {
      throw StudioError(listing: path, error)
    }
    var contents = Contents()
    for text in names {
      guard let name = RecordingName(text) else { continue }
      if let item = item(name) {
        contents.items.append(item)
      } else if isOtherSound(name) {
        contents.others.append(name)
      }
    }
    return contents
  }

  /// Whether a file's name denotes audio or video in a format that the library does not support.
  private func isOtherSound(_ name: RecordingName) -> Bool {
    let suffix = name.suffix.lowercased()
    guard name.format == nil, SoundSuffixes.all.contains(suffix),
      !SoundSuffixes.ambiguous.contains(suffix)
    else { return false }
    return (try? System.statusOfLink(path(of: name)))?.kind == .file
  }

  /// The current state of a recording; nil if there is no recording with that name.
  func item(_ name: RecordingName) -> Item? {
    guard let format = name.format, let status = try? System.statusOfLink(path(of: name)),
      status.kind == .file
    else { return nil }
    return Item(name: name, format: format, size: status.size, modified: status.modified)
  }

  /// Opens a recording for reading.
  func open(_ name: RecordingName) throws(StudioError) -> FileBytes {
    guard name.format != nil else { throw .noRecording(name.text) }
    do throws(SystemError) {
      return try FileBytes(path(of: name))
    } catch {
      if error == .notFound { throw .noRecording(name.text) }
      throw StudioError(cannot: "read", name.text, error)
    }
  }

  /// The free bytes on the folder's disk; nil if the system does not report them.
  var freeBytes: Int? { System.freeBytes(at: path) }

  /// Whether a file exists with this name or with the name of its list of gaps, which a new file
  /// would inherit.
  func isTaken(_ name: RecordingName) -> Bool {
    (try? System.statusOfLink(path(of: name))) != nil
      || (try? System.statusOfLink(sidecarPath(of: name))) != nil
  }

  /// Creates a hidden folder inside the library unless it exists, with the library folder's
  /// permissions.
  ///
  /// Throws if anything other than a folder has that name, such as a symbolic link. The message
  /// names the action on the recording, which is not carried out.
  func makeHiddenFolder(
    _ hidden: String, toBe action: String, _ name: RecordingName
  ) throws(StudioError) {
    do throws(SystemError) {
      do throws(SystemError) {
        try System.makeFolder(
          path(of: hidden), permissions: System.status(of: path).permissions | 0o700)
      } catch {
        guard error == .exists else { throw error }
        guard try System.statusOfLink(path(of: hidden)).kind == .folder else { throw .exists }
      }
    } catch {
      if error == .exists {
        throw StudioError(
          500,
          "Cannot \(action) “\(displayed(name.text))”: “\(displayed(path(of: hidden)))” is not a"
            + " folder. Move it away.")
      }
      throw StudioError(cannot: action, name.text, error)
    }
  }

  /// Returns the names in a hidden folder, or none if it is missing or a symbolic link, which could
  /// lead outside the library.
  static func names(in path: String) -> [String] {
    guard (try? System.statusOfLink(path))?.kind == .folder else { return [] }
    return (try? System.names(inFolder: path)) ?? []
  }

  /// Returns the name, or the first free name with a number appended.
  func freeName(
    _ name: RecordingName, besides isReserved: (RecordingName) -> Bool
  ) -> RecordingName {
    if !isTaken(name) && !isReserved(name) { return name }
    var number = 2
    while true {
      if let candidate = name.adding("-\(number)"), !isTaken(candidate), !isReserved(candidate) {
        return candidate
      }
      number += 1
    }
  }

  /// Moves a file and its list of gaps to another path without replacing existing files.
  static func move(_ source: String, to target: String) throws(SystemError) {
    try System.move(source, to: target)
    defer {
      // A power failure should not bring the old name back.
      for path in [target, source] { try? System.synchronizeFolder(of: path) }
    }
    let sidecar = source + GapSidecar.ending
    guard (try? System.statusOfLink(sidecar))?.kind == .file else { return }
    do throws(SystemError) {
      try System.move(sidecar, to: target + GapSidecar.ending)
    } catch {
      // Without its audio a list of gaps is useless, and without the list the audio is misleading.
      // So move the file back.
      try? System.move(target, to: source)
      throw error
    }
  }
}

extension StudioError {
  /// Creates the error for a folder that cannot be listed.
  init(listing path: String, _ error: SystemError) {
    switch error {
    case .notFound:
      self.init(
        500,
        "The folder “\(displayed(path))” no longer exists. Put it back, or start the studio with"
          + " another folder.")
    case .notFolder:
      self.init(
        500,
        "“\(displayed(path))” is a file, not a folder. Start the studio with another"
          + " folder.")
    default: self.init(cannot: "list the folder", path, error)
    }
  }
}

/// The size and modification time of a file, which identify its state.
struct RecordingVersion: Hashable, Sendable {
  var size: Int
  /// The modification time, in nanoseconds since the start of 1970.
  var modified: Int64

  /// The attribute of a repaired file with the version of the damaged file.
  private static let attribute = "user.aacorn.repaired"

  init(size: Int, modified: Int64) {
    self.size = size
    self.modified = modified
  }

  /// Parses `text`.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let size = Int(words[0]), let modified = Int64(words[1]) else {
      return nil
    }
    self.init(size: size, modified: modified)
  }

  /// The version as text, such as `4182 1767225600000000000`.
  var text: String { "\(size) \(modified)" }

  /// Marks a file as a repaired copy of the file with this version.
  func mark(_ path: String) { System.setAttribute(Self.attribute, of: path, to: text) }

  /// Returns the version of the damaged file from which a repair has made this one; nil if none is
  /// known.
  static func original(of path: String) -> RecordingVersion? {
    System.attribute(attribute, of: path).flatMap { RecordingVersion($0) }
  }
}
