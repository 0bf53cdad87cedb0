public import AacornInspection
import AacornSoundFiles
import AacornSystem

extension AACFile {
  /// Inspects a file with AAC: ADTS, LATM, ADIF, MP4 or an MPEG transport stream, recognized by its
  /// content.
  ///
  /// Every frame is read to its last bit. A file in which there is no frame has a report that says
  /// so; one that is known to be something else, such as a WAV file, is an error that names it.
  ///
  /// - Parameters:
  ///   - path: The path of a file; pipes and folders are refused.
  ///   - decodesSound: Whether it is decoded as well: then the report's `sound` tells the loudness,
  ///     the peaks, what is clipped, silent or concealed, and the exact length.
  /// - Returns: What is inside, with all its faults.
  /// - Throws: Why the file cannot be inspected.
  public static func inspect(
    _ path: String, decodesSound: Bool = false
  ) async throws(AACFileError) -> StreamReport {
    try await FileThread.run { (interruption) throws(AACFileError) in
      try report(of: filePath(path), decodesSound: decodesSound, interruption)
    }
  }

  private static func report(
    of path: String, decodesSound: Bool, _ interruption: Interruption
  ) throws(AACFileError) -> StreamReport {
    let file = try InputFile(path, interruption: interruption)
    guard let size = file.size else {
      throw AACFileError(
        .unsupported, "“\(displayed(path))” is not a regular file.",
        .words("Only files can be inspected."))
    }
    try file.refuseWithoutAAC(file.bytes(at: 0, count: PCMFileKind.longPrefixCount))
    return try FileInspection.report(byteCount: UInt64(size), decodesSound: decodesSound) {
      (offset, count) throws(AACFileError) in
      try file.bytes(at: Int(clamping: offset), count: count)
    }
  }
}
