import Foundation

/// The start line and the headers of a request or a response.
struct HTTPHead {
  /// The words of the start line.
  let words: [String]
  /// The headers by lowercase name.
  let headers: [String: String]

  init(_ text: String) {
    let lines = text.components(separatedBy: "\r\n")
    words = lines[0].split(separator: " ").map(String.init)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    self.headers = headers
  }
}
