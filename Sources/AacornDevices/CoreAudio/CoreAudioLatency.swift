import AacornSystem

/// The parts of the latency between a program and audible sound, in frames of a device.
///
///     request ──block, safety offset──► timestamp ──device, stream──► audible    playing
///     sound ──device, stream──► timestamp                                        capturing
struct CoreAudioLatency: Equatable {
  /// The latency of the device itself.
  var device: UInt32 = 0
  /// The additional latency of the device's stream.
  var stream: UInt32 = 0
  /// The distance that the system keeps from the hardware's position.
  var safetyOffset: UInt32 = 0
  /// The number of frames per block.
  var block: UInt32 = 0

  /// Returns the time between a block's timestamp and its sound, in nanoseconds.
  func afterTimestamp(sampleRate: Int) -> Int64 {
    System.nanoseconds(ofFrames: Int64(device) + Int64(stream), at: sampleRate)
  }

  /// Returns the time from the request for a block to its timestamp, in nanoseconds.
  ///
  /// The timestamp of a block to play already includes this time. So the time is needed only for a
  /// block without a timestamp.
  func beforeTimestamp(sampleRate: Int) -> Int64 {
    System.nanoseconds(ofFrames: Int64(safetyOffset) + Int64(block), at: sampleRate)
  }
}
