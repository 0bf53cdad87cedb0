import AacornNetwork
import AacornStudioPage

/// The page's files, which are embedded in the program.
struct StudioPageFiles: Sendable {
  /// The responses by path, such as `/index.html`.
  private let answers: [String: HTTPResponse]

  init() {
    var answers: [String: HTTPResponse] = [:]
    for index in 0..<aacorn_page_file_count() {
      let file = unsafe aacorn_page_file_at(index)
      let bytes = unsafe Self.bytes(of: file)
      answers[unsafe String(cString: file.path)] = HTTPResponse(
        headers: [
          HTTPField("Content-Type", unsafe String(cString: file.type)),
          HTTPField("ETag", Self.tag(bytes)),
          // Caching must not mix the page files of two versions.
          HTTPField("Cache-Control", "no-cache"),
        ], body: bytes)
    }
    self.answers = answers
  }

  /// Returns the bytes of the file at a path; nil if there is no such file.
  static func bytes(at path: String) -> [UInt8]? {
    for index in 0..<aacorn_page_file_count() {
      let file = unsafe aacorn_page_file_at(index)
      if unsafe String(cString: file.path) == path { return unsafe bytes(of: file) }
    }
    return nil
  }

  private static func bytes(of file: aacorn_page_file) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }

  /// Returns the response with the file at the path of a request; nil if there is no such file.
  func answer(to request: HTTPRequest) -> HTTPResponse? {
    let path = request.components.isEmpty ? "/index.html" : request.path
    guard let answer = answers[path] else { return nil }
    guard request.method == "GET" || request.method == "HEAD" else {
      return StudioResponse.methodNotAllowed(["GET", "HEAD"], for: request)
    }
    return answer
  }

  /// An entity tag that changes with the content (64-bit FNV-1a).
  private static func tag(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))\""
  }
}

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
