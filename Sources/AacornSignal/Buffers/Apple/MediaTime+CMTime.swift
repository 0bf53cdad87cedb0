#if canImport(CoreMedia)
public import CoreMedia

extension MediaTime {
  /// The same time; nil if it is none, or infinite.
  public init?(_ time: CMTime) {
    guard time.isNumeric else { return nil }
    self.init(value: time.value, timescale: time.timescale)
  }

  /// The same time for Core Media.
  public var cmTime: CMTime { CMTime(value: value, timescale: timescale) }
}
#endif
