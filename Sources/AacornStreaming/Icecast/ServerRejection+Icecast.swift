import AacornNetwork

/// Errors of an Icecast server.
extension ServerRejection {
  /// Whether a server that responds with this status may support the other request method.
  var suggestsOtherMethod: Bool { [400, 404, 405, 411, 417, 501].contains(status) }

  /// Returns the error for a request to `address`.
  func icecastError(_ address: String) -> NetworkError {
    let explanation = explanation.lowercased()
    switch status {
    case 401:
      return NetworkError(
        .unauthorized,
        "\(address) does not accept the user name or the password. "
          + "Give the server's source password.")
    case 409,
      403 where explanation.contains("in use"):
      return NetworkError(
        .taken,
        "\(address) is in use: another client is publishing there, or the server has not yet "
          + "detected the end of the previous connection. Wait, or choose another mount.")
    case 403 where explanation.contains("too many"):
      return NetworkError(
        .serverFault,
        "The server of \(address) has reached its limit of sources\(quotation). Wait until one ends, "
          + "or raise the limit.")
    case 415,
      403 where explanation.contains("content"):
      return NetworkError(
        .unsupported,
        "\(address) does not accept AAC\(quotation). Allow the content type audio/aac there, and "
          + "audio/aacp for HE-AAC.")
    case 403:
      return NetworkError(
        .forbidden,
        "\(address) does not allow publishing\(quotation). Ask the server's administrator.")
    case 404:
      return NetworkError(
        .notFound,
        "\(address) does not exist\(quotation). Check the mount and the port. An Icecast server creates "
          + "mounts for authorized publishers, so this may be another server.")
    case 408:
      return NetworkError(
        .timeout,
        "\(address) waited too long for the request (status 408). Check whether the network is "
          + "fast enough.")
    case 400, 405, 411, 417, 501:
      return NetworkError(
        .unsupported,
        "\(address) does not accept the request (status \(status))\(quotation). Check whether this is "
          + "the port of an Icecast server.")
    default:
      return generalError(address)
        ?? NetworkError(
          .forbidden,
          "\(address) rejected the stream (status \(status))\(quotation). Ask the server's administrator."
        )
    }
  }
}
