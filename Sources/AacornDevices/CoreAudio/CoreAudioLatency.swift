/// The parts of the way between a program and the air, in frames of a device.
///
///     asked for ──block, safety offset──► timestamp ──device, stream──► air      playing
///     air ──device, stream──► timestamp                                          capturing
struct CoreAudioLatency: Equatable {
  /// What the device itself takes.
  var device: UInt32 = 0
  /// What its stream takes in addition.
  var stream: UInt32 = 0
  /// How far the system stays away from where the hardware is.
  var safetyOffset: UInt32 = 0
  /// The frames that are asked for at a time.
  var block: UInt32 = 0

  /// From a block's timestamp to the air or back, in nanoseconds.
  func afterTimestamp(sampleRate: Int) -> Int64 {
    Self.nanoseconds(Int64(device) + Int64(stream), sampleRate)
  }

  /// How long before its timestamp a block is asked for, in nanoseconds.
  ///
  /// The timestamp of a block to be played has this in it already, so it counts only where there is
  /// no timestamp.
  func beforeTimestamp(sampleRate: Int) -> Int64 {
    Self.nanoseconds(Int64(safetyOffset) + Int64(block), sampleRate)
  }

  /// Two of the largest counts still fit.
  private static func nanoseconds(_ frameCount: Int64, _ sampleRate: Int) -> Int64 {
    sampleRate > 0 ? frameCount * 1_000_000_000 / Int64(sampleRate) : 0
  }
}
