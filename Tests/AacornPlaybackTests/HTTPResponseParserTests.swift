import AacornRecording
import Testing

@testable import AacornNetwork
@testable import AacornPlayback

@Suite struct HTTPResponseParserTests {
  private func read(
    _ text: String, by size: Int = .max
  ) throws -> (response: HTTPResponseParser, body: String) {
    var response = HTTPResponseParser()
    var body: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let count = min(size, bytes.count - index)
      try #require(response.push(Array(bytes[index..<index + count]), into: &body))
      index += count
    }
    return (response, String(decoding: body, as: UTF8.self))
  }

  @Test(arguments: [1, 3, 1000])
  func aBodyOfKnownLengthEndsThere(size: Int) throws {
    let (response, body) = try read(
      "HTTP/1.1 200 OK\r\nContent-Type: audio/aac\r\ncontent-LENGTH: 5\r\n\r\nsound and more",
      by: size)
    #expect(response.status == 200)
    #expect(response.header("content-type") == "audio/aac")
    #expect(response.bodyCount == 5)
    #expect(response.isFinished)
    #expect(!response.isLive)
    #expect(body == "sound")
  }

  @Test(arguments: [1, 2, 1000])
  func chunksAreJoined(size: Int) throws {
    let (response, body) = try read(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nsou\r\nA;x=1\r\nnd of mind\r\n0\r\n\r\n", by: size)
    #expect(response.isFinished)
    #expect(body == "sound of mind")
  }

  @Test(arguments: [1, 5, 1000])
  func titlesAreTakenOutOfTheSound(size: Int) throws {
    let title = "StreamTitle='It's on';StreamUrl='';"
    let padding = String(repeating: "\0", count: 48 - title.utf8.count)
    let sound = String(repeating: "abcd", count: 64)
    let (response, body) = try read(
      "ICY 200 OK\r\nicy-metaint: 256\r\nicy-name: x\r\n\r\n"
        + "\(sound)\u{3}\(title)\(padding)\(sound)\0ij",
      by: size)
    var taken = response
    #expect(taken.takeTitle() == "It's on")
    #expect(taken.takeTitle() == nil)
    #expect(response.isLive)
    #expect(!response.isFinished)
    #expect(body == sound + sound + "ij")
  }

  @Test func onlyTheNewestTitleIsKept() throws {
    let sound = String(repeating: "x", count: 256)
    // Two units of 16 bytes; the title uses 18.
    let padding = String(repeating: "\0", count: 14)
    let titles = ["one", "two", "six"].map { "\u{2}StreamTitle='\($0)';" + padding }
    let (response, body) = try read(
      "ICY 200 OK\r\nicy-metaint: 256\r\n\r\n" + titles.map { sound + $0 }.joined())
    var taken = response
    #expect(taken.takeTitle() == "six")
    #expect(taken.takeTitle() == nil)
    #expect(body.utf8.count == 3 * 256)
  }

  @Test func anEmptyNameMarksALiveStream() throws {
    let (response, _) = try read("ICY 200 OK\r\nicy-name:\r\nicy-url:\r\n\r\n")
    #expect(response.isLive)
    #expect(response.header("icy-name")?.isEmpty == true)
  }

  @Test(arguments: [1, 255, (1 << 24) + 1])
  func invalidTitleIntervalIsIgnored(interval: Int) throws {
    let (_, body) = try read("ICY 200 OK\r\nicy-metaint: \(interval)\r\n\r\na\0b")
    #expect(body == "a\0b")
  }

  @Test func aBodyIsWholeWhenNothingIsMissing() throws {
    let head = "HTTP/1.1 200 OK\r\n"
    let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
    let bodies: [(String, Bool)] = [
      (head + "Content-Length: 3\r\n\r\nabc", true), (head + "\r\nab", true),
      (head + "Content-Length: 3\r\n\r\nab", false), (chunked + "2\r\nab\r\n", false),
      (chunked + "2\r\nab\r\n0\r\n\r\n", true),
    ]
    for (text, isComplete) in bodies {
      #expect(try read(text).response.isComplete == isComplete)
    }
  }

  @Test func interimResponseIsSkipped() throws {
    let (response, body) = try read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 206 Partial\n\nx")
    #expect(response.status == 206)
    #expect(body == "x")
  }

  @Test func partsSayWhereTheyBegin() throws {
    func part(_ range: String) throws -> [Int?]? {
      let text = "HTTP/1.1 206 Partial\r\nContent-Range: \(range)\r\n\r\n"
      return try read(text).response.part.map { [$0.start, $0.total] }
    }
    #expect(try part("bytes 100-199/500") == [100, 500])
    #expect(try part("Bytes 7-8/*") == [7, nil])
    for text in ["bytes */500", "bytes", "pages 1-2/3", "bytes -1-2/3", "bytes x-2/3"] {
      #expect(try part(text) == nil, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("audio/mpeg", "MP3 (audio/mpeg)"), ("Audio/MPEG; charset=x", "MP3 (audio/mpeg)"),
      ("application/ogg", "Ogg (application/ogg)"), ("audio/flac", "FLAC (audio/flac)"),
      ("audio/basic", "audio/basic"), ("audio/aacp", nil), ("audio/x-wav", nil),
      ("audio/mp4", nil), ("text/html", nil), ("", nil),
    ] as [(String, String?)])
  func otherCodingsHaveNames(type: String, name: String?) throws {
    let (response, _) = try read("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")
    #expect(response.foreignCoding == name)
  }

  @Test(arguments: [
    "SSH-2.0-x\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\r\n",
  ])
  func malformedResponseIsRejected(text: String) {
    var response = HTTPResponseParser()
    var body: [UInt8] = []
    #expect(!response.push(Array(text.utf8), into: &body))
  }

  @Test func addressesAreTakenApart() throws {
    let address = try #require(HTTPAddress("HTTPS://radio.example:8443/a/live?x=1#part"))
    #expect(address.isSecure)
    #expect(address.endpoint.host == "radio.example")
    #expect(address.endpoint.port == 8443)
    #expect(address.target == "/a/live?x=1")
    #expect(address.authority == "radio.example:8443")
    #expect(HTTPAddress("http://[::1]/x")?.authority == "[::1]")
    #expect(HTTPAddress("http://[::1]:8000")?.server == "http://[::1]:8000")
    #expect(HTTPAddress("http://radio.example?a")?.target == "/?a")
    for text in [
      "ftp://x/y", "http://", "http://x:0/", "http://x:y/", "https://user@x/", "http://a b/", "x",
      "http://x:+80/", "http://[x]/", "http://[fe80::1%25eth0]/",
    ] {
      #expect(HTTPAddress(text) == nil, "\(text)")
    }
  }

  @Test func answersLeadElsewhere() throws {
    let address = try #require(HTTPAddress("http://radio.example/a/live?x=1"))
    #expect(address.following("https://other.example/y")?.endpoint.host == "other.example")
    #expect(address.following("//other.example/y")?.server == "http://other.example:80")
    #expect(address.following("/y")?.target == "/y")
    #expect(address.following("y?z")?.target == "/a/y?z")
    #expect(address.following("../y/./z")?.target == "/y/z")
    #expect(address.following("../../..")?.target == "/")
    #expect(address.following("y/../.")?.target == "/a/")
    #expect(address.following("?y=../z")?.target == "/a/live?y=../z")
    #expect(address.following("#part")?.target == "/a/live?x=1")
    #expect(address.following("10:30.ts")?.target == "/a/10:30.ts")
    for text in ["a b", "ftp://other.example/y", "mailto:x", "http:/y", "https://"] {
      #expect(address.following(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [HTTPAddress.Guide.response, .playlist])
  func linkToAddressWithoutEncryptionThrows(guide: HTTPAddress.Guide) throws {
    let address = try #require(HTTPAddress("https://radio.example/list"))
    let error = #expect(throws: AACFileError.self) {
      try address.next("http://radio.example/a", by: guide)
    }
    #expect(
      error?.message.contains(
        "\(guide.rawValue) leads to an unencrypted address, http://radio.example/a") == true)
    #expect(try address.next("//other.example/a", by: guide).isSecure)
    let open = try #require(HTTPAddress("http://radio.example/list"))
    #expect(try open.next("https://radio.example/a", by: guide).isSecure)
    #expect(throws: AACFileError.self) { try open.next("ftp://radio.example/a", by: guide) }
    #expect(throws: AACFileError.self) { try open.next(nil, by: guide) }
  }

  @Test(arguments: [
    "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.168.1.1", "localhost", "LOCALHOST.", "a.localhost", "printer.local",
    "[::1]", "[::]", "[fe80::1]", "[febf::1]", "[fc00::1]", "[fd12:3::4]", "[::ffff:10.0.0.1]",
    "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1.", "[0:0:0:0:0:0:0:1]",
    "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:a00:1]", "[64:ff9b::7f00:1]", "[64:ff9b::127.0.0.1]",
  ])
  func publicServerCannotRedirectToPrivateNetwork(host: String) throws {
    let address = try #require(HTTPAddress("http://radio.example/list"))
    let error = #expect(throws: AACFileError.self) {
      try address.next("http://\(host)/a", by: .playlist)
    }
    #expect(error?.message.contains("leads to an address in a private network") == true)
    // A private server may redirect to another private server.
    let own = try #require(HTTPAddress("http://192.168.0.9/list"))
    #expect(try own.next("http://\(host)/a", by: .playlist).mayBePrivate)
  }

  @Test(arguments: [
    "8.8.8.8", "100.63.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "11.0.0.1",
    "10.0.0.1.example",
    "local", "notlocalhost", "[2001:db8::1]", "[::ffff:8.8.8.8]", "[::ffff:808:808]",
    "[64:ff9b::808:808]",
    "[2001:db8:1:2:3:4:5:6]", "[2001:db8::]", "1.example", "0x7f.example", "other.example",
  ])
  func publicServerMayRedirectToPublicServer(host: String) throws {
    let address = try #require(HTTPAddress("http://radio.example/list"))
    let next = try address.next("http://\(host)/a", by: .playlist)
    #expect(!next.isPrivate && !next.mayBePrivate)
  }
}
