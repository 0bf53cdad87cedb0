/// A rejection by a server, with its explanation.
package struct ServerRejection {
  /// The status code of the response.
  package let status: Int
  /// The server's explanation, as a harmless line; often empty.
  package let explanation: String
  /// The displayable part of the explanation, to append to the beginning of a message: `: “Too many
  /// sources”`.
  package let quotation: String

  /// The maximum length of the quotation in characters.
  private static let limit = 160

  /// Creates the rejection from a response, whose `body` may be incomplete.
  ///
  /// An explanation that contains one of the secrets is not displayed.
  package init(_ answer: ServerResponse, body: [UInt8], secrets: [String]) {
    status = answer.status
    let page = String(decoding: body, as: UTF8.self)
    let ofPage = SanitizedLine.ofPage(page)
    let explanation = ofPage.isEmpty ? SanitizedLine.of(answer.reason) : ofPage
    self.explanation = explanation
    // Checked before truncation, which could leave half of a secret.
    let isSecret = secrets.contains {
      !$0.isEmpty && (explanation.contains($0) || page.contains($0))
    }
    var shown = isSecret ? "" : SanitizedLine.of(explanation, limit: Self.limit)
    // The quotation is inside one of our sentences, so its final periods are removed.
    while let last = shown.last, last == "." || last == "!" { shown.removeLast() }
    quotation = shown.isEmpty ? "" : ": “\(shown)”"
  }
}

extension ServerRejection {
  /// Returns the error for a request to `address` if the status has the same meaning for all
  /// requests, or nil if the meaning depends on the request.
  package func generalError(_ address: String) -> NetworkError? {
    switch status {
    case 407:
      NetworkError(
        .unauthorized, "The proxy for \(address) requires a user name and a password.")
    case 300..<400:
      NetworkError(
        .unsupported,
        "\(address) redirects to another address (status \(status)). Give that address.")
    case 421, 425, 429, 500...:
      NetworkError(
        .serverFault,
        "\(address) has an internal error or is overloaded (status \(status))\(quotation). Try "
          + "again later. If that does not help, see the server's log, or ask its administrator.")
    default: nil
    }
  }
}
