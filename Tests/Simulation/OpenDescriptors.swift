import Glibc

/// The descriptors that a world has opened and not closed.
struct OpenDescriptors {
  /// A number alone would not do: after a close by code outside the world, the system gives it to another thread.
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t

    init?(_ descriptor: Int32) {
      var status = stat()
      if fstat(descriptor, &status) < 0 { return nil }
      (device, inode) = (status.st_dev, status.st_ino)
    }
  }

  private var identities: [Int32: Identity] = [:]
  private var wrongCloses: [Int32] = []

  mutating func add(_ descriptor: Int32) { identities[descriptor] = Identity(descriptor) }

  mutating func close(_ descriptor: Int32) {
    if identities.removeValue(forKey: descriptor) == nil { wrongCloses.append(descriptor) }
  }

  /// The fault at the end of the world; nil for none.
  var fault: String? {
    if let descriptor = wrongCloses.first {
      return "Descriptor \(descriptor) was closed, but it was not open, or belongs to another test."
    }
    let left = identities.filter { Identity($0.key) == $0.value }.keys.sorted()
    if left.isEmpty { return nil }
    let paths = left.map { descriptor in
      var bytes = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
      let path = bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      return "\(descriptor) (\(String(decoding: path, as: UTF8.self)))"
    }
    return "These descriptors were not closed: \(paths.joined(separator: ", "))."
  }
}
