import AacornWeb

/// The page for users who are not logged in: what this is, and how to get in.
struct LoginPage: Sendable {
  private let beginning: String
  private let end: String

  /// The files that it needs, which contain nothing private.
  static let files: Set<String> = [
    "/login.css", "/login.js", "/style.css", "/chosen-theme.js", "/icon.svg",
  ]

  /// The place for the reason in the file.
  private static let mark = "<!-- reason -->"

  init() {
    let page = String(decoding: StudioPageFiles.bytes(at: "/login.html") ?? [], as: UTF8.self)
    let place = page.firstRange(of: Self.mark)
    beginning = String(page[..<(place?.lowerBound ?? page.endIndex)])
    end = String(page[(place?.upperBound ?? page.endIndex)...])
  }

  /// The page with the reason, a sentence of ours.
  func answer(_ reason: String) -> HTTPResponse {
    var response = HTTPResponse.text(
      beginning + reason + end, status: 401, type: "text/html; charset=utf-8")
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
  }

  /// Whether a request comes from a person who wants a page, not from a program.
  static func isWanted(by request: HTTPRequest) -> Bool {
    guard request.method == "GET" || request.method == "HEAD" else { return false }
    guard let place = request.components.first else { return true }
    return !["api", "recordings", "hls"].contains(place)
      && request.header("Accept")?.contains("text/html") == true
  }
}
