import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

/// The library over HTTP.
@Suite("The library over HTTP", .simulated(seeds: 2)) struct LibraryServerTests {
  private let folder: StudioFolderRig
  private let studio: StudioServer

  init() throws {
    folder = try StudioFolderRig()
    studio = try StudioServer(in: folder.path)
  }

  private func ask(
    _ path: String, method: String = "GET", headers: [String] = [], body: [UInt8] = []
  ) throws -> StudioClient.Answer {
    try studioAnswer(studio, path, method: method, headers: headers, body: body)
  }

  private func post(_ path: String, _ form: String = "") throws -> StudioClient.Answer {
    try studioAnswer(studio, path, form: form)
  }

  @Test func aRecordingIsPlayedInParts() throws {
    let sound = LibrarySound.wav
    try folder.put(sound, "a b.wav")
    let whole = try ask("/recordings/a%20b.wav")
    #expect(whole.status == 200)
    #expect(whole.body == sound)
    #expect(whole.headers["content-type"] == "audio/wav")
    #expect(whole.headers["accept-ranges"] == "bytes")
    #expect(whole.headers["content-disposition"] == nil)
    let tag = try #require(whole.headers["etag"])
    for (range, bytes) in [
      ("0-0", sound[0..<1]), ("100-199", sound[100..<200]), ("-50", sound.suffix(50)),
      ("\(sound.count - 10)-", sound.suffix(10)), ("5-999999999999", sound[5...]),
    ] {
      let part = try ask("/recordings/a%20b.wav", headers: ["Range: bytes=\(range)"])
      #expect(part.status == 206, "\(range)")
      #expect(part.body == Array(bytes))
      #expect(
        part.headers["content-range"]
          == "bytes \(bytes.startIndex)-\(bytes.endIndex - 1)/\(sound.count)")
    }
    #expect(
      try ask("/recordings/a%20b.wav", headers: ["Range: bytes=\(sound.count)-"]).status == 416)
    #expect(try ask("/recordings/a%20b.wav", headers: ["If-None-Match: \(tag)"]).status == 304)
    let head = try ask("/recordings/a%20b.wav", method: "HEAD")
    #expect(head.status == 200)
    #expect(head.headers["content-length"] == "\(sound.count)")
    // A new file with the same name must not complete a client's partial copy of the old one.
    try folder.put(Array(sound.reversed()), "a b.wav")
    let changed = try ask(
      "/recordings/a%20b.wav", headers: ["Range: bytes=0-9", "If-Range: \"1-1\""])
    #expect(changed.status == 200)
    #expect(changed.body.count == sound.count)
  }

  @Test func growingRecordingIsServedUpToCurrentSize() throws {
    try folder.put(Array(LibrarySound.aac.prefix(5000)), "live.aac")
    #expect(try ask("/recordings/live.aac").body.count == 5000)
    try folder.put(Array(LibrarySound.aac.prefix(9000)), "live.aac")
    let more = try ask("/recordings/live.aac", headers: ["Range: bytes=5000-"])
    #expect(more.status == 206)
    #expect(more.body == Array(LibrarySound.aac[5000..<9000]))
  }

  @Test(arguments: [
    "Grüße 🎙️👩‍💻 – 日本語.m4a", "\"a\" 'b' <&>.m4a", "%2e%2e%2fx.m4a", "a+b&c=d?e#f;g.m4a", "a  b .m4a",
    "100%.m4a", "x..y.m4a", String(repeating: "ü", count: 125) + "a.m4a",
  ])
  func oddNamesGoThereAndBack(name: String) throws {
    try folder.put(LibrarySound.m4a, name)
    let list = try ask("/api/recordings").json["recordings"] as? [[String: Any]]
    #expect(list?.map { $0["name"] as? String } == [name])
    let address = LibraryRig.escaped(name)
    let answer = try ask("/recordings/\(address)?download")
    #expect(answer.status == 200 && answer.headers["content-type"] == "audio/mp4")
    #expect(answer.body == LibrarySound.m4a)
    let disposition = try #require(answer.headers["content-disposition"])
    #expect(disposition.hasPrefix("attachment; filename=\""))
    #expect(disposition.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    let encoded = try #require(disposition.components(separatedBy: "UTF-8''").last)
    #expect(encoded.removingPercentEncoding == name)
    let renamed = try post("/api/recordings/\(address)/rename", "to=new+name")
    #expect(renamed.name == "new name.m4a")
    let back = try post("/api/recordings/new%20name.m4a/rename", "to=" + address)
    #expect(back.name == name)
    let id = try #require(try post("/api/recordings/\(address)/delete").json["id"] as? String)
    #expect(try ask("/recordings/\(address)").status == 404)
    #expect(try post("/api/deleted/\(id)/restore").name == name)
    #expect(try ask("/recordings/\(address)").status == 200)
  }

  @Test func pieceOfUnknownUploadIsRejectedBeforeBody() throws {
    let id = try #require(post("/api/uploads", "name=a.wav").json["id"] as? String)
    let absent = String(repeating: "0", count: 32)
    for name in [absent, "x", "..%2e", "%2e%2e%2e", id + "0", id.uppercased(), absent + ".name"] {
      let client = try StudioClient(studio)
      // The request announces the body but does not send it.
      client.ask(
        "/api/uploads/\(name)?at=0", method: "PUT", headers: ["Content-Length: 1000000"])
      let answer = try client.answer()
      #expect(answer.status == 404)
      #expect(answer.text.contains("This upload no longer exists."))
    }
    // An unauthorized client does not learn whether the upload exists.
    let foreignClient = try StudioClient(studio)
    foreignClient.ask(
      "/api/uploads/\(absent)?at=0", method: "PUT",
      headers: ["Content-Length: 1000000", "Host: evil.example"])
    #expect(try foreignClient.answer().status == 403)
    let unknown = try StudioClient(port: studio.port)
    unknown.ask("/api/uploads/\(absent)?at=0", method: "PUT", headers: ["Content-Length: 1000000"])
    #expect(try unknown.answer().status == 401)
    let piece = try ask("/api/uploads/\(id)?at=0", method: "PUT", body: [1, 2, 3])
    #expect(piece.status == 200)
  }
}
