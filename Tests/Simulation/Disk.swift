package import AacornSystem
import Glibc
import TestSignals

/// A folder on the disk of a simulated world, whose calls can fail, and which knows what each crash would leave.
///
/// The files are real. The disk logs each change, so that `eachCrash` can derive the contents after a crash.
package final class Disk: @unchecked Sendable {
  // Unchecked because the world runs one thread at a time.

  /// The bytes that all files together may have; nil for no limit.
  package var capacity: Int?
  /// The calls that fail, counted from 0, and their error.
  package var failure: (calls: Range<Int>, error: SystemError)? {
    didSet { if failure != nil { (failureTime, failedCall) = (nil, nil) } }
  }
  /// Whether each write transfers a random part of its bytes.
  package var writesParts = false
  /// The duration of each flush, in milliseconds.
  package var flushTime = 0
  /// The duration of each write, in milliseconds.
  package var writeTime = 0
  /// The time of the first failure since `failure` was set, on the monotonic clock.
  package private(set) var failureTime: Int64?
  /// The call that failed then, with the name under which its file was opened, or the path that it concerned.
  package private(set) var failedCall: (call: DiskCall, name: String)?
  /// The bytes of all files together.
  package var byteCount: Int { image.byteCount }
  /// The number of calls so far.
  package private(set) var callCount = 0

  let folder: String
  let world: Simulation
  var numbers = Simulation.numbers
  private var fileCount = 0
  private(set) var image = DiskImage()
  private(set) var start = DiskImage()
  private(set) var log: [(change: DiskImage.Change, time: Int64)] = []
  /// The files of open descriptors; a folder has a name.
  private var descriptors: [Int32: (file: Int, name: String)] = [:]
  private var inodes: [ino_t: Int] = [:]
  /// The files whose removal failed.
  private var unremovableNames: Set<String> = []

  /// Makes an existing folder the disk of the world of the calling thread, in place of an earlier disk.
  package init(_ folder: String) {
    guard let world = SimulatedThread.current?.world as? Simulation else {
      fatalError("A simulated disk needs a simulated world: @Test(.simulated(seeds: 3)).")
    }
    self.folder = folder
    self.world = world
    adoptAll(in: "")
    start = image
    world.disk = self
  }

  /// Calls `body` with the calls of a disk that fail: one call, which is one later each time, until the disk that
  /// `body` returns has not failed.
  ///
  /// With `isLasting`, each call also fails together with all later ones. Returns the number of calls.
  package static func eachFailure(
    isLasting: Bool = false, _ body: (Range<Int>) throws -> Disk
  ) rethrows -> Int {
    var call = 0
    while true {
      var hasFailed = false
      for calls in [call..<call + 1] + (isLasting ? [call..<Int.max] : []) {
        if try body(calls).failureTime != nil { hasFailed = true }
      }
      if !hasFailed { return call }
      call += 1
    }
  }

  // MARK: Calls

  func access(_ call: DiskCall, count: Int, _ perform: (Int) -> Int) -> Int {
    guard let subject = subject(of: call) else { return perform(count) }
    switch call {
    case .synchronize where flushTime > 0: System.sleep(milliseconds: flushTime)
    case .write where writeTime > 0: System.sleep(milliseconds: writeTime)
    default: break
    }
    let number = callCount
    callCount += 1
    var error: Int32?
    if let failure, failure.calls.contains(number) { error = failure.error.code }
    var count = count
    var change: (Int) -> Void = { _ in }
    switch call {
    case .open(let path, let creates):
      let name = creates ? self.name(path) : nil
      change = { self.opened(Int32($0), created: name) }
    case .close(let descriptor):
      descriptors[descriptor] = nil
      // A failed close closes the descriptor.
      if error != nil { _ = perform(0) }
    case .read: break
    case .write(let descriptor, let position):
      guard let file = descriptors[descriptor]?.file else { break }
      let offset = position ?? Self.position(of: descriptor)
      if writesParts, count > 1 { count = Int.random(in: 1...count, using: &numbers) }
      if let capacity {
        let growth = max(0, offset + count - image.size(of: file))
        let excess = max(0, growth - max(0, capacity - image.byteCount))
        count -= excess
        if count == 0 && excess > 0 { error = error ?? ENOSPC }
      }
      change = {
        let bytes = Self.bytes(of: descriptor, offset, $0)
        self.record(.write(file: file, offset: offset, bytes: bytes))
      }
    case .truncate(let descriptor):
      guard let file = descriptors[descriptor]?.file else { break }
      change = { _ in
        self.record(.resize(file: file, size: Self.size(of: descriptor)))
      }
    case .synchronize(let descriptor):
      guard let (file, name) = descriptors[descriptor] else { break }
      if file != DiskImage.folder {
        if error != nil { record(.flush(file: file, isDone: false)) }
        change = { _ in self.record(.flush(file: file, isDone: true)) }
      } else {
        change = { _ in self.record(.flushFolder(name)) }
      }
    case .rename(let path, let newPath):
      let (from, to) = (adopted(path), name(newPath))
      change = { _ in
        if let from { self.record(.name(file: from.file, from: from.name, to: to)) }
      }
    case .link(let path, let newPath):
      let (from, to) = (adopted(path), name(newPath))
      change = { _ in
        if let from { self.record(.name(file: from.file, from: nil, to: to)) }
      }
    case .remove(let path), .removeFolder(let path):
      let from = adopted(path)
      change = { _ in
        if let from { self.record(.name(file: from.file, from: from.name, to: nil)) }
      }
    case .makeFolder(let path):
      let name = name(path)
      change = { _ in self.record(.name(file: DiskImage.folder, from: nil, to: name)) }
    }
    if let error {
      failureTime = failureTime ?? world.now
      failedCall = failedCall ?? (call, subject)
      if case .remove = call, image.names[subject] != nil { unremovableNames.insert(subject) }
      errno = error
      return -1
    }
    let result = perform(count)
    if result < 0 {
      return result
    }
    change(result)
    return result
  }

  /// The name that a call concerns; nil if it concerns no file of this disk.
  private func subject(of call: DiskCall) -> String? {
    switch call {
    case .open(let path, _), .remove(let path), .makeFolder(let path), .removeFolder(let path),
      .rename(_, let path), .link(_, let path):
      name(path)
    case .close(let descriptor), .read(let descriptor), .write(let descriptor, _),
      .truncate(let descriptor), .synchronize(let descriptor):
      descriptors[descriptor]?.name
    }
  }

  /// The temporary files that the program has created and neither named nor removed, unless the disk refused that.
  var leftovers: [String] {
    let created = log.compactMap { entry -> String? in
      if case .name(_, _, let name) = entry.change { name } else { nil }
    }
    return Set(created).filter {
      image.names[$0] != nil && Self.isTemporary($0) && !unremovableNames.contains($0)
    }.sorted()
  }

  /// Whether a name is one of `System.makeTemporaryFile`, of `HLSFolderStore`, or of a repair in the studio.
  private static func isTemporary(_ name: String) -> Bool {
    let last = name.split(separator: "/").last ?? ""
    return last.hasPrefix(".aacorn-") && last.hasSuffix(".tmp")
      || last.hasPrefix(".") && last.hasSuffix(".partial")
      || name.hasPrefix(".aacorn-uploads/repair-")
  }

  private func record(_ change: DiskImage.Change) {
    if case .name(_, _, let name?) = change { unremovableNames.remove(name) }
    image.apply(change)
    log.append((change, world.now))
  }

  /// The path below the folder; nil for another place.
  private func name(_ path: String) -> String? {
    if path == folder { return "" }
    return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.utf8.count + 1)) : nil
  }

  // MARK: Files

  private func opened(_ descriptor: Int32, created name: String?) {
    var status = stat()
    fstat(descriptor, &status)
    if let name {
      inodes[status.st_ino] = fileCount
      descriptors[descriptor] = (fileCount, name)
      record(.name(file: fileCount, from: nil, to: name))
      fileCount += 1
    } else if let path = System.path(of: descriptor), let found = adopted(path) {
      descriptors[descriptor] = found
    }
  }

  /// The file or folder at a path, which another program may have made; nil if there is none.
  private func adopted(_ path: String) -> (file: Int, name: String)? {
    guard let name = name(path) else { return nil }
    if name.isEmpty { return (DiskImage.folder, "") }
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if let file = image.names[name],
      file == (isFolder ? DiskImage.folder : inodes[status.st_ino] ?? fileCount)
    {
      return (file, name)
    }
    var (file, bytes) = (DiskImage.folder, [UInt8]())
    if !isFolder {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      file = inodes[status.st_ino] ?? fileCount
      if file == fileCount { fileCount += 1 }
      inodes[status.st_ino] = file
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      bytes = Self.bytes(of: descriptor, 0, Int(status.st_size))
      close(descriptor)
    }
    record(.adopt(file: file, name: name, bytes: bytes))
    return (file, name)
  }

  private func adoptAll(in name: String) {
    let path = name.isEmpty ? folder : folder + "/" + name
    for entry in ((try? System.names(inFolder: path)) ?? []).sorted() {
      guard let found = adopted(path + "/" + entry) else { continue }
      if found.file == DiskImage.folder { adoptAll(in: found.name) }
    }
  }

  private static func size(of descriptor: Int32) -> Int {
    var status = stat()
    fstat(descriptor, &status)
    return Int(status.st_size)
  }

  private static func position(of descriptor: Int32) -> Int {
    fcntl(descriptor, F_GETFL) & O_APPEND != 0
      ? size(of: descriptor) : Int(lseek(descriptor, 0, SEEK_CUR))
  }

  /// Reads bytes of a file, whatever it was opened for.
  private static func bytes(of descriptor: Int32, _ offset: Int, _ count: Int) -> [UInt8] {
    let reading = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
    defer { close(reading) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(reading, buffer.baseAddress, count, off_t(offset)))
    }
  }
}
