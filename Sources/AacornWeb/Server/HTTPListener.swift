import AacornSystem
import CAacornMicroHTTPD

/// A listening socket and its address.
struct HTTPListener {
  let descriptor: Int32
  /// The address as requested; empty for a socket file.
  let address: String
  /// The port; 0 for a socket file.
  let port: Int
  let file: SocketFile?

  /// The file through which programs on this machine connect.
  struct SocketFile {
    let path: String
    /// The file's identity when it was created; nil if unknown.
    let identity: System.FileStatus.Identity?

    /// Removes the file, unless another has replaced it.
    func remove() {
      guard let identity, (try? System.statusOfLink(path))?.identity == identity else { return }
      try? System.remove(path)
    }
  }

  /// Listens at a numeric address of this machine; port 0 is any free one.
  init(address: String, port: Int) throws(NetworkError) {
    guard (0...65535).contains(port) else {
      throw NetworkError(.unsupported, "There is no port \(port): ports go from 1 to 65535.")
    }
    let numbers = address == "localhost" ? "127.0.0.1" : address
    descriptor = unsafe aacorn_mhd_listen(numbers, Int32(port))
    guard descriptor >= 0 else { throw Self.failure(-descriptor, address: address, port: port) }
    self.address = address
    self.port = Int(aacorn_mhd_port(descriptor))
    file = nil
  }

  /// Listens at a socket file that only this user may use.
  init(path: String) throws(NetworkError) {
    let bytes = PathText.encode(path)
    // A zero byte inside would silently name another file.
    if bytes.isEmpty || bytes.contains(0) {
      throw NetworkError(.unsupported, "“\(displayed(path))” is no name for a socket.")
    }
    descriptor = unsafe aacorn_mhd_listen_at_path(bytes.map { CChar(bitPattern: $0) } + [0])
    guard descriptor >= 0 else { throw Self.failure(-descriptor, path: path) }
    address = ""
    port = 0
    file = SocketFile(path: path, identity: (try? System.statusOfLink(path))?.identity)
  }

  /// Where it listens, in the usual notation: `http://address:port`, or `unix:path`.
  var url: String {
    if let file { return "unix:\(file.path)" }
    return "http://\(Endpoint(host: address, port: port).description)"
  }

  // MARK: Errors

  static func failure(_ code: Int32, address: String, port: Int) -> NetworkError {
    let place = HTTPRequest.printable(Endpoint(host: address, port: port).description)
    return switch SystemError(number: code) {
    case .addressInUse:
      NetworkError(
        .taken,
        "Port \(port) of \(HTTPRequest.printable(address)) is in use by another program."
          + " Take another port, or 0 for any that is free.")
    case .addressNotAvailable, .addressFamilyNotSupported:
      NetworkError(
        .unreachable,
        "This machine does not have the address \(HTTPRequest.printable(address))."
          + " Take one of its own, or 127.0.0.1.")
    case .accessDenied, .notPermitted:
      NetworkError(
        .forbidden,
        "Listening at \(place) is not permitted."
          + (port < 1024 ? " Ports below 1024 are the administrator's: take a higher one." : ""))
    case .invalidArgument:
      NetworkError(
        .unsupported,
        "“\(HTTPRequest.printable(address))” is not an address in numbers such as 127.0.0.1,"
          + " 0.0.0.0 or ::1.")
    case let error:
      NetworkError(.serverFault, "Listening at \(place) fails: \(error.text).")
    }
  }

  static func failure(_ code: Int32, path: String) -> NetworkError {
    let name = "“\(displayed(path))”"
    return switch SystemError(number: code) {
    case .addressInUse:
      NetworkError(
        .taken,
        "The socket \(name) is in use by another program. End that one, or take another name.")
    case .exists:
      NetworkError(
        .taken, "\(name) is not a socket but another file, which stays. Take another name.")
    case .nameTooLong:
      NetworkError(
        .unsupported,
        "The name \(name) is too long for a socket: it may have about a hundred bytes. Take a"
          + " folder that is nearer to the root, or begin the name at the current folder.")
    case .notFound, .notFolder:
      NetworkError(
        .notFound, "There is no folder for the socket \(name). Make it, or take another.")
    case .accessDenied, .notPermitted, .readOnly:
      NetworkError(
        .forbidden,
        "The socket \(name) cannot be made: this user may not write there, or it belongs to"
          + " another. Take another folder.")
    case let error:
      NetworkError(.serverFault, "The socket \(name) cannot be made: \(error.text).")
    }
  }
}
