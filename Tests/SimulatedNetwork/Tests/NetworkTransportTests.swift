import AacornSystem
import Foundation
import Network
import Security
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// Behavior specific to Apple's Network framework.
///
/// The tests share one simulation, so they are serial.
@Suite(.serialized) struct NetworkTransportTests {
  private let network = SimulatedNetwork.shared

  init() { network.reset() }

  /// Connects to an echo server at an endpoint modified by `change`.
  private func connect(
    within time: Duration = TestTimeout.duration,
    _ change: (inout NetworkEndpoint) throws -> Void = { _ in }
  ) throws -> NetworkTransport {
    let server = try TCPServer.echo()
    var endpoint = NetworkEndpoint(host: "127.0.0.1", port: server.port, isSecure: true)
    endpoint.proxy = ""
    try change(&endpoint)
    let transport = NetworkTransport(StopSignal())
    try transport.connect(to: endpoint, within: time)
    try transport.send([1, 2, 3], within: TestTimeout.duration)
    var bytes: [UInt8] = []
    #expect(try transport.receive(into: &bytes, within: TestTimeout.duration))
    #expect(bytes == [1, 2, 3])
    return transport
  }

  /// Writes a certificate file, whose content is one empty DER sequence in PEM, and returns its
  /// path.
  private func file(_ text: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appendingPathComponent(UUID().uuidString + ".pem").path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func encryptsWithNothingOlderThanTLS12() throws {
    _ = try connect()
    #expect(network.minTLSVersion == .TLSv12)
    #expect(network.anchors == nil)
  }

  @Test(arguments: [
    (-67818, "it has expired"), (-67819, "it is not valid yet"),
    (-67602, "it was issued for a name other than “127.0.0.1”"),
    (-67843, "no trusted authority has signed it"), (-25318, "no trusted authority has signed it"),
    (-67820, "it does not pass the checks (error -67820)"),
    (-67901, "it does not pass the checks (it is valid for longer than this system allows)"),
  ])
  func untrustedCertificateIsRejected(code: Int, words: String) throws {
    network.certificateFault = code
    expectNetworkError(.certificate, words) { try connect() }
  }

  @Test func givenAuthoritiesReplaceTheSystems() throws {
    let path = try file(
      "Words.\n-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
        + "-----BEGIN CERTIFICATE-----\nMAMC\nAQE=\n-----END CERTIFICATE-----\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try connect { $0.certificateFile = path }
    #expect(network.anchors == [[0x30, 0], [0x30, 3, 2, 1, 1]])
    #expect(network.trustsOnlyAnchors)
    #expect(!network.isResumptionEnabled)
  }

  @Test func rejectedCertificateIsReportedDespiteOtherError() throws {
    network.certificateFault = -67818
    network.certificateRejection = .posix(.ECONNABORTED)
    expectNetworkError(.certificate) { try connect() }
  }

  @Test(arguments: [
    "", "no certificate", "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----",
  ])
  func fileWithoutCertificatesIsReported(text: String) throws {
    let path = try file(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for name in [path, path + ".missing"] {
      expectNetworkError(.certificate, "“\(name)” cannot be read") {
        try connect { $0.certificateFile = name }
      }
    }
  }

  @Test func unencryptedServerIsReported() throws {
    network.isEncryptionRefused = true
    let message = expectNetworkError(.closed) { try connect() }
    #expect(message.hasPrefix("The TLS handshake with 127.0.0.1:"))
  }

  @Test func deniedLocalNetworkIsReported() throws {
    network.isLocalNetworkDenied = true
    expectNetworkError(.unreachable, "Privacy, Local Network") {
      try connect(within: .milliseconds(200))
    }
  }

  @Test func latePermissionIsAwaited() throws {
    network.isLocalNetworkDenied = true
    let server = try TCPServer.echo()
    let link = try NetworkLink(
      to: "127.0.0.1", port: UInt16(server.port), security: .none, proxy: "")
    #expect(eventually { link.waitReason == .localNetworkDenied })
    #expect(link.phase == .connecting)
    network.isLocalNetworkDenied = false
    #expect(eventually { link.phase == .ready })
  }

  @Test func failedSendThrows() throws {
    let transport = try connect()
    network.sendFault = .ECONNRESET
    let error = #expect(throws: NetworkError.self) {
      try transport.send([4], within: TestTimeout.duration)
    }
    #expect(error?.message.contains("broke") == true)
  }

  @Test func receivedDataIsReadAfterFailedSend() throws {
    let server = try TCPServer.echo()
    let link = try NetworkLink(
      to: "127.0.0.1", port: UInt16(server.port), security: .none, proxy: "")
    #expect(eventually { link.phase == .ready })
    link.send([1, 2, 3])
    #expect(eventually { link.sending == .done })
    network.sendFault = .EPIPE
    link.send([4])
    #expect(eventually { link.sending == .failed(.broken) })
    var bytes: [UInt8] = []
    #expect(
      eventually {
        bytes += link.receive().bytes
        return bytes == [1, 2, 3]
      })
  }

  @Test func serverThatHasEndedItsSideCanBeSentTo() throws {
    let received = Lock<[UInt8]>([])
    let server = try TCPServer { connection in
      connection.finishWriting()
      while let bytes = connection.read() { received.withLock { $0 += bytes } }
    }
    let link = try NetworkLink(
      to: "127.0.0.1", port: UInt16(server.port), security: .none, proxy: "")
    #expect(eventually { link.receive().end == .closed })
    link.send([1, 2, 3])
    #expect(eventually { link.sending == .done })
    #expect(eventually { received.withLock(\.self) == [1, 2, 3] })
  }

  @Test func proxyOfOnesOwnIsRefused() throws {
    let message = expectNetworkError(.unsupported) {
      try connect { $0.proxy = "http://user:secret@proxy.example:3128" }
    }
    #expect(!message.contains("secret"))
  }

  @Test func connectionsLeaveNoDescriptors() throws {
    func count() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    _ = try connect().close()
    let before = try count()
    for _ in 0..<20 { try connect().close() }
    // The simulation closes its descriptors on its own threads.
    #expect(try eventually { try count() <= before + 2 })
  }
}
