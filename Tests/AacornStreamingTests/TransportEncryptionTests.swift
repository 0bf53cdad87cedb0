import AacornNetwork
import AacornStreaming
import Foundation
import SoundRigs
import StreamRigs
import Testing

/// The transport with TLS servers, with valid and invalid certificates.
@Suite struct TransportEncryptionTests {
  private static let certificates = Result { try TestCertificates() }

  /// Connects with TLS to a server that echoes the received bytes.
  private func connect(
    _ identity: (TestCertificates) -> TestCertificates.Identity, trusting file: String?,
    host: String = "localhost"
  ) throws {
    let certificates = try Self.certificates.get()
    let echo = try TCPServer.echo()
    let server = try TLSServer(identity(certificates), to: echo.port)
    defer { server.stop() }
    var endpoint = NetworkEndpoint(host: host, port: server.port, isSecure: true)
    endpoint.certificateFile = file
    endpoint.proxy = ""
    let transport = SystemTransport(StopSignal())
    try transport.connect(to: endpoint, within: TestTimeout.duration)
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    for start in stride(from: 0, to: bytes.count, by: 20_000) {
      let piece = Array(bytes[start..<start + 20_000])
      try transport.send(piece, within: TestTimeout.duration)
      #expect(try readBytes(piece.count, from: transport) == piece)
    }
    transport.close()
  }

  @Test(.tags(.smoke), arguments: ["localhost", "127.0.0.1"]) func trustedCertificateIsTaken(
    host: String
  ) throws {
    try connect(\.server, trusting: Self.certificates.get().authority, host: host)
  }

  /// Expects that a server with this certificate is rejected.
  private func expectRejection(
    of identity: (TestCertificates) -> TestCertificates.Identity = \.server,
    trusting file: String?, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: NetworkError.self, sourceLocation: sourceLocation) {
      try connect(identity, trusting: file)
    }
    #expect(error?.kind == .certificate, sourceLocation: sourceLocation)
    #expect(error?.isPermanent == true, sourceLocation: sourceLocation)
    #expect(error?.message.contains(words) == true, sourceLocation: sourceLocation)
    #expect(error?.message.contains("localhost:") == true, sourceLocation: sourceLocation)
  }

  @Test(.tags(.smoke)) func certificateOfUnknownAuthorityIsRejected() throws {
    for file in [try Self.certificates.get().foreignAuthority, nil] {
      expectRejection(trusting: file, "no trusted authority has signed it")
    }
  }

  @Test(.tags(.smoke)) func expiredCertificateIsRefused() throws {
    expectRejection(
      of: \.expired, trusting: try Self.certificates.get().authority, "it has expired")
  }

  @Test(.tags(.smoke)) func certificateOfAnotherNameIsRefused() throws {
    expectRejection(
      of: \.misnamed, trusting: try Self.certificates.get().authority,
      "issued for a name other than “localhost”")
  }

  @Test func fileOfCertificatesThatIsMissingIsNamed() {
    expectNetworkError(.certificate, "“/nowhere/authority.pem” cannot be read") {
      try connect(\.server, trusting: "/nowhere/authority.pem")
    }
  }

  /// Returns the error of an encrypted connection to a server without encryption.
  private func failure(at server: TCPServer, within time: Duration) -> NetworkError? {
    var endpoint = NetworkEndpoint(host: "127.0.0.1", port: server.port, isSecure: true)
    endpoint.proxy = ""
    return #expect(throws: NetworkError.self) {
      try SystemTransport(StopSignal()).connect(to: endpoint, within: time)
    }
  }

  @Test func serverWithoutEncryptionIsReported() throws {
    let plain = try TCPServer { connection in
      _ = connection.read()
      connection.write(Array("HTTP/1.0 400 Bad Request\r\n\r\n".utf8))
    }
    let error = failure(at: plain, within: TestTimeout.duration)
    #expect(error?.kind == .closed)
    #expect(error?.message.contains("whether this port is for encrypted") == true)
  }

  @Test func unansweredHandshakeTimesOut() throws {
    let silent = try TCPServer { connection in while connection.read() != nil {} }
    let error = failure(at: silent, within: .milliseconds(200))
    #expect(error?.kind == .timeout)
    #expect(error?.message.contains("did not answer within 200 ms") == true)
  }
}
