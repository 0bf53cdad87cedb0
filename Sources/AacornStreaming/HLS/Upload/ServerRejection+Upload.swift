import AacornNetwork

/// Errors of a web server that files are uploaded to.
extension ServerRejection {
  /// Returns the error for a request to a file below `address`.
  func uploadError(_ address: String, _ request: HTTPUpload.Request) -> NetworkError {
    let method = request == .delete ? "DELETE" : "PUT"
    switch status {
    case 401:
      return NetworkError(
        .unauthorized,
        "\(address) requires a user name and a password, or different ones. Give credentials that "
          + "allow \(method) there.")
    case 403:
      return NetworkError(
        .forbidden,
        "\(address) does not allow uploads\(quotation). The server must allow \(method) there, and "
          + "its process must have permission to write to that folder.")
    case 404, 409, 410:
      return NetworkError(
        .notFound,
        "\(address) does not exist (status \(status))\(quotation). Check the address, and create "
          + "that folder on the server.")
    case 405, 501:
      return NetworkError(
        .unsupported,
        "\(address) does not accept uploads (status \(status))\(quotation). The server must allow "
          + "\(method) there; check whether this is the address for uploads.")
    case 413:
      return NetworkError(
        .unsupported,
        "\(address) does not accept files of this size (status 413)\(quotation). Raise the server's "
          + "limit (client_max_body_size in nginx), or choose shorter segments.")
    case 408:
      return NetworkError(
        .timeout,
        "\(address) waited too long for a file (status 408). Check whether the network is fast "
          + "enough for the bitrate.")
    case 507:
      return NetworkError(
        .serverFault, "\(address) has no room left (status 507)\(quotation). Make room there.")
    default:
      return generalError(address)
        ?? NetworkError(
          .unsupported,
          "\(address) does not accept the request (status \(status))\(quotation). Check whether this "
            + "is the address for uploads.")
    }
  }
}
