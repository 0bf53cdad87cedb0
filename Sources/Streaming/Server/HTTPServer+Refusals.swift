// What the server answers by itself.
extension HTTPServer.Options {
  private func refusal(_ sentence: String, status: Int, path: String) -> HTTPResponse {
    refusal?(sentence, status, path) ?? .text(sentence + "\n", status: status)
  }

  /// The answer where a path leads out of everything, or is none.
  func impossible(_ path: String) -> HTTPResponse {
    refusal("This address cannot be.", status: 400, path: path)
  }

  /// The answer to a body beyond the limit.
  func tooLarge(_ path: String) -> HTTPResponse {
    refusal("The body is too large.", status: 413, path: path)
  }

  /// The answer in place of one that does not come.
  func tooLate(_ path: String) -> HTTPResponse {
    var response = refusal("The answer takes too long.", status: 503, path: path)
    response.headers.append(HTTPField("Retry-After", "1"))
    return response
  }
}
