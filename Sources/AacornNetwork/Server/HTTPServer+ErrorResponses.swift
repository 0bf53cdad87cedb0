// The server's error responses.
extension HTTPServer.Options {
  private func errorResponse(_ message: String, status: Int, path: String) -> HTTPResponse {
    makeErrorResponse?(message, status, path) ?? .text(message + "\n", status: status)
  }

  /// Returns the response to a path that leads out of a folder, or that is invalid.
  func impossible(_ path: String) -> HTTPResponse {
    errorResponse("This address is not valid.", status: 400, path: path)
  }

  /// Returns the response to a request that other programs might interpret differently.
  func malformed(_ fault: String, _ path: String) -> HTTPResponse {
    errorResponse("This request is not valid. \(fault)", status: 400, path: path)
  }

  /// Returns the response to bytes that are not a request.
  func malformed(_ fault: HTTPFault, _ path: String) -> HTTPResponse {
    errorResponse("This request is not valid. \(fault.message)", status: fault.status, path: path)
  }

  /// Returns the response to a body beyond the limit.
  func tooLarge(_ path: String) -> HTTPResponse {
    errorResponse("The body is too large.", status: 413, path: path)
  }

  /// Returns the response to a body for which there is no memory at present.
  func tooMuch(_ path: String) -> HTTPResponse {
    later("The server is receiving too much data right now. Try again.", path)
  }

  /// Returns the response for a handler that is too slow.
  func tooLate(_ path: String) -> HTTPResponse {
    later("The response takes too long. Try again.", path)
  }

  private func later(_ message: String, _ path: String) -> HTTPResponse {
    var response = errorResponse(message, status: 503, path: path)
    response.headers.append(HTTPField("Retry-After", "1"))
    return response
  }
}
