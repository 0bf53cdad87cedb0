#if canImport(Network)
import AacornRecording
import AacornSystem

/// A connection to a web server through Apple's Network framework, which encrypts.
///
/// The connection belongs to one thread at a time.
final class HTTPConnection {
  private let link: NetworkLink
  private let authority: String
  /// The time limit for a silent server.
  private var timeouts: HTTPTimeouts
  /// The interruption that ends a wait.
  var interruption: Interruption

  /// The maximum duration of a single wait that cannot be interrupted, in milliseconds.
  private static let pollMilliseconds = 50
  /// The maximum number of bytes passed to the framework before waiting for their transmission.
  private static let pieceSize = 16_384

  /// Connects to a server, with certificate checks.
  ///
  /// A raised interruption ends the wait.
  init(
    to address: HTTPAddress, _ options: HTTPTransferOptions, _ interruption: Interruption
  ) throws(AACFileError) {
    authority = address.authority
    timeouts = HTTPTimeouts(options.silenceTimeout)
    self.interruption = interruption
    let security: NetworkSecurity =
      address.isSecure ? .tls(certificateFile: options.certificateFile) : .none
    do throws(NetworkFault) {
      link = try NetworkLink(
        to: address.host, port: UInt16(clamping: address.port), security: security, proxy: nil)
    } catch {
      throw Self.failure(address.authority, Self.reason(for: error))
    }
    let deadline = timeouts.deadline
    while true {
      switch link.phase {
      case .ready: return
      case .failed(let fault): throw Self.failure(authority, Self.reason(for: fault))
      case .connecting: break
      }
      if System.nanoseconds > deadline {
        throw Self.failure(authority, Self.reason(for: link.waitReason ?? .silent))
      }
      try wait()
    }
  }

  deinit { link.close() }

  /// False, although the server may be in a private network: the framework does not report its
  /// numeric address.
  var isPrivate: Bool { false }

  /// Sends all bytes.
  func send(_ bytes: [UInt8]) throws(AACFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      link.send(rest.prefix(Self.pieceSize))
      rest = rest.dropFirst(Self.pieceSize)
      let deadline = timeouts.deadline
      while link.sending == .waiting {
        if System.nanoseconds > deadline { throw Self.failure(authority, "it accepts no data") }
        try wait()
      }
      if case .failed = link.sending { throw Self.failure(authority, "the connection broke") }
    }
  }

  /// Appends the next bytes.
  ///
  /// Returns false at the end of the connection.
  ///
  /// The wait ends at `limit`, because a server could send single bytes forever.
  func receive(
    into bytes: inout [UInt8], before limit: Int64
  ) throws(AACFileError) -> Bool {
    let deadline = min(timeouts.deadline, limit)
    while true {
      // Checked before every read, because with an endless flow of bytes there is no wait to
      // interrupt.
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
      let (received, end) = link.receive()
      if !received.isEmpty {
        bytes += received
        timeouts.recordArrival()
        return true
      }
      if end == .closed { return false }
      if end != nil { throw Self.failure(authority, "the connection broke") }
      if let reason = timeouts.reason(after: deadline) { throw Self.failure(authority, reason) }
      try wait()
    }
  }

  private func wait() throws(AACFileError) {
    if let signal = interruption.signal { throw AACFileError(signal: signal) }
    link.wait(orFor: nil, milliseconds: Self.pollMilliseconds)
  }

  private static func reason(for fault: NetworkFault) -> String {
    switch fault {
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
#endif
