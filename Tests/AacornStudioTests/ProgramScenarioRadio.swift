import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import TestSignals

/// An Icecast server that refuses, resets and stalls.
final class Radio: Sendable {
  private struct State {
    var numbers: SeededNumbers
    var streams: [[UInt8]] = []
    var titles: [String] = []
    var titleRequestCount = 0
  }

  private let state: Lock<State>
  private let server: TCPServer
  var port: Int { server.port }
  var streams: [[UInt8]] { state.withLock(\.streams) }
  /// The titles, of which each is here once, because a failed request is repeated.
  var titles: [String] { state.withLock(\.titles) }

  /// The number of requests with a title, refused ones included.
  var titleRequestCount: Int { state.withLock(\.titleRequestCount) }

  init(_ numbers: SeededNumbers) throws {
    let state = Lock(State(numbers: numbers))
    self.state = state
    server = try TCPServer { Self.serve($0, state) }
  }

  func stop() {
    server.stop()
    _ = eventually { self.server.connections.isEmpty }
  }

  private static func serve(_ connection: TCPConnection, _ state: Lock<State>) {
    guard let head = connection.read(through: "\r\n\r\n") else { return }
    let request = String(decoding: head, as: UTF8.self)
    let fault = state.withLock { Int.random(in: 0..<8, using: &$0.numbers) }
    if request.contains("/admin/metadata") {
      state.withLock { $0.titleRequestCount += 1 }
      if fault == 0 { return }
      let title = request.prefix { $0 != "\r" }.split(separator: " ")[1]
        .split(separator: "&").first { $0.hasPrefix("song=") }?.dropFirst(5)
      state.withLock { state in
        if let title, state.titles.last != String(title) { state.titles.append(String(title)) }
      }
      connection.write(Array("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
      return
    }
    if fault == 0 { return }
    if fault == 1 { System.sleep(milliseconds: 15_000) }
    let index = state.withLock { state in
      state.streams.append([])
      return state.streams.count - 1
    }
    connection.write(Array("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\n".utf8))
    let limit = state.withLock { state in
      fault < 5 ? Int.random(in: 1...60_000, using: &state.numbers) : Int.max
    }
    var count = 0
    while count < limit, let bytes = connection.read(limit: min(16_384, limit - count)) {
      count += bytes.count
      state.withLock { $0.streams[index] += bytes }
    }
    if count < limit { return }
    if fault == 2 { System.sleep(milliseconds: 5000) }
    connection.reset()
  }
}
