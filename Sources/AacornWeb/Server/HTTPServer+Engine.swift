extension HTTPServer {
  /// What speaks HTTP for a server.
  package enum Engine: Sendable, CaseIterable {
    #if canImport(Network)
    /// Our own engine on connections of Apple's Network framework; for socket files on sockets.
    case network
    #else
    /// GNU libmicrohttpd.
    case library
    #endif
    /// Our own engine on sockets.
    case sockets

    #if canImport(Network)
    private static let usual = Engine.network
    #else
    private static let usual = Engine.library
    #endif

    /// What servers get that are started in this task; tests choose others.
    @TaskLocal package static var standard = usual
  }
}
