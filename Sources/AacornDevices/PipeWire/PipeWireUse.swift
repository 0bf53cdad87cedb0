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
  /// Whether opening a stream may load a module, which is unloaded only when the connection is
  /// closed.
  var mayLoadModule: Bool { get }
  /// The name of the loaded module's node that is linked to the device in place of the stream; nil
  /// if no module is loaded.
  var moduleNode: String? { get }

  /// Opens a stream for a node; `isReturning` states whether a loss of the device was reported
  /// before.
  func openStream(
    for node: PipeWireNode, in connection: PipeWireConnection, isReturning: Bool
  ) throws(DeviceError) -> PipeWireStream

  /// Reports that the device is unavailable, after the stream was closed.
  func reportLoss()

  /// Checks whether samples still flow through a linked stream.
  func checkFlow(after stream: PipeWireStream)

  /// Reports diagnostics about a stream through which samples flow.
  func reportDiagnostics(on stream: PipeWireStream)

  /// Releases the objects of a closed stream.
  func releaseStream()
}
#endif
