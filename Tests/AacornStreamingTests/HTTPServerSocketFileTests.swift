import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork

/// Servers at a socket file, for programs of the same user.
@Suite struct HTTPServerSocketFileTests {
  private static func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "aacorn-socket-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private static func server(_ path: String) throws -> HTTPServer {
    try HTTPServer(socket: path) { HTTPServerTests.echo($0, $1) }
  }

  private static func failure(_ path: String) -> NetworkError? {
    #expect(throws: NetworkError.self) { try server(path) }
  }

  private static func expectAnswer(at path: String) throws {
    let client = try HTTPClient(path: path)
    client.ask("/")
    #expect(try client.receiveAnswer().status == 200)
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  @Test func requestsComeThroughAFileThatOnlyItsOwnerMayUse() throws {
    try Self.withFolder { folder in
      let path = folder + "/studio.sock"
      let server = try Self.server(path)
      #expect(server.socketPath == path && server.url == "unix:" + path)
      #expect(server.port == 0 && server.address.isEmpty)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(attributes[.type] as? FileAttributeType == .typeSocket)
      let client = try HTTPClient(path: path)
      for _ in 0..<3 {
        client.ask("/a", method: "POST", body: [1, 2])
        #expect(try client.receiveAnswer().text == "POST /a\n2 bytes from unix")
      }
      server.stop()
      #expect(!Self.exists(path))
      #expect(throws: RigFailure.self) { try HTTPClient(path: path) }
    }
  }

  @Test func socketInUseAndOtherFilesAreKept() throws {
    try Self.withFolder { folder in
      let path = folder + "/s"
      let server = try Self.server(path)
      let inUseError = Self.failure(path)
      #expect(inUseError?.kind == .taken)
      #expect(
        inUseError?.message
          == "The socket “\(path)” is in use by another program. Stop that program,"
          + " or choose another name.")
      try Self.expectAnswer(at: path)
      server.stop()

      try Data("sound".utf8).write(to: URL(fileURLWithPath: folder + "/file"))
      try FileManager.default.createDirectory(
        atPath: folder + "/folder", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: folder + "/file")
      for name in ["file", "folder", "link"] {
        let error = Self.failure("\(folder)/\(name)")
        #expect(error?.kind == .taken)
        #expect(error?.message.contains("is not a socket") == true)
      }
      #expect(FileManager.default.contents(atPath: folder + "/file") == Data("sound".utf8))
      #expect(Self.exists(folder + "/folder") && Self.exists(folder + "/link"))
    }
  }

  @Test func staleSocketFileIsTakenOver() throws {
    try Self.withFolder { folder in
      let path = folder + "/s"
      // The file of a killed server exists, but no process listens.
      try System.close(System.openListener(atPath: path))
      #expect(Self.exists(path))
      let server = try Self.server(path)
      try Self.expectAnswer(at: path)
      server.stop()
      #expect(!Self.exists(path))
    }
  }

  @Test func serverRemovesOnlyItsOwnSocketFile() throws {
    try Self.withFolder { folder in
      let path = folder + "/s"
      let first = try Self.server(path)
      try FileManager.default.removeItem(atPath: path)
      let second = try Self.server(path)
      first.stop()
      try Self.expectAnswer(at: path)
      second.stop()
      #expect(!Self.exists(path))
    }
  }

  @Test func oneOfSeveralThatBeginAtOnceGetsTheFile() throws {
    try Self.withFolder { folder in
      for round in 0..<10 {
        let path = folder + "/\(round)"
        let servers = Lock<[HTTPServer]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          if let server = try? Self.server(path) { servers.withLock { $0.append(server) } }
        }
        let all = servers.withLock { $0 }
        #expect(all.count == 1)
        for server in all { server.stop() }
        #expect(!Self.exists(path))
      }
    }
  }

  @Test func invalidSocketPathThrows() throws {
    try Self.withFolder { folder in
      let long = Self.failure(folder + "/" + String(repeating: "x", count: 120))
      #expect(long?.kind == .unsupported)
      #expect(long?.message.contains("is too long for a socket") == true)
      let absent = Self.failure(folder + "/absent/s")
      #expect(absent?.kind == .notFound)
      #expect(
        absent?.message
          == "The folder for the socket “\(folder)/absent/s” does not exist. Create it, or choose "
          + "another.")
      #expect(Self.failure("")?.message == "“” is not a valid socket name.")
      #expect(Self.failure(folder + "/a\0b")?.kind == .unsupported)
    }
  }
}
