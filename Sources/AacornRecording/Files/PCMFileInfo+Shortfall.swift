import AacornSignal
import AacornSoundFiles

extension PCMFileInfo {
  /// Whether sound is missing where a file ends so many bytes before the end that its header announces.
  ///
  /// The byte behind an odd number of them is none, which some writers count and do not write.
  func lacksSound(_ missingByteCount: UInt64) -> Bool {
    if missingByteCount != 1 { return missingByteCount > 0 }
    let isPadding = format.bytesPerFrame == 1 && dataByteCount.map { $0 % 2 == 0 } == true
    return !isPadding
  }
}
