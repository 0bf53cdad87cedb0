import AacornNetwork

/// Errors of live streams, for all protocols.
extension NetworkError {
  static func flooding(_ name: String) -> NetworkError {
    NetworkError(
      .malformed,
      "“\(name)” sent more than \(InboundByteBudget.burst / 1000) kB of unexpected data, and the "
        + "connection was closed. Check the host and port: it may not be a streaming server.")
  }

  // MARK: Streams that end before the server accepted audio

  static func unreached(_ name: String) -> NetworkError {
    NetworkError(
      .unreachable,
      "“\(name)” was not reached before the end of the stream. Check the address and the port, and "
        + "the network.")
  }

  static func unanswered(_ name: String) -> NetworkError {
    NetworkError(
      .timeout,
      "“\(name)” accepted the connection but did not answer before the end. Check the port, and "
        + "whether the server is working.")
  }

  static func untaken(_ name: String) -> NetworkError {
    NetworkError(
      .timeout,
      "“\(name)” accepted the stream but none of its audio before the end. Check whether the "
        + "server is working and the network is fast enough for the bitrate.")
  }
}
