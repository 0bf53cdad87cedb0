import AacornNetwork
import AacornSystem
import Testing

@testable import AacornStudio

@Suite("Codes in one-time addresses") struct OpeningCodesTests {
  private static let token = "0123456789abcdef0123456789abcdef"

  private let codes = OpeningCodes()
  private var gate: StudioGuard {
    StudioGuard(
      endpoint: .port(4848), hostName: "acorn", access: .token(Self.token), codes: codes)
  }

  private func answer(
    _ code: String, _ method: String = "GET", path: [String] = [], cookie: String? = nil
  ) -> HTTPResponse? {
    var headers = [HTTPField("Host", "localhost:4848"), HTTPField("X-Aacorn", "studio")]
    if let cookie { headers.append(HTTPField("Cookie", cookie)) }
    let request = HTTPRequest(
      method: method, components: path, query: [HTTPField("code", code)], headers: headers)
    return gate.admission(of: request).rejection
  }

  @Test(arguments: [false, true]) func openingCodeIsValidOnce(isForLaunch: Bool) throws {
    let shown = isForLaunch ? codes.makeForLaunch() : codes.make()
    #expect(shown.utf8.count == 32 && shown != Self.token)
    let welcome = try #require(answer(shown))
    #expect(welcome.status == 303 && welcome.headers.contains(HTTPField("Location", "/")))
    let cookie = "aacorn-studio-4848=\(Self.token)"
    #expect(
      welcome.headers.contains { $0.name == "Set-Cookie" && $0.value.hasPrefix(cookie + ";") })
    let rejection = try #require(answer(shown))
    #expect(rejection.status == 401 && Self.mentionsOtherLogin(rejection))
    // The browser that used the code may reload its address.
    #expect(answer(shown, cookie: cookie) == nil)
  }

  @Test func theyOpenThePageAndNothingElse() {
    let shown = codes.make()
    #expect(answer(shown, "POST")?.status == 401)
    #expect(answer(shown, "HEAD")?.status == 401)
    #expect(answer(shown, path: ["api", "state"])?.status == 401)
    #expect(answer(shown)?.status == 303)
  }

  @Test func wrongOnesAreRefusedAndSpoilNothing() {
    #expect(answer("")?.status == 401 && answer(Self.token)?.status == 401)
    let first = codes.make()
    for wrong in ["", "x", String(first.dropLast()), first + "0", Self.token] {
      let rejection = answer(wrong)
      #expect(rejection?.status == 401 && !Self.mentionsOtherLogin(rejection))
    }
    // Each code admits one browser, in any order.
    let second = codes.make()
    #expect(answer(second)?.status == 303)
    #expect(answer(first)?.status == 303)
  }

  @Test func aBrowserThatIsStartedHasTheLastOfItsKind() {
    let printed = codes.make()
    let first = codes.makeForLaunch()
    let second = codes.makeForLaunch()
    #expect(answer(first)?.status == 401)
    #expect(answer(second)?.status == 303)
    #expect(answer(printed)?.status == 303)
  }

  /// Returns whether a response warns that another person may have logged in.
  private static func mentionsOtherLogin(_ answer: HTTPResponse?) -> Bool {
    guard case .bytes(let bytes)? = answer?.body else { return false }
    return String(decoding: bytes, as: UTF8.self).contains("another person has logged in: stop")
  }

  @Test func launchCodeIsInvalidOncePageWasOpened() {
    let failed = codes.makeForLaunch()
    codes.invalidateLaunchCode()
    let rejection = answer(failed)
    #expect(rejection?.status == 401 && !Self.mentionsOtherLogin(rejection))
    // A login by the token, or with another address, withdraws the code of the launch.
    let other = codes.makeForLaunch()
    for (token, status) in [(Self.token + "0", 401), (Self.token, 303)] {
      let request = HTTPRequest(
        method: "GET", components: [], query: [HTTPField("token", token)],
        headers: [HTTPField("Host", "localhost:4848")])
      #expect(gate.admission(of: request).rejection?.status == status)
    }
    #expect(answer(other)?.status == 401)
    let third = codes.makeForLaunch()
    #expect(answer(codes.make())?.status == 303 && answer(third)?.status == 401)
    // The withdrawal keeps the record that another browser has used the code.
    let taken = codes.makeForLaunch()
    #expect(answer(taken)?.status == 303)
    codes.invalidateLaunchCode()
    #expect(Self.mentionsOtherLogin(answer(taken)))
  }

  @Test func launchCodeExpiresAndPrintedCodeDoesNot() {
    let start: Int64 = 5
    let late = codes.makeForLaunch(now: start)
    #expect(codes.take(late, now: start + OpeningCodes.launchLifetime) == .unknown)
    #expect(codes.take(late, now: start + OpeningCodes.launchLifetime - 1) == .good)
    let printed = codes.make()
    #expect(codes.take(printed, now: .max) == .good)
    #expect(codes.take(printed, now: .max) == .taken)
  }

  @Test func oldestCodesAreDiscarded() {
    let first = codes.make()
    let others = (0..<OpeningCodes.limit).map { _ in codes.make() }
    #expect(codes.take(first) == .unknown)
    #expect(others.allSatisfy { codes.take($0) == .good })
  }
}
