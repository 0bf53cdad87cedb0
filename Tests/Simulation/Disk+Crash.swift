import AacornSystem

extension Disk {
  /// The contents of a disk after a crash.
  package struct Crash: CustomStringConvertible {
    /// The contents of the files by their paths below the folder.
    package var files: [String: [UInt8]]
    /// The latest time of the crash, on the monotonic clock.
    package var nanoseconds: Int64
    /// Whether the machine stopped, which loses what was not flushed; otherwise the program was killed.
    package var isPowerFailure: Bool
    package var description: String
    fileprivate let folder: String

    /// Replaces the contents of the disk's folder by these.
    package func restore() throws {
      try Self.empty(folder)
      for (name, bytes) in files {
        let parents = name.split(separator: "/").dropLast()
        for count in parents.indices {
          try? System.makeFolder(folder + "/" + parents[...count].joined(separator: "/"))
        }
        let descriptor = try System.open(folder + "/" + name, for: .creating)
        try System.write(descriptor, bytes, at: 0)
        try System.close(descriptor)
      }
    }

    private static func empty(_ folder: String) throws {
      for name in try System.names(inFolder: folder) {
        let path = folder + "/" + name
        if try System.statusOfLink(path).kind == .folder {
          try empty(path)
          try System.removeFolder(path)
        } else {
          try System.remove(path)
        }
      }
    }
  }

  /// The contents of the files that a program sees.
  package var files: [String: [UInt8]] { image.contents }

  /// The files after a power failure now that loses all that it may lose.
  package var stored: [String: [UInt8]] {
    image.contentsAfterPowerFailure(keepsName: { false }, page: { .lost })
  }

  /// Ends the simulation of the disk, and calls `body` with the result of each possible crash, from the first change on.
  ///
  /// After each change, the program may be killed, also within a write at the end of a page. A power failure may
  /// lose all or a random part of the bytes and names that were not flushed.
  package func eachCrash(_ body: (Crash) throws -> Void) throws {
    world.disk = nil
    var image = start
    for (index, entry) in log.enumerated() {
      let isLast = index + 1 == log.count
      let time = isLast ? entry.time : log[index + 1].time
      let place = "change \(index), \(Self.text(entry.change))"
      func kill(_ image: DiskImage, at time: Int64, _ words: String) throws {
        try body(
          Crash(
            files: image.contents, nanoseconds: time, isPowerFailure: false,
            description: "killed \(words)", folder: folder))
      }
      func fail(
        _ words: String, _ keepsName: () -> Bool, _ page: () -> DiskImage.Survival
      ) throws {
        let files = image.contentsAfterPowerFailure(keepsName: keepsName, page: page)
        try body(
          Crash(
            files: files, nanoseconds: time, isPowerFailure: true,
            description: "power failure after \(place), which left \(words)", folder: folder))
      }
      if case .write(let file, let offset, let bytes) = entry.change {
        for length in DiskImage.tornLengths(of: bytes.count, at: offset) {
          var torn = image
          torn.apply(.write(file: file, offset: offset, bytes: Array(bytes[..<length])))
          try kill(torn, at: entry.time, "in \(place), after \(length) bytes")
        }
      }
      image.apply(entry.change)
      try kill(image, at: time, "after \(place)")
      if !image.hasPending { continue }
      // The bytes that may be lost grow until the next flush.
      if isLast || log[index + 1].change.isFlush {
        try fail("nothing", { false }, { .lost })
        try fail("all names", { true }, { .lost })
        try fail("all bytes", { false }, { .kept })
      }
      try fail(
        "some pages", { Bool.random(using: &numbers) },
        { Bool.random(using: &numbers) ? .kept : .lost })
      try fail(
        "some sectors", { Bool.random(using: &numbers) },
        { .torn(UInt8.random(in: 0...255, using: &numbers)) })
    }
  }

  private static func text(_ change: DiskImage.Change) -> String {
    switch change {
    case .adopt(_, let name, _): "file found: \(name)"
    case .write(let file, let offset, let bytes):
      "\(bytes.count) bytes at \(offset) of file \(file)"
    case .resize(let file, let size): "file \(file) cut to \(size)"
    case .flush(let file, let isDone): "file \(file) \(isDone ? "" : "not ")flushed"
    case .name(let file, let from, let to): "file \(file) from \(from ?? "–") to \(to ?? "–")"
    case .flushFolder(let name): "folder “\(name)” flushed"
    }
  }
}

extension DiskImage.Change {
  fileprivate var isFlush: Bool {
    switch self {
    case .flush, .flushFolder: true
    default: false
    }
  }
}
