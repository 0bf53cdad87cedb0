import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// The transport over local sockets.
@Suite(.simulated(seeds: 5)) struct TransportTests {
  private func connected(
    to port: Int, host: String = "127.0.0.1", stop: StopSignal = StopSignal()
  ) throws -> SystemTransport {
    let transport = SystemTransport(stop)
    var endpoint = NetworkEndpoint(host: host, port: port)
    endpoint.proxy = ""
    try transport.connect(to: endpoint, within: TestTimeout.duration)
    return transport
  }

  @Test(arguments: ["127.0.0.1", "::1"]) func bytesAreExchanged(address: String) throws {
    let server = try TCPServer.echo(address: address)
    let transport = try connected(to: server.port, host: address)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 8) }
    for start in stride(from: 0, to: bytes.count, by: 10_000) {
      let piece = Array(bytes[start..<start + 10_000])
      try transport.send(piece, within: TestTimeout.duration)
      #expect(try readBytes(piece.count, from: transport) == piece)
    }
    transport.close()
    transport.close()
    #expect(throws: NetworkError.self) { try transport.send([1], within: .milliseconds(1)) }
  }

  @Test func nameLeadsToWhicheverAddressIsServed() throws {
    let old = try TCPServer.echo(address: "127.0.0.1")
    let transport = try connected(to: old.port, host: "localhost")
    try transport.send([1, 2, 3], within: TestTimeout.duration)
    #expect(try readBytes(3, from: transport) == [1, 2, 3])
  }

  @Test func receiveWithoutDataReturnsFalse() throws {
    let server = try TCPServer.echo()
    let transport = try connected(to: server.port)
    var bytes: [UInt8] = []
    for milliseconds in [0, 20, 5000] {
      let seconds = Double(milliseconds) / 1000
      try expectDuration(seconds...seconds + 0.002) {
        let hasReceived = try transport.receive(into: &bytes, within: .milliseconds(milliseconds))
        #expect(!hasReceived)
      }
    }
    #expect(bytes.isEmpty)
  }

  @Test func dataBeforeCloseIsReadFirst() throws {
    let server = try TCPServer { $0.write(Array("bye".utf8)) }
    let transport = try connected(to: server.port)
    #expect(try readBytes(3, from: transport) == Array("bye".utf8))
    expectNetworkError(.closed, "127.0.0.1:\(server.port)") { try readBytes(1, from: transport) }
  }

  @Test(arguments: ["127.0.0.1", "::1"]) func refusedConnectionIsUnreachable(address: String) throws
  {
    let server = try TCPServer.echo(address: address)
    let port = server.port
    server.stop()
    #expect(eventually { TCPConnection(toPort: port) == nil })
    let message = expectNetworkError(.unreachable) { try connected(to: port, host: address) }
    let hostAndPort = address == "::1" ? "[::1]:\(port)" : "127.0.0.1:\(port)"
    #expect(message.hasPrefix("Nothing accepts connections at \(hostAndPort)."))
  }

  @Test(.realTime) func unknownHostNameIsReported() {
    let error = #expect(throws: NetworkError.self) {
      try connected(to: 80, host: "no-such-host.invalid")
    }
    // A name server that does not respond is as acceptable as one that reports an unknown name.
    if error?.kind == .timeout { return }
    #expect(error?.kind == .unreachable)
    #expect(
      error?.message.hasPrefix("The host name “no-such-host.invalid” cannot be resolved.") == true)
  }

  @Test(arguments: [
    ("", 80), ("a b", 80), ("user@host", 80), ("host/path", 80), ("host", 0), ("host", 65_536),
    ("evil.example#", 80), ("host%41", 80), ("::1%", 80), ("[::1]", 80), ("host\n", 80),
  ])
  func invalidAddressIsUnsupported(host: String, port: Int) {
    expectNetworkError(.unsupported) { try connected(to: port, host: host) }
  }

  @Test func stalledServerTimesOut() throws {
    let server = try TCPServer.stalled()
    let transport = try connected(to: server.port)
    let bytes = [UInt8](repeating: 1, count: 50_000)
    expectNetworkError(.timeout, "has accepted nothing for 300 ms") {
      try expectDuration(0.3...0.31) {
        for _ in 0..<1000 { try transport.send(bytes, within: .milliseconds(300)) }
      }
    }
    // The number of bytes that arrived is unknown, so nothing may follow them.
    #expect(throws: NetworkError.self) { try transport.send([1], within: .milliseconds(1)) }
  }

  @Test func floodingServerDoesNotBlockReceive() throws {
    let server = try TCPServer { connection in
      while connection.write([UInt8](repeating: 1, count: 1 << 20)) {}
    }
    let transport = try connected(to: server.port)
    for _ in 0..<100 {
      var bytes: [UInt8] = []
      #expect(try transport.receive(into: &bytes, within: TestTimeout.duration))
      #expect(!bytes.isEmpty && bytes.count <= 16_384)
    }
  }

  @Test func brokenConnectionIsReported() throws {
    let server = try TCPServer.echo()
    let transport = try connected(to: server.port)
    try transport.send([1], within: TestTimeout.duration)
    #expect(try readBytes(1, from: transport) == [1])
    server.reset()
    expectNetworkError(.closed) { try readBytes(1, from: transport) }
  }

  /// A slow network delays each piece, a lossy one few pieces by the time in which TCP resends them.
  @Test(arguments: [(1, 14), (10, 200)])
  func slowAndLossyNetworksLoseNothing(distance: Int, milliseconds: Int) throws {
    let server = try TCPServer { connection in
      var count = 0
      while let bytes = connection.read(limit: 1448) {
        count += 1
        if count % distance == 0 { System.sleep(milliseconds: milliseconds) }
        if !connection.write(bytes) { return }
      }
    }
    let transport = try connected(to: server.port)
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0) }
    try transport.send(bytes, within: TestTimeout.duration)
    #expect(try readBytes(bytes.count, from: transport) == bytes)
  }

  private static func raise(_ stop: StopSignal, after milliseconds: Int) {
    let isStarted = System.startThread("test") {
      System.sleep(milliseconds: milliseconds)
      stop.raise()
    }
    #expect(isStarted)
  }

  /// libcurl waits in real time for the response to a handshake.
  @Test(.realTime) func stopEndsTheWaitForAConnection() throws {
    let silent = try TCPServer { connection in while connection.read() != nil {} }
    let stop = StopSignal()
    var endpoint = NetworkEndpoint(host: "127.0.0.1", port: silent.port, isSecure: true)
    endpoint.proxy = ""
    Self.raise(stop, after: 10)
    // After this time, the error would be another one.
    expectNetworkError(.closed) {
      try SystemTransport(stop).connect(to: endpoint, within: .seconds(60))
    }
  }

  @Test(arguments: [true, false]) func stopEndsEveryWait(isReceiving: Bool) throws {
    let silent = try TCPServer.stalled()
    let stop = StopSignal()
    let transport = try connected(to: silent.port, stop: stop)
    expectNetworkError(.closed) {
      try expectDuration(5...5.001) {
        Self.raise(stop, after: 5000)
        var bytes: [UInt8] = []
        if isReceiving { _ = try transport.receive(into: &bytes, within: .seconds(600)) }
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<100 { try transport.send(piece, within: .seconds(600)) }
      }
    }
  }

  @Test func transportDiesWithItsLastUser() throws {
    let server = try TCPServer { connection in while connection.read() != nil {} }
    for _ in 0..<20 { _ = try connected(to: server.port) }
    #expect(
      eventually { server.connectionCount == 20 && server.connections.isEmpty },
      "\(server.connections.count) of \(server.connectionCount) connections are still open.")
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
}

/// Reads until `count` bytes have arrived.
func readBytes(_ count: Int, from transport: any ByteTransport) throws -> [UInt8] {
  var transport = transport
  var bytes: [UInt8] = []
  while bytes.count < count {
    if try !transport.receive(into: &bytes, within: TestTimeout.duration) { break }
  }
  return bytes
}
