import AacornSystem

#if canImport(Network)
/// A transport over TCP, or over TLS with certificate checks, through Apple's Network framework.
///
/// The framework finds the server (IPv4 and IPv6, the faster one first), uses the system's proxies,
/// and encrypts. The transport does not limit the unsent bytes in the system's buffer, and cannot
/// determine the number of unacknowledged bytes.
public final class NetworkTransport: ByteTransport {
  /// Creates transports of this class.
  public static let factory: TransportFactory = { NetworkTransport($0) }

  /// The signal that ends the waits.
  package var stop: StopSignal
  private var link: NetworkLink?
  /// The address of the server for messages.
  private var server = ""

  /// The maximum number of bytes passed to the framework before waiting for their transmission.
  private static let pieceSize = 16_384

  /// Creates a transport whose waits end when the signal is raised.
  public init(_ stop: StopSignal) { self.stop = stop }

  deinit { close() }

  /// Connects to a server within a time limit, which includes certificate checks.
  public func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError) {
    close()
    server = endpoint.description
    guard let port = UInt16(exactly: endpoint.port), endpoint.url != nil else {
      throw .noAddress(endpoint)
    }
    let security: NetworkSecurity =
      endpoint.isSecure ? .tls(certificateFile: endpoint.certificateFile) : .none
    let link: NetworkLink
    do throws(NetworkFault) {
      link = try NetworkLink(
        to: endpoint.host, port: port, security: security, proxy: endpoint.proxy)
    } catch {
      throw NetworkError(error, at: endpoint, within: time)
    }
    self.link = link
    let deadline = Deadline(after: time)
    while true {
      if stop.isRaised { throw fail(.stopped(server)) }
      switch link.phase {
      case .ready: return
      case .failed(let fault): throw fail(NetworkError(fault, at: endpoint, within: time))
      case .connecting where deadline.hasPassed:
        throw fail(NetworkError(link.waitReason ?? .silent, at: endpoint, within: time))
      case .connecting: break
      }
      wait(for: link, deadline.remaining)
    }
  }

  /// Sends all bytes.
  ///
  /// Throws `.timeout` after this time without any progress.
  public func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let link = try requireConnection()
      link.send(rest.prefix(Self.pieceSize))
      rest = rest.dropFirst(Self.pieceSize)
      let deadline = Deadline(after: time)
      while link.sending == .waiting {
        if stop.isRaised { throw fail(.stopped(server)) }
        if deadline.hasPassed { throw fail(.stalled(server, time)) }
        wait(for: link, deadline.remaining)
      }
      if case .failed = link.sending { throw fail(.broken(server)) }
    }
  }

  /// Appends received bytes to `bytes`.
  ///
  /// Waits at most `time` for them.
  ///
  /// One call appends at most 16 KiB, so that a flood from the server does not delay the caller.
  /// More bytes may be available.
  public func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool {
    let deadline = Deadline(after: time)
    while true {
      if stop.isRaised { throw fail(.stopped(server)) }
      let link = try requireConnection()
      let (received, end) = link.receive()
      if !received.isEmpty {
        bytes += received
        return true
      }
      if let end { throw fail(end == .closed ? .closed(server) : .broken(server)) }
      if deadline.hasPassed { return false }
      wait(for: link, deadline.remaining)
    }
  }

  /// Closes the connection.
  ///
  /// May be called at any time, more than once.
  public func close() {
    link?.close()
    link = nil
  }

  /// Whether the server is in a private network or is this computer.
  package var isPeerPrivate: Bool { link?.peerAddress.map(PrivateHosts.contain) ?? false }

  private func requireConnection() throws(NetworkError) -> NetworkLink {
    guard let link else { throw .closed(server) }
    return link
  }

  /// Closes the connection after an error, because the received part of the last piece is unknown.
  ///
  /// Returns the error.
  private func fail(_ error: NetworkError) -> NetworkError {
    link?.abandon()
    link = nil
    return error
  }

  private func wait(for link: NetworkLink, _ time: Duration) {
    link.wait(orFor: stop.descriptor, milliseconds: stop.milliseconds(upTo: time))
  }
}
#endif

/// Errors of connections through Apple's Network framework.
extension NetworkError {
  /// Creates the error for a failed connection.
  init(_ fault: NetworkFault, at endpoint: NetworkEndpoint, within time: Duration) {
    let server = endpoint.description
    self =
      switch fault {
      case .unknownName: .unknownName(endpoint)
      case .unreachable:
        NetworkError(
          .unreachable,
          "Nothing accepts connections at \(server). Check the address and the port, and whether "
            + "the server is running.")
      case .noNetwork:
        NetworkError(
          .unreachable, "\(server) cannot be reached without a network. Check the connection.")
      case .localNetworkDenied:
        NetworkError(
          .unreachable,
          "This app may not connect to \(server), which is in the local network. Allow it in the "
            + "system's settings: Privacy, Local Network.")
      case .silent: .noAnswer(server, time)
      case .certificate(let fault): .certificate(of: endpoint, fault)
      case .certificateFile: .certificateFile(endpoint.certificateFile ?? "")
      case .noEncryption: .noEncryption(server, "")
      case .foreignProxy:
        NetworkError(
          .unsupported,
          "On Apple's systems only the proxy of the system's settings can be used. Omit the proxy, "
            + "or set it there.")
      case .closed: .closed(server)
      case .broken: .broken(server)
      case .noResources:
        NetworkError(
          .serverFault,
          "The system has no descriptors left for a connection to \(server). Close other programs.")
      }
    self.fault = .connecting(fault.reason)
  }
}

extension NetworkFault {
  /// A short reason, to complete a message about the server.
  fileprivate var reason: String {
    switch self {
    case .unknownName: "its host name cannot be resolved"
    case .unreachable: "nothing accepts connections there"
    case .noNetwork: "there is no network"
    case .localNetworkDenied: "this app may not use the local network"
    case .silent: "it does not answer"
    case .certificate(.expired): "its certificate has expired"
    case .certificate(.notYetValid): "its certificate is not valid yet"
    case .certificate(.wrongName): "its certificate is for another name"
    case .certificate(.unknownAuthority): "no trusted authority has signed its certificate"
    case .certificate(.other): "its certificate does not pass the checks"
    case .certificateFile: "the certificate file cannot be read"
    case .noEncryption: "the TLS handshake failed"
    case .foreignProxy, .closed, .broken: "the connection broke"
    case .noResources: "the system has no descriptors left"
    }
  }
}
