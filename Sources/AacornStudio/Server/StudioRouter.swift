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
    responder.respond(StudioError(404, "There is nothing here.").response(for: request))
  }
}
