import AacornSystem

extension RecorderModel {
  /// A finished recording in the folder.
  public struct Recording: Sendable, Equatable, Identifiable {
    /// The path of the file.
    public let path: String
    /// The size of the file in bytes.
    public let byteCount: Int
    /// The modification time, in nanoseconds since 1970.
    public let wallTime: Int64

    /// The path, which is unique.
    public var id: String { path }
    /// The name of the file.
    public var name: String { FileName.last(path) }
  }

  /// Returns the recordings in a folder, the newest first, without the file that is being written.
  static func recordings(in folder: String, except ownPath: String?) -> [Recording] {
    let names = (try? System.names(inFolder: folder)) ?? []
    let recordings = names.compactMap { name -> Recording? in
      let path = FileName.joined(folder, name)
      guard !name.hasPrefix("."), path != ownPath, FileFormat(path: path) != nil else { return nil }
      guard let status = try? System.status(of: path), status.kind == .file else { return nil }
      return Recording(path: path, byteCount: status.size, wallTime: status.modified)
    }
    return recordings.sorted { ($1.wallTime, $1.path) < ($0.wallTime, $0.path) }
  }
}
