import AacornWeb

/// A server's refusal, with the words in which it says why.
struct ServerRefusal {
  /// The status of the answer.
  let status: Int
  /// The server's own words, as a harmless line; often empty.
  let words: String
  /// What of them may be shown, to be put behind a sentence's beginning: `: “Too many sources”`.
  let quotation: String

  /// The longest quotation.
  private static let limit = 160

  /// Reads the refusal in an answer, whose `body` may be incomplete.
  ///
  /// Text that contains one of the secrets is not shown.
  init(_ answer: ServerAnswer, body: [UInt8], secrets: [String]) {
    status = answer.status
    let page = String(decoding: body, as: UTF8.self)
    let ofPage = PlainLine.ofPage(page)
    let words = ofPage.isEmpty ? PlainLine.of(answer.reason) : ofPage
    self.words = words
    // Before truncation, which could leave half of a secret.
    let isSecret = secrets.contains { !$0.isEmpty && (words.contains($0) || page.contains($0)) }
    var shown = isSecret ? "" : PlainLine.of(words, limit: Self.limit)
    // Our text consists of sentences; the server's goes inside one.
    while let last = shown.last, last == "." || last == "!" { shown.removeLast() }
    quotation = shown.isEmpty ? "" : ": “\(shown)”"
  }
}

extension ServerRefusal {
  /// The error for a request to `address` where the status means the same to everybody; nil where it
  /// depends on what was asked for.
  func generalError(_ address: String) -> NetworkError? {
    switch status {
    case 407:
      NetworkError(
        .unauthorized, "The proxy on the way to \(address) requires a user name and a password.")
    case 300..<400:
      NetworkError(
        .unsupported,
        "\(address) is elsewhere (status \(status)). Give the address of the server itself.")
    case 421, 425, 429, 500...:
      NetworkError(
        .serverFault,
        "\(address) has an internal error or is overloaded (status \(status))\(quotation). Wait a "
          + "moment; if that does not help, look at the server's log, or ask its administrator.")
    default: nil
    }
  }
}
