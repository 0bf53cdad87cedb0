extension HTTPServer {
  /// The HTTP implementation of a server.
  package enum Engine: Sendable, CaseIterable {
    #if canImport(Network)
    /// Our own engine on connections of Apple's Network framework.
    ///
    /// For Unix domain sockets it uses sockets.
    case network
    #else
    /// GNU libmicrohttpd.
    case library
    #endif
    /// Our own engine on sockets.
    case sockets

    #if canImport(Network)
    private static let platformDefault = Engine.network
    #else
    private static let platformDefault = Engine.library
    #endif

    /// The implementation for servers that are started in this task.
    ///
    /// Tests select others.
    @TaskLocal package static var standard = platformDefault
  }
}
