import Testing

@testable import AacornNetwork
@testable import AacornStreaming

@Suite struct RTMPConfigurationTests {
  private func parse(_ address: String, key: String? = nil) throws -> RTMPConfiguration {
    try RTMPConfiguration(address: address, streamKey: key)
  }

  @Test func theLastPartOfTheAddressIsTheKey() throws {
    let configuration = try parse("rtmp://radio.example/live/abc?user=u&password=p/q")
    #expect(configuration.endpoint == NetworkEndpoint(host: "radio.example", port: 1935))
    #expect(configuration.application == "live")
    #expect(configuration.streamKey == "abc?user=u&password=p/q")
    #expect(configuration.user == nil && configuration.password == nil)
    #expect(configuration.address == "rtmp://radio.example/live/…")
  }

  @Test func anApplicationMayHaveSeveralParts() throws {
    let configuration = try parse("RTMPS://Radio.Example:8443/live/instance/abc")
    #expect(
      configuration.endpoint == NetworkEndpoint(host: "Radio.Example", port: 8443, isSecure: true))
    #expect(configuration.application == "live/instance")
    #expect(configuration.streamKey == "abc")
    #expect(configuration.address == "rtmps://Radio.Example:8443/live/instance/…")
    #expect(
      configuration.address(of: "live/instance") == "rtmps://Radio.Example:8443/live/instance")
    #expect(try parse("rtmps://radio.example/live/abc").endpoint.port == 443)
  }

  @Test func aKeyMayBeGivenApart() throws {
    for address in ["rtmp://radio.example/app/x", "rtmp://radio.example/app/x/"] {
      let configuration = try parse(address, key: "abc?token=1")
      #expect(configuration.application == "app/x")
      #expect(configuration.streamKey == "abc?token=1")
    }
    let configuration = try parse("rtmp://radio.example/app?token=t0ken", key: "abc")
    #expect(configuration.application == "app?token=t0ken")
    #expect(configuration.address == "rtmp://radio.example/app/…")
  }

  @Test func aUserAndAPasswordMayStandBeforeTheHost() throws {
    let configuration = try parse("rtmp://anna:p%40ss%3Aw@[2001:db8::1]:1936/live/abc")
    #expect(configuration.user == "anna")
    #expect(configuration.password == "p@ss:w")
    #expect(configuration.endpoint == NetworkEndpoint(host: "2001:db8::1", port: 1936))
    #expect(configuration.address == "rtmp://[2001:db8::1]:1936/live/…")
    #expect(try parse("rtmp://[::1]/live/abc").address == "rtmp://[::1]/live/…")
  }

  @Test func rtmpAddressOmitsZone() throws {
    let configuration = try parse("rtmp://[fe80::1%25eth0]:1936/live/abc")
    #expect(configuration.endpoint.host == "fe80::1%eth0")
    #expect(configuration.address(of: "live") == "rtmp://[fe80::1]:1936/live")
  }

  @Test(arguments: [
    "http://radio.example/live/s3cret", "radio.example/live/s3cret", "rtmp:///live/s3cret",
    "rtmp://radio.example", "rtmp://radio.example/", "rtmp://radio.example/s3cret",
    "rtmp://radio.example/live/", "rtmp://radio.example/live/?s3cret",
    "rtmp://radio.example:99999/live/s3cret", "rtmp://a%zz:s3cret@b/live/s3cret",
    "rtmp://s3cret@b/live/s3cret",
  ])
  func invalidAddressErrorOmitsStreamKey(_ address: String) {
    let message = expectNetworkError(.unsupported) { try parse(address) }
    #expect(!message.contains("s3cret"))
    #expect(message.hasSuffix("."))
  }

  @Test func emptyKeyThrows() {
    #expect(throws: NetworkError.self) { try parse("rtmp://radio.example/live/abc", key: "") }
  }

  @Test func nothingThatIsPrintedShowsSecrets() throws {
    let configuration = try parse("rtmp://anna:pa55@radio.example/live/s3cret?token=t0ken")
    let service = RTMPService(configuration)
    var text =
      "\(configuration) \(service) \(service.name) \(String(reflecting: configuration))"
      + " \(String(reflecting: service)) \(String(describing: [configuration]))"
    dump(configuration, to: &text)
    dump(service, to: &text)
    #expect(text.contains("rtmp://radio.example/live/…"))
    for secret in ["s3cret", "t0ken", "pa55", "anna"] { #expect(!text.contains(secret)) }
  }
}
