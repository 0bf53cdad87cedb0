/// The limits of a frame's size.
package enum FrameLimits {
  /// The decoder's buffer in bits, for each channel except the LFE (ISO/IEC 14496-3, 4.5.3.1).
  package static var bufferBitsPerChannel: Int { 6144 }
  /// The maximum number of bytes of a frame that is read: more than 64 channels (48 KiB) can use.
  package static var maxByteCount: Int { 1 << 17 }
  /// The maximum number of bytes of a frame in the tables of a new MP4 file, which keep 16 bits for
  /// each frame in memory.
  package static var maxTableByteCount: Int { Int(UInt16.max) }
  /// The maximum number of bytes of a frame or header whose length is not stored: the buffers of 16
  /// channels, plus data.
  package static var maxByteCountWithoutLength: Int { 1 << 14 }
}

extension AudioSpecificConfig {
  /// The size of the decoder's buffer in bytes; at least the buffer of one channel.
  package var bufferByteCount: Int {
    max(1, bufferedChannelCount) * FrameLimits.bufferBitsPerChannel / 8
  }
}
