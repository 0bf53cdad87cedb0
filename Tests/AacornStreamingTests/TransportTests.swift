import AacornSystem
import CAacornCurl
import Foundation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStreaming
@testable import AacornWeb

/// The transport against real sockets of this computer.
@Suite struct TransportTests {
  private func connected(
    to port: Int, host: String = "127.0.0.1", stop: StopSignal = StopSignal()
  ) throws -> CurlTransport {
    let transport = CurlTransport(stop)
    var endpoint = NetworkEndpoint(host: host, port: port)
    endpoint.proxy = ""
    try transport.connect(to: endpoint, within: Patience.duration)
    return transport
  }

  /// Reads until so many bytes have come.
  private func read(_ count: Int, from transport: any ByteTransport) throws -> [UInt8] {
    var transport = transport
    var bytes: [UInt8] = []
    while bytes.count < count {
      if try !transport.receive(into: &bytes, within: Patience.duration) { break }
    }
    return bytes
  }

  @Test(arguments: ["127.0.0.1", "::1"]) func bytesGoToAndFro(address: String) throws {
    let server = try TCPServer.echo(address: address)
    let transport = try connected(to: server.port, host: address)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 8) }
    for start in stride(from: 0, to: bytes.count, by: 10_000) {
      let piece = Array(bytes[start..<start + 10_000])
      try transport.send(piece, within: Patience.duration)
      #expect(try read(piece.count, from: transport) == piece)
    }
    transport.close()
    transport.close()
    #expect(throws: NetworkError.self) { try transport.send([1], within: .milliseconds(1)) }
  }

  @Test func nameLeadsToWhicheverAddressIsServed() throws {
    let old = try TCPServer.echo(address: "127.0.0.1")
    let transport = try connected(to: old.port, host: "localhost")
    try transport.send([1, 2, 3], within: Patience.duration)
    #expect(try read(3, from: transport) == [1, 2, 3])
  }

  @Test func nothingToReadIsNoError() throws {
    let server = try TCPServer.echo()
    let transport = try connected(to: server.port)
    var bytes: [UInt8] = []
    #expect(try !transport.receive(into: &bytes, within: .zero))
    #expect(try !transport.receive(into: &bytes, within: .milliseconds(20)))
    #expect(bytes.isEmpty)
  }

  @Test func whatCameBeforeTheEndIsReadFirst() throws {
    let server = try TCPServer { $0.write(Array("bye".utf8)) }
    let transport = try connected(to: server.port)
    #expect(try read(3, from: transport) == Array("bye".utf8))
    let error = #expect(throws: NetworkError.self) { try read(1, from: transport) }
    #expect(error?.kind == .closed)
    #expect(error?.sentence.contains("127.0.0.1:\(server.port)") == true)
  }

  @Test(arguments: ["127.0.0.1", "::1"]) func nobodyThereIsSaid(address: String) throws {
    let server = try TCPServer.echo(address: address)
    let port = server.port
    server.stop()
    while TCPConnection(toPort: port) != nil { usleep(1000) }
    let error = #expect(throws: NetworkError.self) { try connected(to: port, host: address) }
    #expect(error?.kind == .unreachable)
    let place = address == "::1" ? "[::1]:\(port)" : "127.0.0.1:\(port)"
    #expect(error?.sentence.hasPrefix("Nothing accepts connections at \(place).") == true)
  }

  @Test func unknownNameIsSaid() {
    let error = #expect(throws: NetworkError.self) {
      try connected(to: 80, host: "no-such-host.invalid")
    }
    // A name server that does not answer is as good as one that says no.
    if error?.kind == .timeout { return }
    #expect(error?.kind == .unreachable)
    #expect(error?.sentence.hasPrefix("No address is known for “no-such-host.invalid”.") == true)
  }

  @Test(arguments: [
    ("", 80), ("a b", 80), ("user@host", 80), ("host/path", 80), ("host", 0), ("host", 65_536),
    ("evil.example#", 80), ("host%41", 80), ("::1%", 80), ("[::1]", 80), ("host\n", 80),
  ])
  func whatIsNoAddressIsRefused(host: String, port: Int) {
    let error = #expect(throws: NetworkError.self) { try connected(to: port, host: host) }
    #expect(error?.kind == .unsupported)
  }

  @Test func serverThatTakesNothingIsATimeout() throws {
    let target = try TCPServer.echo()
    let proxy = try FaultyProxy(to: target.port, mode: .stall)
    let transport = try connected(to: proxy.port)
    let bytes = [UInt8](repeating: 1, count: 50_000)
    let error = #expect(throws: NetworkError.self) {
      for _ in 0..<1000 { try transport.send(bytes, within: .milliseconds(300)) }
    }
    #expect(error?.kind == .timeout)
    #expect(error?.sentence.contains("has accepted nothing for 300 ms") == true)
    // Nobody knows how much of the last piece has arrived, so nothing may follow it.
    #expect(throws: NetworkError.self) { try transport.send([1], within: .milliseconds(1)) }
  }

  @Test(arguments: [(8192, 120_000), (65_536, 400_000)])
  func systemHoldsLittleOfWhatNobodyTakes(limit: Int, most: Int) throws {
    let target = try TCPServer.echo()
    let proxy = try FaultyProxy(to: target.port, mode: .stall)
    let transport = CurlTransport(StopSignal())
    transport.unsentLimit = limit
    var endpoint = NetworkEndpoint(host: "127.0.0.1", port: proxy.port)
    endpoint.proxy = ""
    try transport.connect(to: endpoint, within: Patience.duration)
    var takenCount = 0
    #expect(throws: NetworkError.self) {
      for _ in 0..<10_000 {
        try transport.send([UInt8](repeating: 1, count: 256), within: .milliseconds(300))
        takenCount += 256
      }
    }
    #expect(takenCount < most, "\(takenCount)")
  }

  @Test func serverThatFloodsHoldsNobodyUp() throws {
    let server = try TCPServer { connection in
      while connection.write([UInt8](repeating: 1, count: 1 << 20)) {}
    }
    let transport = try connected(to: server.port)
    for _ in 0..<100 {
      var bytes: [UInt8] = []
      #expect(try transport.receive(into: &bytes, within: Patience.duration))
      #expect(!bytes.isEmpty && bytes.count <= 16_384)
    }
  }

  @Test func brokenConnectionIsSaid() throws {
    let target = try TCPServer.echo()
    let proxy = try FaultyProxy(to: target.port)
    let transport = try connected(to: proxy.port)
    try transport.send([1], within: Patience.duration)
    #expect(try read(1, from: transport) == [1])
    proxy.reset()
    let error = #expect(throws: NetworkError.self) { try read(1, from: transport) }
    #expect(error?.kind == .closed)
  }

  @Test func slowAndLossyNetworksLoseNothing() throws {
    for mode in [FaultyProxy.Mode.slow(bytesPerSecond: 100_000), .lossy(probability: 0.1)] {
      let target = try TCPServer.echo()
      let proxy = try FaultyProxy(to: target.port, mode: mode)
      let transport = try connected(to: proxy.port)
      let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0) }
      try transport.send(bytes, within: Patience.duration)
      #expect(try read(bytes.count, from: transport) == bytes)
    }
  }

  /// The thread that asks, as Linux names it: `12/task/34`.
  private static var ownThread: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
  }

  /// Whether a thread waits for something; true where nobody can tell.
  private static func isAsleep(_ thread: String?) -> Bool {
    guard let thread else { return true }
    let status = try? String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8)
    return status?.split(separator: ")").last?.hasPrefix(" S") == true
  }

  @Test func stopEndsEveryWait() throws {
    let silent = try TCPServer { connection in while connection.read() != nil {} }
    let proxy = try FaultyProxy(to: silent.port, mode: .stall)
    // A handshake that nobody answers, a read, and a send that nobody takes.
    for step in 0..<3 {
      let stop = StopSignal()
      let transport = CurlTransport(stop)
      var endpoint = NetworkEndpoint(host: "127.0.0.1", port: proxy.port, isSecure: step == 0)
      endpoint.proxy = ""
      if step > 0 { try transport.connect(to: endpoint, within: Patience.duration) }
      let thread = Self.ownThread
      let isStarted = System.startThread {
        // The first one waits as soon as it is connected; the others sleep.
        while step == 0 ? proxy.openConnectionCount == 0 : !Self.isAsleep(thread) {
          System.sleep(milliseconds: 1)
        }
        stop.raise()
      }
      #expect(isStarted)
      let start = System.seconds
      let error = #expect(throws: NetworkError.self) {
        var bytes: [UInt8] = []
        switch step {
        case 0: try transport.connect(to: endpoint, within: .seconds(600))
        case 1: _ = try transport.receive(into: &bytes, within: .seconds(600))
        default:
          let piece = [UInt8](repeating: 1, count: 1 << 20)
          for _ in 0..<100 { try transport.send(piece, within: .seconds(600)) }
        }
      }
      #expect(error?.kind == .closed)
      #expect(System.seconds - start < promptSeconds)
    }
  }

  @Test func transportDiesWithItsLastUser() throws {
    let server = try TCPServer { connection in while connection.read() != nil {} }
    for _ in 0..<20 { _ = try connected(to: server.port) }
    #expect(
      comesTrue { server.connectionCount == 20 && server.connections.isEmpty },
      "\(server.connections.count) of \(server.connectionCount) connections are left.")
  }

  // MARK: - Proxies

  /// What a proxy was asked, and what it answers.
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

  @Test func proxyIsAskedToConnect() throws {
    let server = try TCPServer.echo()
    let asked = Lock<[String]>([])
    let proxy = try proxy(
      answer: "HTTP/1.1 200 Connection established\r\n\r\n", asked: asked, to: server.port)
    let transport = CurlTransport(StopSignal())
    var endpoint = NetworkEndpoint(host: "radio.example", port: 8000)
    endpoint.proxy = "http://user:secret@127.0.0.1:\(proxy.port)"
    try transport.connect(to: endpoint, within: Patience.duration)
    try transport.send([4, 5, 6], within: Patience.duration)
    #expect(try read(3, from: transport) == [4, 5, 6])
    let request = try #require(asked.withLock { $0.first })
    #expect(request.hasPrefix("CONNECT radio.example:8000 HTTP/1."))
    #expect(request.contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ="))
  }

  @Test(arguments: [(407, NetworkError.Kind.unauthorized), (403, .unreachable)])
  func proxyThatRefusesIsSaid(code: Int, kind: NetworkError.Kind) throws {
    let asked = Lock<[String]>([])
    let proxy = try proxy(
      answer: "HTTP/1.1 \(code) No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
      asked: asked, to: 1)
    let transport = CurlTransport(StopSignal())
    var endpoint = NetworkEndpoint(host: "radio.example", port: 8000)
    endpoint.proxy = "http://user:secret@127.0.0.1:\(proxy.port)"
    let error = #expect(throws: NetworkError.self) {
      try transport.connect(to: endpoint, within: Patience.duration)
    }
    #expect(error?.kind == kind)
    #expect(error?.sentence.contains("radio.example:8000") == true)
    #expect(error?.sentence.contains("(HTTP \(code))") == true)
    #expect(error?.sentence.contains("secret") == false)
  }

  @Test func missingProxyIsSaidWithoutItsPassword() {
    let transport = CurlTransport(StopSignal())
    var endpoint = NetworkEndpoint(host: "radio.example", port: 8000)
    endpoint.proxy = "http://user:secret@no-such-proxy.invalid:3128"
    let error = #expect(throws: NetworkError.self) {
      try transport.connect(to: endpoint, within: Patience.duration)
    }
    #expect(error?.kind == .unreachable)
    #expect(error?.sentence.contains("the proxy on the way to radio.example:8000") == true)
    #expect(error?.sentence.contains("secret") == false)
  }

  @Test func proxyThatIsNotThereIsNamedAsACause() throws {
    let transport = CurlTransport(StopSignal())
    var endpoint = NetworkEndpoint(host: "radio.example", port: 8000)
    endpoint.proxy = "http://user:secret@127.0.0.1:\(try freePort())"
    let error = #expect(throws: NetworkError.self) {
      try transport.connect(to: endpoint, within: Patience.duration)
    }
    #expect(error?.kind == .unreachable)
    #expect(error?.sentence.contains("or at the proxy on the way there") == true)
    #expect(error?.sentence.contains("secret") == false)
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

  @Test func endpointKeepsTheProxysPasswordToItself() {
    var endpoint = NetworkEndpoint(host: "::1", port: 8000)
    endpoint.proxy = "http://user:secret@127.0.0.1:3128"
    endpoint.certificateFile = "/authority.pem"
    var words = "\(endpoint) \(String(reflecting: endpoint)) \([endpoint])"
    dump(endpoint, to: &words)
    #expect(words.contains("[::1]:8000"))
    #expect(words.contains("/authority.pem"))
    #expect(!words.contains("secret"))
  }

  // MARK: - The library

  private func load(_ file: String) -> (result: aacorn_curl_loading, reason: String) {
    var functions = aacorn_curl_functions()
    var reason = [CChar](repeating: 0, count: 256)
    let result = unsafe aacorn_curl_load(file, &functions, &reason, reason.count)
    return (result, String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
  }

  #if os(Linux)
  @Test(arguments: ["libcurl.so.4", "libcurl-gnutls.so.4"])
  func libraryIsFoundWithAllItsFunctions(file: String) {
    let (result, reason) = load(file)
    #expect(result == AACORN_CURL_LOADED, "\(reason): apt-get install libcurl4 libcurl3-gnutls")
  }

  @Test func libraryWithoutTheFunctionsIsRefused() {
    let (result, reason) = load("libc.so.6")
    #expect(result == AACORN_CURL_NO_FUNCTION)
    #expect(reason == "it has no function curl_global_init")
  }
  #endif

  @Test func missingLibraryIsNamed() {
    let (result, reason) = load("libcurl-that-is-missing.so.4")
    #expect(result == AACORN_CURL_NO_LIBRARY)
    #expect(reason.contains("libcurl-that-is-missing.so.4"))
  }
}
