import AacornContainers
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

@Suite struct RTMPAuthenticationTests {
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    (String(repeating: "x", count: 55), "04364420e25c512fd958a70738aa8f72"),
    (String(repeating: "x", count: 56), "668a72d5ba17f08e62dabcafad6db14b"),
    (String(repeating: "x", count: 64), "c1bb4f81d892b2d57947682aeb252456"),
  ])
  func digestsAreThoseOfTheSpecification(text: String, digest: String) {
    let bytes = MD5.digest(of: Array(text.utf8))
    #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{3BF}\u{3C}?\u{7FF}", "zr88P9+/"),
  ])
  func textInBase64IsThatOfTheSpecification(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
    #expect(Base64.decoded(Array(encoded.utf8)[...]) == Array(text.utf8))
  }

  @Test func theAnswersAreThoseThatServersExpect() {
    let proof = RTMPAuthentication(user: "anna", password: "pa55:wörd", challenge: "0123abcd")
    let words = "[ AccessManager.Reject ] : "
    #expect(
      proof.query(answering: words + "[ code=403 need auth; authmod=adobe ] : ")
        == "authmod=adobe&user=anna")
    let asked = words + "[ authmod=adobe ] : ?reason=needauth&user=anna&salt=SALT=="
    #expect(
      proof.query(answering: asked + "&challenge=CHAL&opaque=OPAQUE==")
        == "authmod=adobe&user=anna&challenge=0123abcd&response=3aaEAK/Qcdn12FeDxgIvrw=="
        + "&opaque=OPAQUE==")
    #expect(
      proof.query(answering: asked + "&challenge=CHAL")
        == "authmod=adobe&user=anna&challenge=0123abcd&response=cGZoZ9VAdHUqL6uxxyK3rA==")
    for other in [
      words + "[ authmod=adobe ] : ?reason=authfailed&opaque=x", "", "go away",
      words + "[ authmod=adobe ] : ?reason=nosuchuser",
      words + "[ code=403 need auth; authmod=llnw ] : ",
    ] {
      #expect(proof.query(answering: other) == nil)
    }
    #expect(
      RTMPAuthentication(user: "a&b", password: "").query(
        answering: "need auth authmod=adobe") == "authmod=adobe&user=a%26b")
  }

  private func open(password: String?) throws(NetworkError) -> RTMPTestServer {
    var script = RTMPTestServer.Script()
    script.connect = .authenticates(user: "anna", password: "pa55word")
    let server = RTMPTestServer(script)
    var bench = RTMPBench()
    bench.key = "key"
    _ = try bench.publish(to: server, password: password)
    return server
  }

  @Test func correctPasswordIsAccepted() throws {
    let server = try open(password: "pa55word")
    // The client connects again to ask for a challenge, and to answer it.
    #expect(server.connectionCount == 2)
    #expect(server.fault == nil)
    #expect(server.commands.last?.name == "publish")
    let sent = Array(server.sends.joined())
    #expect(sent.ranges(of: Array("pa55word".utf8)).isEmpty)
  }

  @Test(arguments: ["wrong", nil]) func wrongOrMissingPasswordIsUnauthorized(password: String?) {
    let message = expectNetworkError(.unauthorized, "a different user or password") {
      try open(password: password)
    }
    #expect(!message.contains("wrong"))
  }
}
