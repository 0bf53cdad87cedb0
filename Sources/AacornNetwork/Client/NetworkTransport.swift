#if canImport(Network)
import AacornSystem
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
  /// The maximum single wait that the stop signal cannot end, in milliseconds.
  private static let maxWaitMilliseconds = 50

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
        throw fail(
          link.waitReason.map { NetworkError($0, at: endpoint, within: time) }
            ?? .noAnswer(server, time))
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
    let milliseconds = time.millisecondsToWait
    link.wait(
      orFor: stop.descriptor,
      milliseconds: stop.descriptor == nil
        ? min(milliseconds, Self.maxWaitMilliseconds) : milliseconds)
  }
}
#endif
