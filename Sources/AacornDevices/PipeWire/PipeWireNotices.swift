#if os(Linux)
/// Notices that the data thread writes before the next samples.
struct PipeWireNotices: OptionSet {
  let rawValue: UInt8

  /// The device is back.
  static let returned = PipeWireNotices(rawValue: 1)
  /// The device is another one.
  static let changed = PipeWireNotices(rawValue: 2)
  /// The device is awake again.
  static let resumed = PipeWireNotices(rawValue: 4)
}
#endif
