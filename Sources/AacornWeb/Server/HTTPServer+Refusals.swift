// What the server answers by itself.
extension HTTPServer.Options {
  private func refusal(_ sentence: String, status: Int, path: String) -> HTTPResponse {
    refusal?(sentence, status, path) ?? .text(sentence + "\n", status: status)
  }

  /// The answer where a path leads out of everything, or is none.
  func impossible(_ path: String) -> HTTPResponse {
    refusal("This address is not valid.", status: 400, path: path)
  }

  /// The answer to what others might read in another way.
  func malformed(_ fault: String, _ path: String) -> HTTPResponse {
    refusal("This is no request that can be answered. \(fault)", status: 400, path: path)
  }

  /// The answer to a body beyond the limit.
  func tooLarge(_ path: String) -> HTTPResponse {
    refusal("The body is too large.", status: 413, path: path)
  }

  /// The answer to a body for which there is no memory just now.
  func tooMuch(_ path: String) -> HTTPResponse {
    later("Too much is being sent here just now. Try again.", path)
  }

  /// The answer in place of one that does not come.
  func tooLate(_ path: String) -> HTTPResponse { later("The answer takes too long.", path) }

  private func later(_ sentence: String, _ path: String) -> HTTPResponse {
    var response = refusal(sentence, status: 503, path: path)
    response.headers.append(HTTPField("Retry-After", "1"))
    return response
  }
}
