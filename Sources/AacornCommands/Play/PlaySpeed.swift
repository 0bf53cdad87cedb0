/// The playback speeds that keys select.
enum PlaySpeed {
  private static let steps = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2]

  /// Returns the next faster or slower speed.
  static func stepped(from speed: Double, isUp: Bool) -> Double {
    if isUp { return steps.first { $0 > speed + 0.001 } ?? speed }
    return steps.last { $0 < speed - 0.001 } ?? speed
  }
}
