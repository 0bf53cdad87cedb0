import Testing

@testable import AacornNetwork
@testable import AacornStreaming

@Suite struct AddressFormTests {
  private let form = AddressForm(
    name: "Test", schemes: [.http, .https], example: "http://host.example")

  @Test func allPartsAreThere() throws {
    let address = try form.parse("HTTPS://an%6Ea:p@ss%3A@Host.example:81/a%20b/#c?d=/?e")
    #expect(address.endpoint == NetworkEndpoint(host: "Host.example", port: 81, isSecure: true))
    #expect(address.user == "anna" && address.password == "p@ss:")
    #expect(address.url.path == "/a%20b/#c" && address.url.query == "d=/?e")
  }

  @Test func absentPartsAreNilOrEmpty() throws {
    let bare = try form.parse("http://h")
    #expect(bare.endpoint == NetworkEndpoint(host: "h", port: 80))
    #expect(bare.user == nil && bare.password == nil)
    #expect(bare.url.path.isEmpty && bare.url.query == nil)
    let empty = try form.parse("http://:@h?")
    #expect(empty.user?.isEmpty == true && empty.password?.isEmpty == true)
    #expect(empty.url.query?.isEmpty == true)
    #expect(try form.parse("http://anna@h/").password == nil)
  }

  @Test(arguments: [
    ("[::1]", "::1", 80), ("[::1]:8000", "::1", 8000), ("[fe80::1%25eth0]:1", "fe80::1%eth0", 1),
    ("[::ffff:192.0.2.1]", "::ffff:192.0.2.1", 80), ("käse.example:65535", "käse.example", 65535),
  ])
  func hostsHaveSeveralForms(_ text: String, host: String, port: Int) throws {
    let address = try form.parse("http://\(text)/x")
    #expect(address.endpoint == NetworkEndpoint(host: host, port: port))
  }

  @Test func onlyZoneOfNumericAddressIsRemoved() {
    #expect(
      NetworkEndpoint(host: "fe80::1%eth0", port: 1).withoutZone
        == NetworkEndpoint(host: "fe80::1", port: 1))
    #expect(NetworkEndpoint(host: "a%b", port: 1).withoutZone.host == "a%b")
  }

  @Test(arguments: [
    ("other://s3cret", "begin with http:// or https://"), ("s3cret", "begin with"),
    ("http:///s3cret", "host is missing"), ("http://s3cret@", "host is missing"),
    ("http://s3cret@a b", "host is missing"),
    ("http://s3cret#x@h", "%23"), ("http://s3cret%@h", "%25"),
    ("http://a:s3cret/x@h", "%2F"), ("http://a:s3cret?@h/a", "%3F"),
    ("http://s3cret@h:0", "port"), ("http://s3cret@h:99999", "port"), ("http://s3cret@h:", "port"),
    ("http://s3cret@h:+80", "port"), ("http://s3cret@h:٣", "port"),
    ("http://s3cret@fe80::1", "IPv6"),
    ("http://s3cret@[::1", "bracket"), ("http://s3cret@[abc]", "bracket"),
    ("http://s3cret@[::1]x", "port"), ("http://s3cret@[::1%25]", "bracket"),
    ("http://s3cret@[::1%eth0]", "bracket"), ("http://s3cret@[::1%25a/b]", "bracket"),
  ])
  func invalidServerAddressErrorOmitsPassword(_ text: String, reason: String) throws {
    let message = expectNetworkError(.unsupported) { try form.parse(text) }
    #expect(message.hasPrefix("The address of the Test server is wrong: "))
    #expect(message.contains(reason))
    #expect(message.hasSuffix(". It should look like http://host.example."))
    #expect(!message.contains("s3cret"))
  }
}
