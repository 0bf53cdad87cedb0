import AacornSignal
import AacornSoundFiles

extension PCMFileInfo {
  /// Returns whether audio is missing in a file that ends this many bytes before the end in its
  /// header.
  ///
  /// Some writers count a padding byte after an odd number of bytes, but do not write it.
  func isMissingAudio(_ missingByteCount: UInt64) -> Bool {
    if missingByteCount != 1 { return missingByteCount > 0 }
    let isPadding = format.bytesPerFrame == 1 && dataByteCount.map { $0 % 2 == 0 } == true
    return !isPadding
  }
}
