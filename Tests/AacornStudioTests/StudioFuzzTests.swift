import AacornStreaming
import Foundation
import StreamRigs
import TestSignals
import Testing

@testable import AacornStudio

@Suite("Invalid requests") struct StudioFuzzTests {

  private static let methods = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "\u{0}", "", "G",
  ]
  private static let paths = [
    "/", "/index.html", "/api/state", "/api/events", "/api/devices", "/api/record", "/api/stop",
    "/api/gain", "/api/effects", "/api/bypass", "/api/hear", "/api/listen", "/api/recordings",
    "/api/recordings/a.m4a/waveform",
    "/api/recordings/a.m4a/rename", "/api/recordings/%2e%2e/delete", "/api/deleted/1/restore",
    "/api/uploads", "/api/uploads/1?at=0", "/api/uploads/1?at=-1", "/api/uploads/1/finish",
    "/recordings/a.m4a", "/recordings/a.m4a?download", "/hls/live.m3u8", "*", "http://x/",
    "/?token=", "/?code=", "/?code=%ff", "/api/login", "/login.js", "/login.html",
  ]
  private static let names = [
    "Host", "Origin", "X-Aacorn", "Content-Length", "Content-Type", "Transfer-Encoding", "Range",
    "If-None-Match", "Cookie", "Authorization", "Expect", "Connection", "Sec-Fetch-Site", "Upgrade",
  ]
  private static let values = [
    "studio", "0", "-1", "99999999999999999999", "chunked", "bytes=0-", "bytes=5-1", "*", "close",
    "application/x-www-form-urlencoded", "100-continue", "null", "websocket", "", "\u{FF}\u{0}",
  ]
  private static let bodies = [
    "", "a=b", "device=tone&format=nothing", "to=../x", "name=%00", "=&=&%",
    "5\r\nhello\r\n0\r\n",
    "effects=ladspa%20/x:y", "effects=reverb%2Cgain%20nan", "bypassed=maybe",
    "at=18446744073709551615", "gain=nan", "gain=1e999", "bitrate=-1", "muted=maybe",
  ]

  /// Returns a request whose parts may be invalid.
  private static func request(_ studio: StudioServer, _ noise: inout SeededNumbers) -> [UInt8] {
    let method = methods.randomElement(using: &noise) ?? ""
    let path = paths.randomElement(using: &noise) ?? ""
    var text =
      "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(studio.port)\r\nX-Aacorn: studio\r\n"
    if Int.random(in: 0..<8, using: &noise) > 0 { text += "Cookie: \(studio.cookie ?? "")\r\n" }
    for _ in 0..<Int.random(in: 0...4, using: &noise) {
      text += "\(names.randomElement(using: &noise) ?? ""): "
      text += "\(values.randomElement(using: &noise) ?? "")\r\n"
    }
    let body = Array((bodies.randomElement(using: &noise) ?? "").utf8)
    if Bool.random(using: &noise) { text += "Content-Length: \(body.count)\r\n" }
    if Bool.random(using: &noise) {
      text += "Content-Type: application/x-www-form-urlencoded\r\n"
    }
    var bytes = Array((text + "\r\n").utf8) + body
    switch UInt8.random(in: 0..<4, using: &noise) {
    case 0:
      for _ in 0..<Int.random(in: 1...8, using: &noise) {
        let index = Int.random(in: 0..<bytes.count, using: &noise)
        bytes[index] = UInt8.random(in: 0...255, using: &noise)
      }
    case 1: bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &noise)...)
    case 2:
      let index = Int.random(in: 0..<bytes.count, using: &noise)
      let length = Int.random(in: 1...300, using: &noise)
      bytes.insert(contentsOf: [UInt8](repeating: bytes[index], count: length), at: index)
    default: break
    }
    return bytes
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func studioSurvivesRandomRequests(seed: UInt64) throws {
    let folder = try StudioFolderRig()
    let studio = try StudioServer(StudioConfiguration(folder: folder.path))
    var noise = SeededNumbers(seed: seed)
    for round in 0..<1500 {
      let client = try StudioClient(studio)
      for _ in 0..<Int.random(in: 1...3, using: &noise) {
        client.send(
          round % 10 == 0
            ? (0..<Int.random(in: 1...400, using: &noise)).map { _ in
              UInt8.random(in: 0...255, using: &noise)
            } : Self.request(studio, &noise))
      }
      // Some clients wait for a response; most disconnect immediately.
      if round % 5 == 0 { _ = client.hasBytes(milliseconds: 20) }
      client.close()
      if round % 250 == 0 {
        #expect(try studioAnswer(studio, "/").status == 200)
      }
    }
    #expect(try studioAnswer(studio, "/").status == 200)
    let client = try StudioClient(studio)
    client.ask("/api/events")
    #expect(try client.head().status == 200)
    // The requests have created nothing outside the folder.
    let outside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/..")
    #expect(outside == ["recordings"])
    studio.stop()
  }
}
