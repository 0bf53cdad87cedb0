import Testing

@testable import AacornNetwork
@testable import AacornStreaming

@Suite struct IcecastConfigurationTests {
  @Test func anAddressHasAllParts() throws {
    let all = try IcecastConfiguration(
      address: "icecast://anna:se%3Acret%40@radio.example:8010/live%20a.aac", password: nil)
    #expect(all.endpoint == NetworkEndpoint(host: "radio.example", port: 8010))
    #expect(all.user == "anna")
    #expect(all.password == "se:cret@")
    #expect(all.mount == "/live a.aac")
    #expect(all.address == "icecast://radio.example:8010/live%20a.aac")
  }

  @Test(arguments: [
    ("icecast://radio.example/a", "radio.example", 8000, false),
    ("icecasts://radio.example/a", "radio.example", 8443, true),
    ("HTTP://radio.example/a", "radio.example", 80, false),
    ("https://radio.example/a", "radio.example", 443, true),
    ("https://radio.example:8001/a", "radio.example", 8001, true),
  ])
  func schemesHavePorts(_ address: String, host: String, port: Int, isSecure: Bool) throws {
    let it = try IcecastConfiguration(address: address, password: "x")
    #expect(it.endpoint == NetworkEndpoint(host: host, port: port, isSecure: isSecure))
    #expect(it.user == "source")
    #expect(it.mount == "/a")
  }

  @Test func hostHeaderOmitsAddressZone() throws {
    let it = try IcecastConfiguration(address: "icecast://[fe80::1%25eth0]/a", password: "x")
    #expect(it.endpoint.host == "fe80::1%eth0")
    let request = String(
      decoding: IcecastRequest(it).update(LiveMetadata(title: "x")), as: UTF8.self)
    #expect(request.contains("\r\nHost: [fe80::1]:8000\r\n"))
  }

  @Test func aPasswordGivenApartWins() throws {
    let it = try IcecastConfiguration(address: "icecast://anna:one@h/a", password: "two")
    #expect(it.password == "two")
    #expect(it.user == "anna")
    let unnamed = try IcecastConfiguration(address: "icecast://:one@h/a", password: nil)
    #expect(unnamed.user == "source")
    #expect(unnamed.password == "one")
    let atSign = try IcecastConfiguration(address: "icecast://anna:o@ne@h/a", password: nil)
    #expect(atSign.password == "o@ne")
    #expect(atSign.endpoint.host == "h")
  }

  @Test(arguments: [
    "", "ftp://s:hunter2@h/a", "icecast://s:hunter2@h", "icecast://s:hunter2@h/",
    "icecast://s:hunter2@h:port/a", "icecast://s:hunter2@h/a%zz", "icecast://s:hunter2@h/%ff",
    "icecast://s:hunter2/5@h/a", "icecast://s:hunter2@h\r\nX: y/a", "icecast://s%3A:hunter2@h/a",
  ])
  func aWrongAddressIsRefusedWithoutThePassword(_ address: String) throws {
    let message = expectNetworkError(.unsupported) {
      _ = try IcecastConfiguration(address: address, password: nil)
    }
    #expect(!message.contains("hunter2"))
    #expect(message.hasSuffix("."))
  }

  @Test(arguments: ["icecast://h/a", "icecast://anna@h/a", "icecast://anna:@h/a"])
  func aPasswordIsNeeded(_ address: String) throws {
    expectNetworkError(.unauthorized) {
      _ = try IcecastConfiguration(address: address, password: nil)
    }
  }

  @Test func noDumpShowsThePassword() throws {
    let it = try IcecastConfiguration(address: "icecast://anna:hunter2@h/a", password: nil)
    var dumped = ""
    dump(it, to: &dumped)
    let service = IcecastService(it)
    dump(service, to: &dumped)
    for text in [dumped, "\(it)", String(reflecting: it), "\(service)", service.name] {
      #expect(!text.contains("hunter2"))
      #expect(!text.contains("anna"))
    }
    #expect("\(it)" == "icecast://h:8000/a")
  }

  @Test func aPathCannotSteerATerminal() {
    let it = IcecastConfiguration(
      endpoint: NetworkEndpoint(host: "h\u{1B}[2J", port: 1), mount: "a\r\n\u{1B}é", password: "x")
    #expect(it.address == "icecast://h [2J:1/a%0D%0A%1B%C3%A9")
  }
}
