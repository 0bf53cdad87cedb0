public import AacornNetwork
import AacornSystem

/// A request handler that serves an HLS presentation from memory: playlists with blocking reload,
/// segments, parts, and a web page with a player.
///
/// Pass `handle` to an `HTTPServer`. Pending requests do not occupy threads.
public struct HLSHandler: Sendable {
  private let store: HLSMemoryStore
  private let playlistName: String
  private let page: String

  /// Creates a handler for a store.
  ///
  /// `playlistName` is the playlist of the player, `title` the title of the page.
  public init(
    _ store: HLSMemoryStore, playlistName: String = "stream.m3u8", title: String = "Live"
  ) {
    self.store = store
    self.playlistName = playlistName
    page = Self.page(title: title, playlist: playlistName)
  }

  /// Handles a request.
  ///
  /// Its path is the name of a file, or empty for the page.
  ///
  /// A server with other content removes the leading path components from the request first.
  public func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
    switch request.method {
    case "GET", "HEAD": break
    case "OPTIONS": return responder.respond(Self.preflight)
    default:
      return responder.respond(Self.uncacheable(.methodNotAllowed(["GET", "HEAD", "OPTIONS"])))
    }
    guard let name = request.components.first else { return responder.respond(pageResponse) }
    if request.components.count > 1 {
      responder.respond(Self.uncacheable(.notFound))
    } else if name.hasSuffix(".m3u8") {
      servePlaylist(name, request, responder)
    } else {
      serve(.file(name), name, request, responder)
    }
  }

  // MARK: Playlists

  private func servePlaylist(
    _ name: String, _ request: HTTPRequest, _ responder: HTTPResponder
  ) {
    let segment = request.queryValue("_HLS_msn").map { Int(digits: $0) }
    let part = request.queryValue("_HLS_part").map { Int(digits: $0) }
    if segment == .some(nil) || part == .some(nil) || (part != nil && segment == nil) {
      return responder.respond(Self.uncacheable(Self.badDirective))
    }
    guard let playlist = store.playlist(name) else {
      // A listener may connect before the first segment exists, so wait for the player's playlist.
      if name == playlistName { return serve(.playlist(name), name, request, responder) }
      return responder.respond(Self.uncacheable(.notFound))
    }
    guard let segment, let segment else {
      return serve(.playlist(name), name, request, responder)
    }
    let wantedPart = part ?? nil
    if playlist.isTooFar(segment: segment, part: wantedPart) {
      return responder.respond(Self.uncacheable(Self.badDirective))
    }
    serve(.reach(name, segment: segment, part: wantedPart), name, request, responder)
  }

  private static let badDirective = HTTPResponse.text(
    "The playlist has no such segment or part, and will not have it soon.\n", status: 400)

  /// Responds as soon as the requested item exists.
  ///
  /// Responds with 503 if that takes longer than three target durations (RFC 8216bis 6.2.5.2), or
  /// five for a new playlist, which needs three segments.
  private func serve(
    _ item: HLSMemoryStore.PendingItem, _ name: String, _ request: HTTPRequest,
    _ responder: HTTPResponder
  ) {
    var timeoutFactor = 3
    if case .playlist = item { timeoutFactor = 5 }
    responder.respond(
      after: store.targetDuration * timeoutFactor,
      Self.uncacheable(
        .unavailable("The requested playlist or segment was not available in time. Try again.\n")))
    // Weak, because the store retains the waiting closures.
    store.wait(for: item, unless: { responder.isDone }) { [weak store] found in
      switch found {
      case .nothing: break
      case .file: store?.record(request)
      case .playlist(let playlist): store?.record(request, hasEnd: playlist.isEnded)
      }
      responder.respond(Self.response(to: found, name))
    }
  }

  // MARK: Responses

  private static func response(to found: HLSMemoryStore.Found, _ name: String) -> HTTPResponse {
    switch found {
    case .nothing: uncacheable(.notFound)
    case .playlist(let playlist): response(playlist.bytes, name)
    case .file(let bytes): response(bytes, name)
    }
  }

  private static func response(_ bytes: [UInt8], _ name: String) -> HTTPResponse {
    // Named files never change, except playlists. An outdated playlist would stall players.
    let caching = name.hasSuffix(".m3u8") ? "no-cache" : "public, max-age=31536000, immutable"
    return open(
      HTTPResponse(
        headers: [
          HTTPField("Content-Type", contentType(of: name)),
          HTTPField("Cache-Control", caching),
        ], body: bytes))
  }

  /// Returns the media type (RFC 8216 4 and 10; RFC 6381 for the contents of an MP4 file without
  /// video).
  static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "m3u8": "application/vnd.apple.mpegurl"
    case "aac": "audio/aac"
    case "mp4", "m4s", "m4a": "audio/mp4"
    default: "application/octet-stream"
    }
  }

  /// Allows pages of all origins to read the response: the stream is open to every player.
  private static func open(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headers.append(HTTPField("Access-Control-Allow-Origin", "*"))
    return response
  }

  /// Returns a response that must not be cached: the missing item may exist soon, and a cache would
  /// continue to report it missing (RFC 9111 4.2.2).
  private static func uncacheable(_ response: HTTPResponse) -> HTTPResponse {
    var response = open(response)
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
  }

  private static let preflight = open(
    HTTPResponse(
      status: 204,
      headers: [
        HTTPField("Allow", "GET, HEAD, OPTIONS"),
        HTTPField("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
        HTTPField("Access-Control-Allow-Headers", "Range"),
        HTTPField("Access-Control-Max-Age", "86400"),
      ]))

  // MARK: The page

  private var pageResponse: HTTPResponse {
    var response = HTTPResponse.text(page, type: "text/html; charset=utf-8")
    response.headers += [
      HTTPField("Cache-Control", "no-cache"),
      HTTPField(
        "Content-Security-Policy",
        "default-src 'none'; media-src 'self' blob:; connect-src 'self';"
          + " style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"),
      HTTPField("Referrer-Policy", "no-referrer"),
    ]
    return response
  }

  private static func page(title: String, playlist: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(title))</title>
    <style>
    body { font-family: system-ui, sans-serif; max-width: 32rem; margin: 4rem auto;
      padding: 0 1rem; }
    audio { width: 100%; }
    </style>
    <h1>\(escaped(title))</h1>
    <audio controls autoplay src="\(escaped(playlist))">This browser cannot play audio.</audio>
    <p>If no audio plays, this browser does not support HLS. Open
    <a href="\(escaped(playlist))">the stream</a> in a player such as VLC.</p>
    </html>

    """
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
  }
}

/// The listeners of an HLS presentation, with the time of their last request.
///
/// A listener is identified by its address and the name of its program. Several players of the same
/// kind that share an address count as one, because HTTP does not distinguish them.
struct HLSListeners: Sendable {
  private struct Listener: Sendable, Hashable {
    var address: String
    var program: String
  }

  private struct ListenerSession: Sendable {
    /// The time of the last response, in nanoseconds.
    var nanoseconds: Int64
    /// Whether the listener received a media playlist with an end.
    var hasEnd: Bool
  }

  private var sessions: [Listener: ListenerSession] = [:]

  /// The maximum number of listeners that are counted.
  ///
  /// The limit bounds the memory that a client can occupy with invented program names.
  static let limit = 4096

  /// Records a request that is being answered.
  mutating func record(_ request: HTTPRequest, at nanoseconds: Int64, hasEnd: Bool = false) {
    let program = request.header("User-Agent") ?? ""
    let listener = Listener(address: request.remoteAddress, program: String(program.prefix(200)))
    if sessions[listener] == nil, sessions.count >= Self.limit {
      // Listeners without a request in the last hour do not matter anymore.
      sessions = sessions.filter { nanoseconds - $0.value.nanoseconds < 3_600_000_000_000 }
      if sessions.count >= Self.limit { return }
    }
    let knowsEnd = sessions[listener]?.hasEnd ?? false
    sessions[listener] = ListenerSession(nanoseconds: nanoseconds, hasEnd: hasEnd || knowsEnd)
  }

  /// Returns the number of listeners since a time, and the number of them that received the end of
  /// the playlist.
  func count(since nanoseconds: Int64) -> (count: Int, finishedCount: Int) {
    let recent = sessions.values.filter { $0.nanoseconds >= nanoseconds }
    return (recent.count, recent.count(where: \.hasEnd))
  }
}
