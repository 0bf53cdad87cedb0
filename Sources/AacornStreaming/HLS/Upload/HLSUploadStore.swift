public import AacornNetwork
public import AacornRecording

/// A store that uploads an HLS presentation to a web server.
///
/// It sends every file, and then the playlist that lists it, with PUT (RFC 9110, 9.3.4).
///
/// The output does not wait for the server: files enter a queue, and a separate thread sends them
/// one after the other. A playlist is sent only when the server has confirmed the files in it.
/// While the server is slow or unavailable, segments wait as long as the playlist lists them.
/// Segments that leave the playlist, or exceed ``HLSUploadConfiguration/capacity``, are dropped and
/// counted in the ``status``, like the frames of a ``LiveOutput``, and the output continues. The
/// store fails only on an error that retrying cannot fix, such as a wrong password for the first
/// file.
///
/// At the end, the output waits until the server has confirmed the last playlist. It fails if the
/// server does not.
public final class HLSUploadStore: HLSStore {
  let work: HLSUploadWork

  /// Creates a store for a server.
  ///
  /// The queue options of `options` do not apply; ``HLSUploadConfiguration`` has separate ones.
  /// `states` is called with every change of the connection's state, in order.
  public init(
    _ configuration: HLSUploadConfiguration, _ options: LiveOptions = LiveOptions(),
    states: @escaping @Sendable (LiveState) -> Void = { _ in },
    transports: @escaping TransportFactory = SystemTransport.factory
  ) {
    work = HLSUploadWork(configuration, options, transports: transports, states: states)
  }

  deinit { work.abandon() }

  /// The address, without user, password and query.
  public var name: String { work.configuration.address }

  /// The current status.
  public var status: LiveStatus { work.status }

  /// False: a remote web server does not hold back requests for a playlist.
  public var servesParts: Bool { false }

  /// The time limit of the upload's end, and ten seconds.
  public var closeTimeout: Duration { work.finishLimit + .seconds(10) }

  /// Stores the type of the playlist, and the duration of the segments, from which the duration of
  /// the waiting audio is derived.
  public func prepare(for configuration: HLSConfiguration) { work.prepare(for: configuration) }

  /// Queues a file.
  public func put(_ bytes: [UInt8], as name: String) throws(OutputError) {
    try work.add { $0.put(bytes, as: name) }
  }

  /// Queues a playlist, which replaces an older one that waits.
  public func publish(
    _ playlist: String, as name: String, contents: HLSPlaylistContents
  ) throws(OutputError) {
    try work.add { $0.publish(playlist, as: name, contents: contents) }
  }

  /// Drops a file that no playlist needs.
  ///
  /// Queues its removal from the server if the configuration requests that.
  public func remove(_ name: String) { work.remove(name) }

  /// Throws if the upload has failed.
  ///
  /// The last call waits until the server has all files.
  public func poll(isLast: Bool) throws(OutputError) -> [OutputError] {
    if isLast { work.finish() }
    if let failure = work.failure { throw failure }
    return []
  }
}
