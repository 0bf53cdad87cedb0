#if canImport(CoreMedia)
public import CoreMedia

extension MediaTime {
  /// Converts a Core Media time; nil if it is invalid, indefinite or infinite.
  public init?(_ time: CMTime) {
    guard time.isNumeric else { return nil }
    self.init(value: time.value, timescale: time.timescale)
  }

  /// The same time as a Core Media time.
  public var cmTime: CMTime { CMTime(value: value, timescale: timescale) }
}
#endif
