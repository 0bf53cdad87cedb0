#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Sockets that listen for clients of a server.
extension System {
  /// Listens at a numeric address of either family; port 0 selects any free port.
  package static func openListener(at address: String, port: Int) throws(SystemError) -> Int32 {
    try openPort(port, of: address, isListening: true)
  }

  /// Reserves a port of a numeric address with a socket that does not listen.
  ///
  /// No other program can listen at the port, and connections to it are refused.
  package static func reservePort(_ port: Int, of address: String) throws(SystemError) -> Int32 {
    try openPort(port, of: address, isListening: false)
  }

  private static func openPort(
    _ port: Int, of address: String, isListening: Bool
  ) throws(SystemError) -> Int32 {
    if let world = SimulatedThread.current?.world {
      return try world.network.openPort(port, of: address, isListening: isListening)
    }
    var request = unsafe addrinfo()
    unsafe request.ai_socktype = streamType
    unsafe request.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(address, String(port), &request, &list) == 0,
      let found = unsafe list
    else { throw .invalidArgument }
    defer { unsafe freeaddrinfo(found) }

    let family = unsafe found.pointee.ai_family
    let descriptor = try openSocket(family)
    // Old connections of an earlier server must not block the port. A reserved port must not have
    // the option: another socket with it could share the port.
    if isListening { setOption(SO_REUSEADDR, of: SOL_SOCKET, to: 1, descriptor) }
    // `::` is every address of both families.
    if family == AF_INET6 { setOption(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), to: 0, descriptor) }
    guard unsafe bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      !isListening || listen(descriptor, SOMAXCONN) == 0
    else {
      let error = SystemError.last
      try? close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Returns the port of a listening socket; 0 for a socket file.
  package static func port(of listener: Int32) -> Int {
    if let world = SimulatedThread.current?.world { return world.network.port(of: listener) }
    let (result, address) = unsafe addressed { unsafe getsockname(listener, $0, &$1) }
    let isInternet = [AF_INET, AF_INET6].contains(Int32(address.ss_family))
    guard result == 0, isInternet else { return 0 }
    // Both families have the port at the same place, in network byte order.
    let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_port) ?? 0
    return unsafe withUnsafeBytes(of: address) {
      unsafe Int($0[offset]) << 8 | Int($0[offset + 1])
    }
  }

  // MARK: Socket files

  /// Creates a socket file that only this user may use, and listens there.
  ///
  /// Replaces the file of a server that does not run anymore. Throws `addressInUse` if a server
  /// listens there, and `exists` if the file is not a socket.
  package static func openListener(atPath path: String) throws(SystemError) -> Int32 {
    let bytes = PathText.encode(path)
    if bytes.isEmpty { throw .notFound }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    // One byte remains for the terminating zero.
    if bytes.count >= MemoryLayout<sockaddr_un>.size - start { throw .nameTooLong }
    unsafe withUnsafeMutableBytes(of: &address) { unsafe $0[start...].copyBytes(from: bytes) }
    let lock = lockFolder(of: path)
    defer { if let lock { try? close(lock) } }
    return try openListener(at: &address, bytes.map { CChar(bitPattern: $0) } + [0])
  }

  private static func openListener(
    at address: inout sockaddr_un, _ path: [CChar]
  ) throws(SystemError) -> Int32 {
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      if status.st_mode & S_IFMT != S_IFSOCK { throw .exists }
      if try isInUse(&address) { throw .addressInUse }
      if unsafe unlink(path) < 0 && errno != ENOENT { throw .last }
    }
    let descriptor = try openSocket(AF_UNIX)
    let isBound = unsafe call(bind, descriptor, &address) == 0
    // Restrict the access before `listen`: no client can connect earlier.
    if isBound, unsafe chmod(path, 0o600) == 0, listen(descriptor, SOMAXCONN) == 0 {
      return descriptor
    }
    let error = SystemError.last
    try? close(descriptor)
    if isBound { _ = unsafe unlink(path) }
    throw error
  }

  /// Returns whether a server listens at a socket file.
  private static func isInUse(_ address: inout sockaddr_un) throws(SystemError) -> Bool {
    let probe = try openSocket(AF_UNIX)
    defer { try? close(probe) }
    if unsafe call(connect, probe, &address) == 0 { return true }
    switch errno {
    case ECONNREFUSED, ENOENT: return false
    // A server with a full queue, or with another socket type, counts as listening.
    case EAGAIN, EINPROGRESS, EPROTOTYPE: return true
    default: throw .last
    }
  }

  /// Locks the folder of a socket file, so that servers that start simultaneously do not replace
  /// each other's file; returns nil if that fails.
  ///
  /// Waits for at most a second: a server holds the lock only briefly, but other programs may not.
  private static func lockFolder(of path: String) -> Int32? {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let descriptor = try? open(folder, for: .reading, waits: false) else { return nil }
    do throws(SystemError) {
      try lock(descriptor, timeout: 1_000_000_000) { sleep(milliseconds: 10) }
      return descriptor
    } catch {
      try? close(descriptor)
      return nil
    }
  }

  // MARK: Options

  /// Enables keepalive, so that the system detects a client that disappears silently.
  package static func probeSilence(_ socket: Int32) {
    let tcp = Int32(IPPROTO_TCP)
    setOption(SO_KEEPALIVE, of: SOL_SOCKET, to: 1, socket)
    #if canImport(Darwin)
    setOption(TCP_KEEPALIVE, of: tcp, to: 15, socket)
    #else
    setOption(TCP_KEEPIDLE, of: tcp, to: 15, socket)
    #endif
    setOption(TCP_KEEPINTVL, of: tcp, to: 15, socket)
    setOption(TCP_KEEPCNT, of: tcp, to: 4, socket)
  }

  /// Sets an option, which fails harmlessly on a socket file.
  private static func setOption(_ option: Int32, of level: Int32, to value: Int32, _ socket: Int32)
  {
    var value = value
    _ = unsafe setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Opens a nonblocking socket that is closed on exec.
  package static func openSocket(_ family: Int32) throws(SystemError) -> Int32 {
    #if canImport(Darwin)
    let descriptor = socket(family, streamType, 0)
    if descriptor >= 0 { prepareDescriptor(descriptor) }
    #else
    // A program that another thread starts now does not inherit the socket.
    let descriptor = noted(socket(family, streamType | descriptorFlags, 0))
    #endif
    if descriptor < 0 { throw .last }
    return descriptor
  }

  #if canImport(Darwin)
  /// Makes a new descriptor nonblocking, and closed on exec.
  static func prepareDescriptor(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }
  #endif
}

#if canImport(Glibc)
private let streamType = Int32(SOCK_STREAM.rawValue)
private let descriptorFlags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
#else
#if canImport(Musl)
private let descriptorFlags = SOCK_NONBLOCK | SOCK_CLOEXEC
#endif
private let streamType = SOCK_STREAM
#endif

/// Calls `bind` or `connect` for a socket file.
private func call(
  _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32,
  _ address: inout sockaddr_un
) -> Int32 {
  unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
