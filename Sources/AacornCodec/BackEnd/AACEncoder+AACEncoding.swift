extension AACEncoder: AACEncoding {
  /// Keeps to another bitrate from the next unit on; false, and nothing changes, if
  /// ``setBitrate(_:)`` would throw.
  public mutating func changeBitrate(to bitsPerSecond: Int) -> Bool {
    do throws(EncoderError) {
      try setBitrate(bitsPerSecond)
      return true
    } catch {
      return false
    }
  }
}
