import Platform
import Streaming
import Testing

@testable import Studio

@Suite("The code with which a browser is started") struct OpeningCodeTests {
  private static let token = "0123456789abcdef0123456789abcdef"

  private let code = OpeningCode()
  private var gate: StudioGuard {
    StudioGuard(
      address: "0.0.0.0", port: 4848, hostName: "acorn", token: Self.token, openingCode: code)
  }

  private func answer(
    _ code: String, _ method: String = "GET", path: [String] = [], cookie: String? = nil
  ) -> HTTPResponse? {
    var headers = [HTTPField("Host", "localhost:4848"), HTTPField("X-Aacorn", "studio")]
    if let cookie { headers.append(HTTPField("Cookie", cookie)) }
    return gate.refusal(
      of: HTTPRequest(
        method: method, components: path, query: [HTTPField("code", code)], headers: headers))
  }

  @Test func itIsGoodOnce() throws {
    let shown = code.make()
    #expect(shown.utf8.count == 32 && shown != Self.token)
    let welcome = try #require(answer(shown))
    #expect(welcome.status == 303 && welcome.headers.contains(HTTPField("Location", "/")))
    let cookie = "aacorn-studio-4848=\(Self.token)"
    #expect(
      welcome.headers.contains { $0.name == "Set-Cookie" && $0.value.hasPrefix(cookie + ";") })
    let refusal = try #require(answer(shown))
    #expect(refusal.status == 401 && Self.tellsOfOthers(refusal))
    // Who has come in by it may load its address again.
    #expect(answer(shown, cookie: cookie) == nil)
  }

  @Test func itOpensThePageAndNothingElse() {
    let shown = code.make()
    #expect(answer(shown, "POST")?.status == 401)
    #expect(answer(shown, "HEAD")?.status == 401)
    #expect(answer(shown, path: ["api", "state"])?.status == 401)
    #expect(answer(shown)?.status == 303)
  }

  @Test func wrongOnesAreRefusedAndSpoilNothing() {
    #expect(answer("")?.status == 401 && answer(Self.token)?.status == 401)
    let first = code.make()
    for wrong in ["", "x", String(first.dropLast()), first + "0", Self.token] {
      #expect(answer(wrong)?.status == 401)
    }
    let second = code.make()
    #expect(answer(first)?.status == 401)
    #expect(answer(second)?.status == 303)
  }

  /// Whether an answer says that somebody else may have come in.
  private static func tellsOfOthers(_ answer: HTTPResponse?) -> Bool {
    guard case .bytes(let bytes)? = answer?.body else { return false }
    return String(decoding: bytes, as: UTF8.self)
      .hasSuffix(" If it was not you who opened it, somebody else has: end the studio.\n")
  }

  @Test func itIsGoodForNothingWhenNobodyNeedsIt() {
    let failed = code.make()
    code.withdraw()
    let refusal = answer(failed)
    #expect(refusal?.status == 401 && !Self.tellsOfOthers(refusal))
    // Who has come in by the token has opened the page.
    let other = code.make()
    for (token, status) in [(Self.token + "0", 401), (Self.token, 303)] {
      let request = HTTPRequest(
        method: "GET", components: [], query: [HTTPField("token", token)],
        headers: [HTTPField("Host", "localhost:4848")])
      #expect(gate.refusal(of: request)?.status == status)
    }
    #expect(answer(other)?.status == 401)
    // That somebody else has come in is not forgotten with it.
    let taken = code.make()
    #expect(answer(taken)?.status == 303)
    code.withdraw()
    #expect(Self.tellsOfOthers(answer(taken)))
  }

  @Test func itIsGoodForAShortTime() {
    let start: Int64 = 5
    let late = code.make(now: start)
    #expect(!code.take(late, now: start + OpeningCode.lifetime))
    #expect(code.take(late, now: start + OpeningCode.lifetime - 1))
  }
}
