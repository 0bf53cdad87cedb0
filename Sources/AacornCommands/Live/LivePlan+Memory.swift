import AacornCodec
import AacornRecording
import AacornStreaming
import AacornSystem

extension LivePlan.HLS {
  /// Rejects a window that does not fit into the server's memory.
  func checkMemory(_ configuration: RecordingConfiguration) throws(UsageError) {
    guard address != nil, self.configuration.kind == .live else { return }
    // The server keeps a segment that has left the playlist for the duration of the playlist plus
    // the segment's own duration (RFC 8216 6.2.2). In addition, a new segment is growing. Parts are
    // stored twice for a while.
    let count = max(3, self.configuration.windowSegmentCount) * 2 + 2
    let length = self.configuration.segmentDuration * count
    let seconds = length / .seconds(1)
    let parts = self.configuration.partDuration == nil ? 1.0 : 1.5
    let byteCount = Int(seconds * parts * Self.bytesPerSecond(configuration))
    let capacity = HLSMemoryStore().capacity
    if byteCount <= capacity { return }
    throw UsageError(
      "The segments of --hls-serve would take \(QuantityText.size(byteCount)) of memory, but "
        + "\(QuantityText.size(capacity)) is available.",
      hint: "Choose a lower --hls-window, or use --hls and a web server.")
  }

  /// Returns a warning with the time until the server's memory is full, for a playlist from which
  /// nothing is removed.
  func memoryWarning(_ configuration: RecordingConfiguration) -> String? {
    guard address != nil, self.configuration.kind != .live else { return nil }
    let seconds = Double(HLSMemoryStore().capacity) / Self.bytesPerSecond(configuration)
    if let duration = configuration.duration, duration < .seconds(seconds) {
      return nil
    }
    return "With --hls-type \(self.configuration.kind.rawValue) --hls-serve keeps all segments in "
      + "memory, which is enough for \(QuantityText.fixed(seconds / 3600, decimals: 1)) hours. Use "
      + "--hls and a web server for longer."
  }

  /// Returns an upper estimate of the bytes per second of all renditions.
  private static func bytesPerSecond(_ configuration: RecordingConfiguration) -> Double {
    let codings = [configuration.coding] + configuration.furtherCodings
    let bits = codings.map { coding -> Int in
      guard case .aac(let rateControl, _, _, _) = coding else { return 0 }
      // The overhead around the frames takes up to 4 kb/s.
      return 4000 + rateControl.maxBitsPerSecond(channelCount: configuration.channelCount)
    }
    return Double(bits.reduce(0, +)) / 8
  }
}

extension AACEncoder.RateControl {
  /// Returns the approximate maximum of the average bitrate; for a quality setting, an upper
  /// estimate.
  fileprivate func maxBitsPerSecond(channelCount: Int) -> Int {
    if case .variable(let level) = self { return 32_000 * level * channelCount }
    return nominalBitrate
  }
}
