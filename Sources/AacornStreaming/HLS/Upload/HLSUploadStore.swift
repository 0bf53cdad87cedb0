public import AacornRecording

/// Uploads an HLS presentation to a web server: PUT of every file, and then of the playlist that
/// lists it (RFC 9110, 9.3.4).
///
/// It does not wait for the server: files go into a queue, and a thread of its own sends them one
/// after the other. A playlist is sent only when the server has confirmed what it lists. While the
/// server is slow or away, segments wait as long as the playlist lists them; those that leave it,
/// or exceed ``HLSUploadConfiguration/capacity``, are dropped and counted in the ``status``, as frames
/// of a ``LiveOutput`` are, and the output goes on. Only an error that retrying cannot fix, such as a
/// wrong password for the first file, makes it fail.
///
/// At its end an output waits until the server has confirmed the last playlist, and fails if that
/// does not come about.
public final class HLSUploadStore: HLSStore {
  let work: HLSUploadWork

  /// Creates a store on a server.
  ///
  /// Of the options, those for queues are ``HLSUploadConfiguration``'s own. `states` is called with
  /// every change of the connection's state, in order.
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
  public var status: HLSUploadStatus { work.status }

  /// A web server elsewhere does not hold requests back until there is more.
  public var servesParts: Bool { false }

  /// Learns how long segments are.
  public func prepare(for configuration: HLSConfiguration) {
    work.prepare(segmentDuration: configuration.segmentDuration)
  }

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

  /// Forgets a file, and queues its removal if that is wanted.
  public func remove(_ name: String) { work.remove(name) }

  /// Checks that it can go on; at the end, waits until the server has everything.
  public func look(isLast: Bool) throws(OutputError) -> [OutputError] {
    if isLast { work.finish() }
    if let failure = work.failure { throw failure }
    return []
  }
}
