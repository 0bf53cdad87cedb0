import AacornWeb

/// A server's refusal in words.
struct IcecastRefusal {
  /// The status of the answer.
  var status: Int
  /// The server's own words, as a harmless line; often empty.
  private var words: String
  /// The part of them that may be shown; empty if it repeats a secret.
  private var quotation: String

  /// The longest quotation.
  private static let limit = 160

  /// Reads the refusal in an answer, whose `body` may be incomplete.
  ///
  /// Text that contains one of the secrets is not shown.
  init(_ answer: IcecastAnswer, body: [UInt8], secrets: [String]) {
    status = answer.status
    let page = String(decoding: body, as: UTF8.self)
    let ofPage = PlainLine.ofPage(page)
    let words = ofPage.isEmpty ? PlainLine.of(answer.reason) : ofPage
    self.words = words
    // Before truncation, which could leave half of a secret.
    let isSecret = secrets.contains { !$0.isEmpty && (words.contains($0) || page.contains($0)) }
    quotation = isSecret ? "" : PlainLine.of(words, limit: Self.limit)
    // Our text consists of sentences; the server's goes inside one.
    while let last = quotation.last, last == "." || last == "!" { quotation.removeLast() }
  }

  /// Whether a server with this status may understand the other request method.
  var suggestsOtherMethod: Bool { [400, 404, 405, 411, 417, 501].contains(status) }

  /// The error for a request to `address`.
  func error(_ address: String) -> NetworkError {
    let said = quotation.isEmpty ? "" : ": “\(quotation)”"
    let words = words.lowercased()
    switch status {
    case 401:
      return NetworkError(
        .unauthorized,
        "\(address) does not accept the user name or the password. "
          + "Give the server's source password.")
    case 407:
      return NetworkError(
        .unauthorized, "The proxy on the way to \(address) requires a user name and a password.")
    case 409,
      403 where words.contains("in use"):
      return NetworkError(
        .taken,
        "\(address) is in use: somebody else is publishing there, or the server has not noticed "
          + "yet that the previous connection is gone. Wait, or choose another mount.")
    case 403 where words.contains("too many"):
      return NetworkError(
        .serverFault,
        "\(address) has as many sources as the server allows\(said). Wait until one ends, or raise "
          + "the server's limit of sources.")
    case 415,
      403 where words.contains("content"):
      return NetworkError(
        .unsupported,
        "\(address) does not accept AAC\(said). Allow the content type audio/aac there, and "
          + "audio/aacp for HE-AAC.")
    case 403:
      return NetworkError(
        .forbidden, "\(address) does not allow publishing\(said). Ask the server's administrator.")
    case 404:
      return NetworkError(
        .notFound,
        "\(address) does not exist\(said). Check the mount and the port: an Icecast server creates "
          + "a mount for authorized publishers, so something else may be answering there.")
    case 408:
      return NetworkError(
        .timeout,
        "\(address) waited too long for the request (status 408). Check whether the network is "
          + "fast enough.")
    case 400, 405, 411, 417, 501:
      return NetworkError(
        .unsupported,
        "\(address) does not accept the request (status \(status))\(said). Check whether this is "
          + "the port of an Icecast server.")
    case 300..<400:
      return NetworkError(
        .unsupported,
        "\(address) is elsewhere (status \(status)). Give the address of the server itself.")
    case 421, 425, 429, 500...:
      return NetworkError(
        .serverFault,
        "\(address) has an internal error or is overloaded (status \(status))\(said). Wait a "
          + "moment; if that does not help, look at the server's log, or ask its administrator.")
    default:
      return NetworkError(
        .forbidden,
        "\(address) rejected the stream (status \(status))\(said). Ask the server's administrator.")
    }
  }
}
