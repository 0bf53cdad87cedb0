import AacornSystem

/// A listening socket and its address.
struct HTTPListener {
  let descriptor: Int32
  /// The address as requested; empty for a Unix domain socket.
  let address: String
  /// The port; 0 for a Unix domain socket.
  var port: Int
  /// The port as requested; 0 selects any free port.
  let wantedPort: Int
  let file: SocketFile?

  /// The file of a Unix domain socket.
  struct SocketFile {
    let path: String
    /// The identity of the file when it was created; nil if unknown.
    let identity: System.FileStatus.Identity?

    /// Removes the file, unless another one has replaced it.
    func remove() {
      guard let identity, (try? System.statusOfLink(path))?.identity == identity else { return }
      try? System.remove(path)
    }
  }

  /// Listens at a numeric address of this machine.
  ///
  /// Port 0 selects any free port.
  init(address: String, port: Int) throws(NetworkError) {
    guard (0...65535).contains(port) else {
      throw NetworkError(.unsupported, "Port \(port) does not exist: ports range from 1 to 65535.")
    }
    do throws(SystemError) {
      descriptor = try System.openListener(at: Self.numbers(address), port: port)
    } catch {
      throw Self.failure(error, address: address, port: port)
    }
    self.address = address
    wantedPort = port
    self.port = System.port(of: descriptor)
    file = nil
  }

  /// Listens at a Unix domain socket that only this user may use.
  init(path: String) throws(NetworkError) {
    let bytes = PathText.encode(path)
    // A zero byte in the path would silently select another file.
    if bytes.isEmpty || bytes.contains(0) {
      throw NetworkError(.unsupported, "“\(displayed(path))” is not a valid socket name.")
    }
    do throws(SystemError) {
      descriptor = try System.openListener(atPath: path)
    } catch {
      throw Self.failure(error, path: path)
    }
    address = ""
    port = 0
    wantedPort = 0
    file = SocketFile(path: path, identity: (try? System.statusOfLink(path))?.identity)
  }

  /// Closes the socket, so that another object can listen at the same address.
  func close() { try? System.close(descriptor) }

  /// The numeric address; empty for a Unix domain socket.
  var numericAddress: String { Self.numbers(address) }

  private static func numbers(_ address: String) -> String {
    address == "localhost" ? "127.0.0.1" : address
  }

  /// The address of the server: `http://address:port`, or `unix:path`.
  var url: String {
    if let file { return "unix:\(file.path)" }
    return "http://\(NetworkEndpoint(host: address, port: port).description)"
  }

  // MARK: Errors

  static func failure(_ error: SystemError, address: String, port: Int) -> NetworkError {
    let endpoint = HTTPRequest.printable(NetworkEndpoint(host: address, port: port).description)
    return switch error {
    case .addressInUse:
      NetworkError(
        .taken,
        "Port \(port) of \(HTTPRequest.printable(address)) is in use by another program. Choose"
          + " another port, or 0 for any free one.")
    case .addressNotAvailable, .addressFamilyNotSupported:
      NetworkError(
        .unreachable,
        "This machine does not have the address \(HTTPRequest.printable(address)). Choose one of"
          + " its addresses, or 127.0.0.1.")
    case .accessDenied, .notPermitted:
      NetworkError(
        .forbidden,
        "Listening on \(endpoint) is not permitted."
          + (port < 1024 ? " Ports below 1024 are reserved. Choose a higher port." : ""))
    case .invalidArgument:
      NetworkError(
        .unsupported,
        "“\(HTTPRequest.printable(address))” is not a numeric address such as 127.0.0.1, 0.0.0.0 or"
          + " ::1.")
    default:
      NetworkError(.serverFault, "Listening on \(endpoint) failed: \(error.text).")
    }
  }

  static func failure(_ error: SystemError, path: String) -> NetworkError {
    let name = "“\(displayed(path))”"
    return switch error {
    case .addressInUse:
      NetworkError(
        .taken,
        "The socket \(name) is in use by another program. Stop that program, or choose another "
          + "name.")
    case .exists:
      NetworkError(
        .taken,
        "\(name) already exists, is not a socket and was not changed. Choose another name.")
    case .nameTooLong:
      NetworkError(
        .unsupported,
        "The name \(name) is too long for a socket: the limit is about a hundred bytes. Choose a"
          + " folder closer to the root, or a path relative to the current folder.")
    case .notFound, .notFolder:
      NetworkError(
        .notFound,
        "The folder for the socket \(name) does not exist. Create it, or choose another.")
    case .accessDenied, .notPermitted, .readOnly:
      NetworkError(
        .forbidden,
        "The socket \(name) cannot be created: this user may not write there, or it belongs to"
          + " another user. Choose another folder.")
    default:
      NetworkError(.serverFault, "The socket \(name) cannot be created: \(error.text).")
    }
  }
}
