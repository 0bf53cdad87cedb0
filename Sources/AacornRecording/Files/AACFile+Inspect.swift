public import AacornInspection
import AacornSoundFiles
import AacornSystem

extension AACFile {
  /// Inspects an AAC file: ADTS, LATM, ADIF, MP4 or an MPEG transport stream, recognized by its
  /// content.
  ///
  /// Every frame is parsed completely. A file without frames has a report, too, which states that.
  /// For a file of another known format, such as WAV, the error names the format.
  ///
  /// - Parameters:
  ///   - path: The path of a file; pipes and folders are rejected.
  ///   - decodesSound: Whether the audio is decoded as well. Then the report's `sound` contains the
  ///     loudness, the peaks, clipped, silent and concealed parts, and the exact length.
  /// - Returns: The report with all faults.
  /// - Throws: The reason why the file cannot be inspected.
  public static func inspect(
    _ path: String, decodesSound: Bool = false
  ) async throws(AACFileError) -> StreamReport {
    try await ThreadBridge.run { (interruption) throws(AACFileError) in
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
        .text("Save it as a file first."))
    }
    try file.rejectKnownNonAAC(file.bytes(at: 0, count: PCMFileKind.longPrefixCount))
    return try FileInspection.report(byteCount: UInt64(size), decodesSound: decodesSound) {
      (offset, count) throws(AACFileError) in
      try file.bytes(at: Int(clamping: offset), count: count)
    }
  }
}
