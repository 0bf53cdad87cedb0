import TestSignals

@testable import AacornStudio

/// Requests whose parts may be invalid, some of which name a file next to the studio's folder.
enum RandomRequest {
  /// The name of the file next to the folder.
  static let outsideName = "outside.aac"

  private static let methods = [
    "GET", "HEAD", "POST", "POST", "POST", "PUT", "DELETE", "OPTIONS", "\u{0}", "", "G",
  ]
  /// In some paths, NAME is a recording or the outside file.
  private static let paths = [
    "/", "/index.html", "/api/state", "/api/events", "/api/devices", "/api/record", "/api/stop",
    "/api/gain", "/api/effects", "/api/bypass", "/api/hear", "/api/listen", "/api/recordings",
    "/api/recordings/NAME/waveform", "/api/recordings/NAME/rename", "/api/recordings/NAME/delete",
    "/api/recordings/NAME/repair", "/api/recordings/%2e%2e/delete", "/api/deleted/1/restore",
    "/api/deleted/NAME/restore", "/api/deleted/NAME/erase", "/api/uploads", "/api/uploads/1?at=0",
    "/api/uploads/1?at=-1", "/api/uploads/1/finish", "/recordings/NAME",
    "/recordings/NAME?download", "/recordings/../outside.aac", "/hls/live.m3u8", "*", "http://x/",
    "/?token=", "/?code=", "/?code=%ff", "/api/login", "/login.js", "/login.html",
  ]
  private static let headerNames = [
    "Host", "Origin", "X-Aacorn", "Content-Length", "Content-Type", "Transfer-Encoding", "Range",
    "If-None-Match", "Cookie", "Authorization", "Expect", "Connection", "Sec-Fetch-Site", "Upgrade",
  ]
  private static let headerValues = [
    "studio", "0", "-1", "99999999999999999999", "chunked", "bytes=0-", "bytes=5-1", "*", "close",
    "application/x-www-form-urlencoded", "100-continue", "null", "websocket", "", "\u{FF}\u{0}",
  ]
  private static let bodies = [
    "", "a=b", "device=tone&format=nothing", "device=tone&name=../x", "to=../x", "name=../x.aac",
    "name=%00", "=&=&%", "5\r\nhello\r\n0\r\n", "effects=@/x",
    "effects=limiter%2Cgain%20nan", "bypassed=maybe", "at=18446744073709551615", "gain=nan",
    "gain=1e999", "bitrate=-1", "muted=maybe",
  ]

  /// Returns the bytes of a request to a studio that has a recording with this name.
  static func bytes(
    to studio: StudioServer, about recording: String, _ numbers: inout SeededNumbers
  ) -> [UInt8] {
    let names = [recording, "..%2F" + outsideName, "..%2F..%2F" + outsideName]
    let name = names.randomElement(using: &numbers) ?? ""
    let method = methods.randomElement(using: &numbers) ?? ""
    let path = (paths.randomElement(using: &numbers) ?? "").replacing("NAME", with: name)
    var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(studio.port)\r\n"
    text += "X-Aacorn: studio\r\n"
    if numbers.below(8) > 0 { text += "Cookie: \(studio.cookie ?? "")\r\n" }
    let isIntact = Bool.random(using: &numbers)
    for _ in 0..<(isIntact ? 0 : numbers.below(5)) {
      text += "\(headerNames.randomElement(using: &numbers) ?? ""): "
      text += "\(headerValues.randomElement(using: &numbers) ?? "")\r\n"
    }
    let body = Array((bodies.randomElement(using: &numbers) ?? "").utf8)
    if isIntact || Bool.random(using: &numbers) { text += "Content-Length: \(body.count)\r\n" }
    if isIntact || Bool.random(using: &numbers) {
      text += "Content-Type: application/x-www-form-urlencoded\r\n"
    }
    var bytes = Array((text + "\r\n").utf8) + body
    if isIntact { return bytes }
    let index = numbers.below(bytes.count)
    switch numbers.below(4) {
    case 0: bytes[index] = UInt8(numbers.below(256))
    case 1: bytes.removeSubrange(index...)
    case 2: bytes.insert(contentsOf: [UInt8](repeating: bytes[index], count: 300), at: index)
    default: bytes = numbers.bytes(1 + numbers.below(400))
    }
    return bytes
  }
}
