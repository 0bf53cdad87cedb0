import AacornContainers
import AacornNetwork
import AacornSystem

/// Dispatches requests to their handlers.
struct StudioRouter: Sendable {
  let events: EventHub
  let recorder: StudioRecorder
  let library: StudioLibrary
  /// The path component that must follow `hls` for players; nil if none is required.
  let listeningKey: String?
  private let page = StudioPageFiles()

  init(
    events: EventHub, recorder: StudioRecorder, library: StudioLibrary, listeningKey: String? = nil
  ) {
    self.events = events
    self.recorder = recorder
    self.library = library
    self.listeningKey = listeningKey
  }

  /// Returns the rejection of a request that announces a too large body; called before the body is
  /// read.
  static func rejection(of request: HTTPRequest) -> HTTPResponse? {
    // The login handler itself rejects a login that is too large.
    guard request.components != StudioGuard.loginPath,
      let announced = request.header("Content-Length").flatMap({ Int($0) })
    else { return nil }
    let limit = request.method == "PUT" ? StudioServer.uploadLimit : StudioServer.fieldLimit
    if announced <= limit { return nil }
    return StudioError(
      413,
      "The request has \(announced) bytes, but at most \(limit) are allowed. Send less at once."
    ).response(for: request)
  }

  /// Responds to a request, immediately or later.
  func answer(_ request: HTTPRequest, _ responder: HTTPResponder) {
    let path = request.components
    switch path.first {
    case "api" where path == ["api", "events"]: listen(request, responder)
    case "api":
      if recorder.handle(path, request, responder)
        || library.handle(path, request, responder.respond)
      {
        return
      }
      respondNotFound(request, responder)
    case "hls":
      var listening = request
      // The request was already admitted. The recorder expects the paths of its streams without the
      // key.
      if let listeningKey, path.dropFirst().first == listeningKey {
        listening.components.remove(at: 1)
      }
      if !recorder.handle(listening.components, listening, responder) {
        respondNotFound(request, responder)
      }
    case "recordings":
      if !library.handle(path, request, responder.respond) { respondNotFound(request, responder) }
    default:
      if let answer = page.answer(to: request) {
        responder.respond(answer)
      } else {
        respondNotFound(request, responder)
      }
    }
  }

  private func listen(_ request: HTTPRequest, _ responder: HTTPResponder) {
    switch request.method {
    case "GET": responder.respond(events.attach())
    case "HEAD": responder.respond(HTTPResponse(headers: EventHub.headers))
    default: responder.respond(StudioResponse.methodNotAllowed(["GET", "HEAD"], for: request))
    }
  }

  private func respondNotFound(_ request: HTTPRequest, _ responder: HTTPResponder) {
    responder.respond(StudioError.nothingHere.response(for: request))
  }
}

/// Builders of the studio's own responses, and the headers of all responses.
enum StudioResponse {
  /// The security headers of all responses: all content comes from the studio, no data goes
  /// elsewhere, and no other page may embed the studio.
  static let headers = [
    HTTPField("Content-Security-Policy", policy),
    HTTPField("Referrer-Policy", "no-referrer"),
    HTTPField("X-Frame-Options", "DENY"),
    HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
    HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
    HTTPField("Permissions-Policy", "microphone=(self), camera=(), geolocation=()"),
  ]

  /// Content Security Policy Level 3.
  ///
  /// `wasm-unsafe-eval` allows only WebAssembly.
  static let policy = [
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
    "img-src 'self' blob: data:", "media-src 'self' blob:", "connect-src 'self'",
    "worker-src 'self' blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// Returns a response with JSON on one line.
  static func json(_ line: String, status: Int = 200) -> HTTPResponse {
    var response = HTTPResponse.text(line + "\n", status: status, type: "application/json")
    // The content is the current state, so no client may cache it.
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
  }

  /// Returns the response to a method that the path does not support (RFC 9110 15.5.6).
  static func methodNotAllowed(_ allowed: [String], for request: HTTPRequest) -> HTTPResponse {
    var response = StudioError(405, "This method is not allowed here.").response(for: request)
    response.headers.append(HTTPField("Allow", allowed.joined(separator: ", ")))
    return response
  }
}

extension HTTPRequest {
  /// Whether the method is one of `methods`; otherwise responds with status 405.
  func hasMethod(_ methods: [String], orRespond answer: (HTTPResponse) -> Void) -> Bool {
    if methods.contains(method) { return true }
    answer(StudioResponse.methodNotAllowed(methods, for: self))
    return false
  }
}

extension StudioError {
  /// The error as JSON, with the field of the form that it is about.
  var response: HTTPResponse {
    var members = [JSONValue.Member("error", .text(message))]
    if let field { members.append(JSONValue.Member("field", .text(field))) }
    return StudioResponse.json(JSONValue.object(members).encoded, status: status)
  }

  /// Returns the error as JSON for the paths of programs, and as text for all other paths.
  func response(path: String) -> HTTPResponse {
    let firstComponent = path.prefix { $0 != "?" }.split(separator: "/").first
    if firstComponent == "api" || firstComponent == "recordings" { return response }
    var response = HTTPResponse.text(message + "\n", status: status)
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
  }

  func response(for request: HTTPRequest) -> HTTPResponse { response(path: request.path) }
}
