import AacornStudioPage
import AacornWeb

/// The page's files, which are part of the program.
struct StudioPageFiles: Sendable {
  /// The answers by path, such as `/index.html`.
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
          // The page of another version must not be mixed with this one.
          HTTPField("Cache-Control", "no-cache"),
        ], body: bytes)
    }
    self.answers = answers
  }

  /// The bytes of one file; nil if there is none at this path.
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

  /// The file at a path; nil if there is none.
  func answer(to request: HTTPRequest) -> HTTPResponse? {
    let path = request.components.isEmpty ? "/index.html" : request.path
    guard let answer = answers[path] else { return nil }
    guard request.method == "GET" || request.method == "HEAD" else {
      return StudioAnswer.methodNotAllowed(["GET", "HEAD"], for: request)
    }
    return answer
  }

  /// A tag that changes with the content (FNV-1a of 64 bits).
  private static func tag(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))\""
  }
}
