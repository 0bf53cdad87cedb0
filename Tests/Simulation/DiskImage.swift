/// The contents of a disk while a program runs, and the part of it that survives a power failure.
///
/// A power failure loses any pages of 4,096 bytes that were written since the last flush of their file, and the
/// latest changes of names since the last flush of their folder.
struct DiskImage {
  /// A change of the disk.
  enum Change {
    /// A file that was there before.
    case adopt(file: Int, name: String, bytes: [UInt8])
    case write(file: Int, offset: Int, bytes: [UInt8])
    case resize(file: Int, size: Int)
    /// A flush of a file; a failed one loses what it should have stored.
    case flush(file: Int, isDone: Bool)
    /// A file or folder loses a name, gets one, or both.
    case name(file: Int, from: String?, to: String?)
    case flushFolder(String)
  }

  private struct File {
    /// The bytes that a program reads.
    var bytes: [UInt8] = []
    var storedBytes: [UInt8] = []
    /// The changes since the last flush, page by page.
    var pending: [(offset: Int, bytes: [UInt8])] = []

    /// The bytes after a power failure.
    func storedBytes(keepsPage: () -> Bool) -> [UInt8] {
      var bytes = storedBytes
      for change in pending where keepsPage() {
        if change.bytes.isEmpty {
          DiskImage.resize(&bytes, to: change.offset)
        } else {
          DiskImage.write(change.bytes, at: change.offset, to: &bytes)
        }
      }
      return bytes
    }
  }

  private typealias Renaming = (file: Int, from: String?, to: String?)

  /// The number of all folders in `names`.
  static let folder = -1
  private static let pageSize = 4096

  private var files: [Int: File] = [:]
  /// The names that a program sees, with the number of the file.
  private(set) var names: [String: Int] = [:]
  private var storedNames: [String: Int] = [:]
  private var pendingNames: [Renaming] = []

  /// The bytes of all files with a name.
  var byteCount: Int { Set(names.values).reduce(0) { $0 + (files[$1]?.bytes.count ?? 0) } }

  func size(of file: Int) -> Int { files[file]?.bytes.count ?? 0 }

  /// The contents that a program sees.
  var contents: [String: [UInt8]] { Self.contents(names) { files[$0]?.bytes ?? [] } }

  mutating func apply(_ change: Change) {
    switch change {
    case .adopt(let file, let name, let bytes):
      if file != Self.folder { files[file] = File(bytes: bytes, storedBytes: bytes) }
      names[name] = file
      storedNames[name] = file
    case .write(let file, let offset, let bytes):
      var piece = bytes[...]
      var offset = offset
      Self.write(bytes, at: offset, to: &files[file, default: File()].bytes)
      while !piece.isEmpty {
        let page = piece.prefix(Self.pageSize - offset % Self.pageSize)
        files[file]?.pending.append((offset, Array(page)))
        piece = piece.dropFirst(page.count)
        offset += page.count
      }
    case .resize(let file, let size):
      Self.resize(&files[file, default: File()].bytes, to: size)
      files[file]?.pending.append((size, []))
    case .flush(let file, let isDone):
      guard var flushed = files[file] else { break }
      if isDone { flushed.storedBytes = flushed.storedBytes { true } }
      flushed.pending = []
      files[file] = flushed
    case .name(let file, let from, let to):
      if file != Self.folder, from == nil, files[file] == nil { files[file] = File() }
      Self.rename((file, from, to), in: &names)
      pendingNames.append((file, from, to))
    case .flushFolder(let folder):
      pendingNames.removeAll { change in
        guard Self.folder(of: change.to ?? change.from ?? "") == folder else { return false }
        Self.rename(change, in: &storedNames)
        return true
      }
    }
  }

  /// Whether a power failure now may lose anything.
  var hasPending: Bool {
    !pendingNames.isEmpty || names.values.contains { files[$0]?.pending.isEmpty == false }
  }

  /// The contents after a power failure now: `keepsPage` chooses the unflushed pages that survive, in order, and
  /// `nameCount` is the number of unflushed changes of names that survive.
  func contentsAfterPowerFailure(
    nameCount: (_ all: Int) -> Int, keepsPage: () -> Bool
  ) -> [String: [UInt8]] {
    var names = storedNames
    for change in pendingNames.prefix(nameCount(pendingNames.count)) {
      Self.rename(change, in: &names)
    }
    return Self.contents(names) { files[$0]?.storedBytes(keepsPage: keepsPage) ?? [] }
  }

  /// The lengths of a write after which a killed program may have stopped: the ends of its pages.
  static func tornLengths(of count: Int, at offset: Int) -> [Int] {
    Array(stride(from: pageSize - offset % pageSize, to: count, by: pageSize))
  }

  static func folder(of name: String) -> String {
    name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
  }

  private static func contents(
    _ names: [String: Int], _ bytes: (Int) -> [UInt8]
  ) -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    // A file with two names has the same contents under both.
    var known: [Int: [UInt8]] = [:]
    // Sorted, because the order of a dictionary differs between two runs of a seed.
    for (name, file) in names.sorted(by: { $0.key < $1.key }) where file != folder {
      let parent = Self.folder(of: name)
      guard parent.isEmpty || names[parent] == folder else { continue }
      let found = known[file] ?? bytes(file)
      known[file] = found
      contents[name] = found
    }
    return contents
  }

  private static func rename(_ change: Renaming, in names: inout [String: Int]) {
    if let from = change.from {
      names[from] = nil
      if change.file == folder, let to = change.to {
        for (name, file) in names where name.hasPrefix(from + "/") {
          names[name] = nil
          names[to + name.dropFirst(from.count)] = file
        }
      }
    }
    if let to = change.to { names[to] = change.file }
  }

  private static func write(_ piece: [UInt8], at offset: Int, to bytes: inout [UInt8]) {
    if bytes.count < offset { resize(&bytes, to: offset) }
    let end = min(bytes.count, offset + piece.count)
    bytes.replaceSubrange(offset..<end, with: piece)
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    if bytes.count > size {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes += repeatElement(0, count: size - bytes.count)
    }
  }
}
