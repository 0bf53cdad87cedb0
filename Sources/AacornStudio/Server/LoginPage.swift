import AacornNetwork

/// The page for browsers that are not logged in: it explains the studio and how to log in.
struct LoginPage: Sendable {
  private let beginning: String
  private let end: String

  /// The files that the login page needs, which contain no private data.
  static let files: Set<String> = [
    "/login.css", "/login.js", "/style.css", "/chosen-theme.js", "/icon.svg",
  ]

  /// The placeholder for the reason in `login.html`.
  private static let reasonPlaceholder = "<!-- reason -->"

  init() {
    let page = String(decoding: StudioPageFiles.bytes(at: "/login.html") ?? [], as: UTF8.self)
    let markRange = page.firstRange(of: Self.reasonPlaceholder)
    beginning = String(page[..<(markRange?.lowerBound ?? page.endIndex)])
    end = String(page[(markRange?.upperBound ?? page.endIndex)...])
  }

  /// Returns the page with `reason`, which is inserted as HTML without escaping.
  func answer(_ reason: String) -> HTTPResponse {
    var response = HTTPResponse.text(
      beginning + reason + end, status: 401, type: "text/html; charset=utf-8")
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
  }

  /// Whether a request comes from a person who opens a page, rather than from a program.
  static func isWanted(by request: HTTPRequest) -> Bool {
    guard request.method == "GET" || request.method == "HEAD" else { return false }
    guard let firstComponent = request.components.first else { return true }
    return !["api", "recordings", "hls"].contains(firstComponent)
      && request.header("Accept")?.contains("text/html") == true
  }
}
