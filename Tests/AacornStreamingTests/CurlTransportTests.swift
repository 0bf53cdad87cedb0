import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// Behavior specific to libcurl: limits, proxies, and a missing library.
@Suite struct CurlTransportTests {
  @Test(arguments: [(8192, 120_000), (65_536, 400_000)])
  func unsentLimitBoundsBytesSentToStalledServer(limit: Int, most: Int) throws {
    let server = try TCPServer.stalled()
    let transport = CurlTransport(StopSignal())
    transport.unsentLimit = limit
    var endpoint = NetworkEndpoint(host: "127.0.0.1", port: server.port)
    endpoint.proxy = ""
    try transport.connect(to: endpoint, within: TestTimeout.duration)
    var takenCount = 0
    #expect(throws: NetworkError.self) {
      for _ in 0..<10_000 {
        try transport.send([UInt8](repeating: 1, count: 256), within: .milliseconds(300))
        takenCount += 256
      }
    }
    #expect(takenCount < most, "\(takenCount)")
  }

  // MARK: - Proxies

  /// Starts a proxy that records each request and sends `answer`.
  private func proxy(answer: String, asked: Lock<[String]>, to port: Int) throws -> TCPServer {
    try TCPServer { client in
      guard let request = client.read(through: "\r\n\r\n") else { return }
      asked.withLock { $0.append(String(decoding: request, as: UTF8.self)) }
      client.write(Array(answer.utf8))
      guard answer.contains(" 200 "), let server = TCPConnection(toPort: port) else { return }
      while let bytes = client.read(), server.write(bytes), let back = server.read() {
        client.write(back)
      }
      server.close()
    }
  }

  /// Connects to radio.example through the proxy at a host and port.
  private func connect(through proxy: String) throws -> CurlTransport {
    let transport = CurlTransport(StopSignal())
    var endpoint = NetworkEndpoint(host: "radio.example", port: 8000)
    endpoint.proxy = "http://user:secret@\(proxy)"
    try transport.connect(to: endpoint, within: TestTimeout.duration)
    return transport
  }

  private func expectFailure(
    through proxy: String, _ kind: NetworkError.Kind, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: NetworkError.self, sourceLocation: sourceLocation) {
      try connect(through: proxy)
    }
    #expect(error?.kind == kind, sourceLocation: sourceLocation)
    #expect(error?.message.contains(words) == true, sourceLocation: sourceLocation)
    #expect(error?.message.contains("radio.example:8000") == true, sourceLocation: sourceLocation)
    #expect(error?.message.contains("secret") == false, sourceLocation: sourceLocation)
  }

  @Test func proxyIsAskedToConnect() throws {
    let server = try TCPServer.echo()
    let asked = Lock<[String]>([])
    let proxy = try proxy(
      answer: "HTTP/1.1 200 Connection established\r\n\r\n", asked: asked, to: server.port)
    let transport = try connect(through: "127.0.0.1:\(proxy.port)")
    try transport.send([4, 5, 6], within: TestTimeout.duration)
    #expect(try readBytes(3, from: transport) == [4, 5, 6])
    let request = try #require(asked.withLock { $0.first })
    #expect(request.hasPrefix("CONNECT radio.example:8000 HTTP/1."))
    #expect(request.contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ="))
  }

  @Test(arguments: [(407, NetworkError.Kind.unauthorized), (403, .unreachable)])
  func proxyRejectionIsReported(code: Int, kind: NetworkError.Kind) throws {
    let proxy = try proxy(
      answer: "HTTP/1.1 \(code) No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
      asked: Lock([]), to: 1)
    expectFailure(through: "127.0.0.1:\(proxy.port)", kind, "(HTTP \(code))")
  }

  @Test func missingProxyIsReportedWithoutPassword() {
    expectFailure(
      through: "no-such-proxy.invalid:3128", .unreachable, "the proxy for radio.example:8000")
  }

  @Test func unreachableProxyIsNamedInError() throws {
    expectFailure(through: "127.0.0.1:\(try freePort())", .unreachable, "or at the proxy")
  }

  @Test func proxyOfTheEnvironmentIsKnown() {
    func hasProxy(_ proxy: String?, isSecure: Bool, _ environment: [String: String]) -> Bool {
      var endpoint = NetworkEndpoint(host: "radio.example", port: 8000, isSecure: isSecure)
      endpoint.proxy = proxy
      return NetworkError.hasProxy(endpoint) { environment[$0] }
    }
    #expect(!hasProxy(nil, isSecure: false, [:]))
    #expect(hasProxy(nil, isSecure: false, ["http_proxy": "http://a"]))
    #expect(!hasProxy("", isSecure: false, ["http_proxy": "http://a"]))
    #expect(!hasProxy(nil, isSecure: true, ["http_proxy": "http://a"]))
    #expect(hasProxy(nil, isSecure: true, ["https_proxy": "http://a"]))
    #expect(hasProxy(nil, isSecure: true, ["ALL_PROXY": "http://a"]))
    #expect(!hasProxy(nil, isSecure: true, ["all_proxy": ""]))
    #expect(hasProxy("http://a", isSecure: true, [:]))
  }

  // MARK: - The library

  #if os(Linux)
  @Test(arguments: ["libcurl.so.4", "libcurl-gnutls.so.4"])
  func libraryIsFoundWithAllItsFunctions(file: String) {
    if case .failure(let fault) = CurlTransport.load(file) {
      Issue.record("\(fault.text): Scripts/setup --tests installs libcurl4, libcurl3-gnutls")
    }
  }
  #endif
}
