import AacornNetwork
import Testing

@testable import AacornStreaming

/// The addresses of HLS uploads.
struct HLSUploadConfigurationTests {
  @Test(
    arguments: [
      ("https://h", "https://h/", "/x.m4s", nil),
      ("https://h:443/live", "https://h/live/", "/live/x.m4s", nil),
      ("http://h:8080/a/b/", "http://h:8080/a/b/", "/a/b/x.m4s", nil),
      ("https://u:p%40q@h/ö?sig=1", "https://h/%C3%B6/", "/%C3%B6/x.m4s?sig=1", "dTpwQHE="),
      ("https://h/up?cid=K&file=", "https://h/up", "/up?cid=K&file=x.m4s", nil),
      ("https://h/up?cid=dGVzdA==", "https://h/up/", "/up/x.m4s?cid=dGVzdA==", nil),
      ("https://h/up?cid=dGVzdA==&f=", "https://h/up", "/up?cid=dGVzdA==&f=x.m4s", nil),
      ("https://h/up?f==", "https://h/up/", "/up/x.m4s?f==", nil),
      ("https://h/up?cid=&k=1", "https://h/up/", "/up/x.m4s?cid=&k=1", nil),
      ("https://h/up?file", "https://h/up/", "/up/x.m4s?file", nil),
      ("https://u@[::1]:8443/a%20b", "https://[::1]:8443/a%20b/", "/a%20b/x.m4s", "dTo="),
    ] as [(String, String, String, String?)])
  func addressesLeadToFiles(
    text: String, shown: String, target: String, credentials: String?
  ) throws {
    let configuration = try HLSUploadConfiguration(address: text)
    #expect(configuration.address == shown)
    #expect(configuration.target(of: "x.m4s") == target)
    #expect(configuration.credentials == credentials)
    #expect("\(configuration)" == shown)
  }

  @Test(arguments: [
    "ftp://h/", "https:///x", "https://h:0/", "https://u:p#q@h/", "https://h/a#b", "https://h/a@b/",
    "https://u%3Ax@h/",
  ])
  func invalidAddressIsNotQuotedInError(text: String) throws {
    let message = expectNetworkError(.unsupported) {
      try HLSUploadConfiguration(address: text)
    }
    #expect(message.hasPrefix("The address of the HLS server is wrong: "))
    #expect(!message.contains(text))
  }
}
