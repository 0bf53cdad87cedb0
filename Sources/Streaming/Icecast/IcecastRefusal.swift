/// A server's no, in words.
struct IcecastRefusal {
  /// The status of the answer.
  var status: Int
  /// What the server itself says, as a harmless line; often empty.
  var words: String

  /// The refusal in an answer, of which `body` may be all or a part.
  ///
  /// What repeats the password is left out.
  init(_ answer: IcecastAnswer, body: [UInt8], secrets: [String]) {
    status = answer.status
    words = PlainLine.ofPage(String(decoding: body, as: UTF8.self), limit: 160)
    if words.isEmpty { words = PlainLine.of(answer.reason, limit: 160) }
    if secrets.contains(where: { !$0.isEmpty && words.contains($0) }) { words = "" }
    // Ours are sentences; theirs goes inside of one.
    while let last = words.last, last == "." || last == "!" { words.removeLast() }
  }

  /// Whether a server that says so may understand the other way to introduce a source.
  var suggestsOtherMethod: Bool { [400, 404, 405, 411, 417, 501].contains(status) }

  /// The error for a stream to `address`.
  func error(_ address: String) -> StreamingError {
    let said = words.isEmpty ? "" : ": “\(words)”"
    let words = words.lowercased()
    switch status {
    case 401:
      return StreamingError(
        .unauthorized,
        "\(address) does not accept the user name or the password. "
          + "Give the server's source password.")
    case 407:
      return StreamingError(
        .unauthorized, "The proxy on the way to \(address) wants a user name and a password.")
    case 409,
      403 where words.contains("in use"):
      return StreamingError(
        .taken,
        "\(address) is in use: somebody else publishes there, or the server has not noticed yet "
          + "that the connection before is gone. Wait, or choose another mount.")
    case 403 where words.contains("too many"):
      return StreamingError(
        .serverFault,
        "\(address) has as many sources as the server allows\(said). "
          + "Wait until one ends, or raise the limit of sources there.")
    case 415,
      403 where words.contains("content"):
      return StreamingError(
        .unsupported,
        "\(address) does not take AAC\(said). Allow the content type audio/aac there.")
    case 403:
      return StreamingError(
        .forbidden, "\(address) does not allow it\(said). Ask who runs the server.")
    case 404:
      return StreamingError(
        .notFound,
        "\(address) does not exist\(said). Look whether the mount is right, "
          + "and whether this is the port of an Icecast server.")
    case 400, 405, 411, 417, 501:
      return StreamingError(
        .unsupported,
        "\(address) does not take a stream (status \(status))\(said). "
          + "Look whether this is the port of an Icecast server.")
    case 300..<400:
      return StreamingError(
        .unsupported,
        "\(address) is elsewhere (status \(status)). Give the address of the server itself.")
    case 429, 500...:
      return StreamingError(
        .serverFault, "\(address) has a fault of its own (status \(status))\(said). Try later.")
    default:
      return StreamingError(
        .forbidden,
        "\(address) refuses the stream (status \(status))\(said). Ask who runs the server.")
    }
  }
}
