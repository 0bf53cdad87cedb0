/// The contents of a disk while a program runs, and the part of it that survives a power failure.
///
/// A power failure loses any pages of 4,096 bytes that were written since the last flush of their file, or any of
/// their sectors of 512 bytes, and any changes of names since the last flush of their folder. A page or sector that
/// survives has all changes up to some moment, because the system writes it as a whole.
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
    func storedBytes(_ survival: () -> Survival) -> [UInt8] {
      var bytes = storedBytes
      var lostSectors: Set<Int> = []
      for change in pending {
        let survival = survival()
        if change.bytes.isEmpty {
          if survival != .lost { DiskImage.resize(&bytes, to: change.offset) }
          continue
        }
        var (offset, rest) = (change.offset, change.bytes[...])
        while !rest.isEmpty {
          let sector = rest.prefix(DiskImage.sectorSize - offset % DiskImage.sectorSize)
          let number = offset / DiskImage.sectorSize
          if survival.keeps(number), !lostSectors.contains(number) {
            DiskImage.write(Array(sector), at: offset, to: &bytes)
          } else {
            lostSectors.insert(number)
          }
          offset += sector.count
          rest = rest.dropFirst(sector.count)
        }
      }
      return bytes
    }
  }

  /// The part of an unflushed page that a power failure leaves.
  enum Survival: Equatable {
    case lost, kept
    /// The sectors whose bits are 1, by their place in the page.
    case torn(UInt8)

    func keeps(_ sector: Int) -> Bool {
      switch self {
      case .lost: false
      case .kept: true
      case .torn(let sectors): sectors & 1 << (sector % 8) != 0
      }
    }
  }

  private typealias Renaming = (file: Int, from: String?, to: String?)

  /// The number of all folders in `names`.
  static let folder = -1
  private static let pageSize = 4096
  private static let sectorSize = 512

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
      if isDone { flushed.storedBytes = flushed.storedBytes { .kept } }
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

  /// The contents after a power failure now: `keepsName` chooses the unflushed changes of names that survive, and
  /// `page` returns the surviving part of each unflushed page, both in order.
  func contentsAfterPowerFailure(
    keepsName: () -> Bool, page: () -> Survival
  ) -> [String: [UInt8]] {
    var names = storedNames
    for change in pendingNames where keepsName() {
      // No name survives in a folder that does not.
      let folder = Self.folder(of: change.to ?? "")
      if folder.isEmpty || names[folder] == Self.folder { Self.rename(change, in: &names) }
    }
    return Self.contents(names) { files[$0]?.storedBytes(page) ?? [] }
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
