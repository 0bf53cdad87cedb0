import AacornRecording
import AacornSystem
import AacornWeb

/// HTTP responses about the state of a stream.
enum StatusPage {
  /// Returns the response to a request.
  static func response(to request: HTTPRequest, _ stream: StreamSnapshot) -> HTTPResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .methodNotAllowed(["GET", "HEAD"])
    }
    var response: HTTPResponse
    switch request.path {
    case "/": response = .text(overview)
    case "/status":
      response = .text(stream.json.encoded + "\n", type: "application/json; charset=utf-8")
    case "/metrics":
      response = .text(StreamMetrics(stream).text, type: StreamMetrics.contentType)
    case "/healthz":
      response =
        stream.isHealthy ? .text("ok\n") : .text(problem(of: stream) + "\n", status: 503)
    default: return .notFound
    }
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
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
  static func problem(of stream: StreamSnapshot) -> String {
    if stream.isDeviceLost { return "the device is lost" }
    return stream.isFlowing ? "no output is live" : "no sound arrives"
  }
}
