#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// The name of this machine; empty if it has none.
  package static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    return unsafe gethostname(&name, name.count - 1) == 0 ? text(name) : ""
  }

  /// The numeric addresses at which other machines may reach this one, IPv4 first.
  ///
  /// Link-local addresses are omitted, since URLs cannot name the link.
  package static var addresses: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return [] }
    defer { unsafe freeifaddrs(first) }
    var old: [String] = []
    var new: [String] = []
    var next = unsafe first
    while let entry = unsafe next {
      unsafe next = entry.pointee.ifa_next
      let isUp = unsafe entry.pointee.ifa_flags & UInt32(IFF_UP) != 0
      let isLoopback = unsafe entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) != 0
      guard isUp, !isLoopback, let address = unsafe entry.pointee.ifa_addr else { continue }
      switch Int32(unsafe address.pointee.sa_family) {
      case AF_INET: unsafe old.append(text(of: address, size: MemoryLayout<sockaddr_in>.size))
      case AF_INET6: unsafe new.append(text(of: address, size: MemoryLayout<sockaddr_in6>.size))
      default: break
      }
    }
    let isUseful = { (text: String) in
      !text.isEmpty && !text.hasPrefix("fe80:") && !text.hasPrefix("169.254.")
    }
    return old.filter(isUseful) + new.filter(isUseful)
  }

  private static func text(of address: UnsafeMutablePointer<sockaddr>, size: Int) -> String {
    var name = [CChar](repeating: 0, count: 64)
    let result = unsafe getnameinfo(
      address, socklen_t(size), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
    return unsafe result == 0 ? text(name) : ""
  }
}

extension System {
  /// Returns whether the loader's message shows that the file of a library does not exist.
  ///
  /// If the library exists but needs another, missing library, the message is similar but begins
  /// with the name of the other library.
  package static func isMissing(_ library: String, accordingTo reason: String) -> Bool {
    reason.hasPrefix(library + ":") && reason.hasSuffix("No such file or directory")
  }

  /// Returns a copy of a library's text; an empty string if `start` is nil.
  package static func text(_ start: UnsafePointer<CChar>?) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe String(cString: start)
  }
}

#if !canImport(Darwin)
extension System {
  /// Whether the thread sanitizer observes this process.
  package static var hasThreadSanitizer: Bool { unsafe dlsym(nil, "__tsan_init") != nil }

  /// Loads a library for the life of the process, and looks up its functions.
  ///
  /// `Functions` is a structure of C function pointers. `symbols` has their names in the same
  /// order, separated by spaces; members after the last one become null. A library without one of
  /// the functions is closed.
  package static func loadLibrary<Functions>(
    _ file: String, symbols: UnsafePointer<CChar>
  ) -> Result<UnsafeMutablePointer<Functions>, LibraryFault> {
    guard let library = unsafe dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
      let reason = unsafe text(dlerror())
      return unsafe .failure(.notLoaded(reason: reason.isEmpty ? "it cannot be loaded" : reason))
    }
    let names = unsafe String(cString: symbols).split(separator: " ").map(String.init)
    let addressSize = MemoryLayout<Int>.size
    let size = MemoryLayout<Functions>.size
    precondition(names.count * addressSize <= size)
    let table = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: addressSize)
    unsafe table.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    for (index, name) in names.enumerated() {
      guard let function = unsafe dlsym(library, name) else {
        unsafe table.deallocate()
        unsafe dlclose(library)
        return unsafe .failure(.noFunction(name))
      }
      unsafe table.storeBytes(
        of: function, toByteOffset: index * addressSize, as: UnsafeMutableRawPointer.self)
    }
    return unsafe .success(table.bindMemory(to: Functions.self, capacity: 1))
  }
}

/// The reason why a library cannot be used.
package enum LibraryFault: Error, Equatable {
  /// The loader cannot load the file, for a reason in its own words.
  case notLoaded(reason: String)
  /// The library lacks the function of this name.
  case noFunction(String)

  /// The reason as a clause, or in the loader's words.
  package var text: String {
    switch self {
    case .notLoaded(let reason): reason
    case .noFunction(let name): "it has no function \(name)"
    }
  }
}
#endif
