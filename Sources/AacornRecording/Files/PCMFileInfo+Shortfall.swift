import AacornSignal
import AacornSoundFiles

extension PCMFileInfo {
  /// Returns whether audio is missing in a file that is this number of bytes shorter than its
  /// header specifies.
  ///
  /// Some writers count a padding byte after an odd number of bytes, but do not write it.
  func isMissingAudio(_ missingByteCount: UInt64) -> Bool {
    if missingByteCount != 1 { return missingByteCount > 0 }
    let isPadding = format.bytesPerFrame == 1 && dataByteCount.map { $0 % 2 == 0 } == true
    return !isPadding
  }

  /// Returns the description with the real length of the samples in a file of `byteCount` bytes.
  ///
  /// A length of 32 bits has wrapped if the file has 4 GiB or more after the stated end.
  func unwrapped(in byteCount: Int?) -> PCMFileInfo {
    guard let stated = dataByteCount, stated <= UInt32.max,
      let rest = byteCount.map({ UInt64(max(0, $0)) }), rest >= dataOffset
    else { return self }
    let available = rest - dataOffset
    guard available >= stated, available - stated >= 1 << 32 else { return self }
    var length = stated + ((available - stated) >> 32) << 32
    // The stated length may have been rounded down to whole frames.
    let frameSize = UInt64(max(1, format.bytesPerFrame))
    let excess = length % frameSize
    if excess > 0 { length = min(length + frameSize - excess, available - available % frameSize) }
    return PCMFileInfo(format: format, dataOffset: dataOffset, dataByteCount: length)
  }
}
