import AacornNetwork
import AacornRecording
import AacornSystem

/// HTTP responses about the state of a stream.
enum StatusPage {
  static func response(to request: HTTPRequest, _ stream: LiveSnapshot) -> HTTPResponse {
    answer(request) {
      switch request.path {
      case "/": .text(overview)
      case "/status": json(stream.json)
      case "/metrics":
        .text(StreamMetrics(stream).metrics.text, type: MetricsText.contentType)
      case "/healthz":
        stream.isHealthy ? .text("ok\n") : .text(problem(of: stream) + "\n", status: 503)
      default: nil
      }
    }
  }

  /// Returns an uncached response to a request for a page, which is nil if it does not exist.
  static func answer(_ request: HTTPRequest, _ page: () -> HTTPResponse?) -> HTTPResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .methodNotAllowed(["GET", "HEAD"])
    }
    guard var response = page() else { return .notFound }
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
  }

  static func json(_ value: JSONValue) -> HTTPResponse {
    .text(value.encoded + "\n", type: "application/json; charset=utf-8")
  }

  /// Starts a server at an address.
  static func server(
    at address: ListenAddress, _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws(NetworkError) -> HTTPServer {
    try HTTPServer(
      address: address.address, port: address.port, options: options(address: address.address)
    ) { request, responder in responder.respond(respond(request)) }
  }

  /// Returns the server's options for a status page that listens at an address.
  ///
  /// Web pages in a user's browser must not be able to read the state. So the host name in each
  /// request is checked, which prevents DNS rebinding.
  static func options(address: String, hostName: String = System.hostName) -> HTTPServer.Options {
    var options = HTTPServer.Options()
    options.connectionLimit = 64
    let names = HostNames(address: address, hostName: hostName)
    options.admission = { request in
      // Some monitoring programs send no host, unlike browsers, so accept requests without it.
      guard let host = request.header("Host"), !names.contains(host) else { return .asGuest }
      let reason = HTTPResponse.text(
        "The state of the stream is not served under this name. Request it by a numeric address, or"
          + " by the name of the machine.\n", status: 403)
      return .rejected(reason)
    }
    return options
  }

  private static let overview =
    "aacorn \(RootCommand.version)\n\n/status   status of the stream (JSON)\n"
    + "/metrics  metrics (Prometheus)\n/healthz  200 while it is live, otherwise 503\n"

  /// Returns the reason why a stream is not live.
  static func problem(of stream: LiveSnapshot) -> String {
    if stream.sound.isDeviceLost { return "the device is lost" }
    return stream.isFlowing ? "no output is live" : "no sound arrives"
  }
}
