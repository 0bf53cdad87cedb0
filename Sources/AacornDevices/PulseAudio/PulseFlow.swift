#if os(Linux)
/// What a stream is to the thread that keeps it alive, in either direction.
protocol PulseFlow: AnyObject {
  /// Whether samples may still flow.
  var isGood: Bool { get }

  /// The number of the source or sink in use.
  var deviceIndex: UInt32 { get }

  /// Whether that has changed since this was last set to false.
  var hasMoved: Bool { get set }

  /// Whether there is something left to do that no callback will bring up again.
  var hasBacklog: Bool { get }

  /// Does what there is to do now.
  func serve()

  /// Whether nothing has flowed for this long although the device is not asleep.
  func isSilent(for milliseconds: Int64, now: Int64) -> Bool
}
#endif
