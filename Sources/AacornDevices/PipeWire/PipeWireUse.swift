#if os(Linux)
/// The purpose for which a ``PipeWireWatch`` keeps a stream open: to capture, or to play.
///
/// Used by the watching thread only.
protocol PipeWireUse: AnyObject {
  /// The program's name in mixers.
  var applicationName: String { get }
  /// The id of the only device to use; nil follows the default.
  var pinnedID: String? { get }
  /// The direction of the samples.
  var direction: DeviceDirection { get }
  /// Whether a module is loaded; it is unloaded only when the connection is closed.
  var hasLoadedModule: Bool { get }
  /// Whether a module may still be loaded although the stream could not be opened.
  var mayHaveLoadedModule: Bool { get }

  /// Returns the node to use now; nil if it is unavailable.
  func node(in graph: PipeWireGraph) -> PipeWireNode?

  /// Returns the device id of a node in this use.
  func id(of node: PipeWireNode) -> String

  /// Opens a stream for a node; `isReturning` states whether a loss of the device was reported
  /// before.
  func openStream(
    for node: PipeWireNode, in connection: PipeWireConnection, isReturning: Bool
  ) throws(DeviceError) -> PipeWireStream

  /// Returns the device's node to which the stream is linked, directly or through a filter.
  func linkedNode(of stream: PipeWireStream, in graph: PipeWireGraph) -> PipeWireNode?

  /// Returns whether the stream may continue with a node that the server has linked.
  func accepts(_ node: PipeWireNode, in graph: PipeWireGraph) -> Bool

  /// Announces that the stream is linked to another node.
  func announceChange()

  /// Reports that the device is unavailable, after the stream was closed.
  func reportLoss()

  /// Checks whether samples still flow through a linked stream.
  func checkFlow(after stream: PipeWireStream)

  /// Reports the device in use.
  func report(_ node: PipeWireNode, in graph: PipeWireGraph)

  /// Reports diagnostics about a stream through which samples flow.
  func reportDiagnostics(on stream: PipeWireStream)

  /// Releases the objects of a closed stream.
  func releaseStream()
}
#endif
