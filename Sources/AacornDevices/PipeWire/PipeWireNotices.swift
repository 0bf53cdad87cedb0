#if os(Linux)
/// Notices that the data thread writes before the next samples.
struct PipeWireNotices: OptionSet {
  let rawValue: UInt8

  /// The device has returned.
  static let returned = PipeWireNotices(rawValue: 1)
  /// Another device is in use.
  static let changed = PipeWireNotices(rawValue: 2)
  /// The device is awake again.
  static let resumed = PipeWireNotices(rawValue: 4)
}
#endif
