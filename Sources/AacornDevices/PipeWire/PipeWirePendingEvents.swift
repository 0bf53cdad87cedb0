#if os(Linux)
/// Events that the data thread reports before the next samples.
struct PipeWirePendingEvents: OptionSet {
  let rawValue: UInt8

  /// The device has returned.
  static let returned = PipeWirePendingEvents(rawValue: 1)
  /// Another device is in use.
  static let changed = PipeWirePendingEvents(rawValue: 2)
  /// The device is awake again.
  static let resumed = PipeWirePendingEvents(rawValue: 4)
}
#endif
