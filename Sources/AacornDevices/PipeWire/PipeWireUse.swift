#if os(Linux)
/// What a ``PipeWireWatch`` keeps a stream open for: to capture, or to play.
///
/// For the watching thread alone.
protocol PipeWireUse: AnyObject {
  /// The program's name in mixers.
  var applicationName: String { get }
  /// The id of the only device to use; nil follows the default.
  var pinnedID: String? { get }
  /// What is done with a device, for an error's sentence.
  var operation: String { get }
  /// Whether a module was loaded that ends only with its context.
  var holdsModule: Bool { get }
  /// Whether that may be so although the stream could not be opened.
  var mayHoldModule: Bool { get }

  /// The node to use now; nil if it is not there.
  func node(in graph: PipeWireGraph) -> PipeWireNode?

  /// The id under which a node is known to those who use it.
  func id(of node: PipeWireNode) -> String

  /// Opens a stream for a node; `isReturning` after a loss that was told.
  func openStream(
    for node: PipeWireNode, in connection: PipeWireConnection, isReturning: Bool
  ) throws(CaptureError) -> PipeWireStream

  /// The node at the other end of the stream's links.
  func linkedNode(of stream: PipeWireStream, in graph: PipeWireGraph) -> PipeWireNode?

  /// Whether the stream may continue with a node that the server has linked.
  func accepts(_ node: PipeWireNode, in graph: PipeWireGraph) -> Bool

  /// Tells that the stream is linked to another node than before.
  func announceChange()

  /// Tells that the device is gone, after the stream was closed.
  func tellLoss()

  /// Looks after a stream that is linked.
  func look(after stream: PipeWireStream)

  /// Reports which device is in use.
  func report(_ node: PipeWireNode, in graph: PipeWireGraph)

  /// Reports what is worth knowing of a stream through which samples flow.
  func remark(on stream: PipeWireStream)

  /// Lets go of what belonged to a stream that was closed.
  func forgetStream()
}
#endif
