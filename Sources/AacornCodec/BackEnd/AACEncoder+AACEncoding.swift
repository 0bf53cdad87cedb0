extension AACEncoder: AACEncoding {
  /// Changes the bitrate from the next unit on.
  ///
  /// Returns false, without a change, if ``setBitrate(_:)`` would throw.
  public mutating func changeBitrate(to bitsPerSecond: Int) -> Bool {
    do throws(EncoderError) {
      try setBitrate(bitsPerSecond)
      return true
    } catch {
      return false
    }
  }
}
