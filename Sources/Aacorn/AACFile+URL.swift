public import AacornInspection
public import AacornRecording

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AACFile {
  /// Encodes a sound file to AAC; as with paths, the suffix of the output chooses its format.
  ///
  /// - Parameters:
  ///   - input: The sound file.
  ///   - output: The new file; its folder must exist.
  ///   - configuration: How to encode it.
  ///   - progress: Is called on another thread with how much is done, rising from 0 to 1.
  /// - Returns: What was encoded.
  /// - Throws: Why there is no file; also if one of the URLs does not stand for a file.
  @discardableResult
  public static func encode(
    from input: URL, to output: URL, configuration: Configuration = Configuration(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> Summary {
    let (inputPath, outputPath) = (try path(of: input), try path(of: output))
    return try await encode(
      from: inputPath, to: outputPath, configuration: configuration, progress: progress)
  }

  /// Decodes a file with AAC to samples; as with paths, the suffix of the output chooses its format.
  ///
  /// - Parameters:
  ///   - input: The file with AAC.
  ///   - output: The new file; its folder must exist.
  ///   - options: What to decode, and in which form.
  ///   - progress: Is called on another thread with how much is done, rising from 0 to 1.
  /// - Returns: What was decoded.
  /// - Throws: Why there is no file; also if one of the URLs does not stand for a file.
  @discardableResult
  public static func decode(
    from input: URL, to output: URL, options: DecodingOptions = DecodingOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> DecodingSummary {
    let (inputPath, outputPath) = (try path(of: input), try path(of: output))
    return try await decode(
      from: inputPath, to: outputPath, options: options, progress: progress)
  }

  /// Inspects a file with AAC: ADTS, LATM, ADIF or MP4, recognized by its content.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - decodesSound: Whether it is decoded as well, for the report's `sound`.
  /// - Returns: What is inside, with all its faults.
  /// - Throws: Why the file cannot be inspected; also if the URL does not stand for a file.
  public static func inspect(
    _ url: URL, decodesSound: Bool = false
  ) async throws(AACFileError) -> StreamReport {
    try await inspect(path(of: url), decodesSound: decodesSound)
  }

  /// The path of a file's URL.
  static func path(of url: URL) throws(AACFileError) -> String {
    guard url.isFileURL else {
      throw AACFileError(
        .unsupported, "“\(url.absoluteString)” is not a file on this machine.",
        .words("Name a file."))
    }
    return url.absoluteURL.path(percentEncoded: false)
  }
}
