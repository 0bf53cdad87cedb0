public import AacornInspection
public import AacornRecording

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AACFile {
  /// Encodes an audio file to AAC; the suffix of the output chooses its format.
  ///
  /// - Parameters:
  ///   - input: The audio file.
  ///   - output: The new file; its folder must exist.
  ///   - configuration: The settings of the encoding.
  ///   - progress: A closure that is called on another thread with the progress, rising from 0 to
  ///     1.
  /// - Returns: A summary of the encoding.
  /// - Throws: The reason why there is no file, such as a URL that is not a file URL.
  @discardableResult
  public static func encode(
    from input: URL, to output: URL, configuration: Configuration = Configuration(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> Summary {
    let (inputPath, outputPath) = (try path(of: input), try path(of: output))
    return try await encode(
      from: inputPath, to: outputPath, configuration: configuration, progress: progress)
  }

  /// Decodes an AAC file to samples; the suffix of the output chooses its format.
  ///
  /// - Parameters:
  ///   - input: The AAC file.
  ///   - output: The new file; its folder must exist.
  ///   - options: The part to decode, and the form of the samples.
  ///   - progress: A closure that is called on another thread with the progress, rising from 0 to
  ///     1.
  /// - Returns: A summary of the decoding.
  /// - Throws: The reason why there is no file, such as a URL that is not a file URL.
  @discardableResult
  public static func decode(
    from input: URL, to output: URL, options: DecodingOptions = DecodingOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> DecodingSummary {
    let (inputPath, outputPath) = (try path(of: input), try path(of: output))
    return try await decode(
      from: inputPath, to: outputPath, options: options, progress: progress)
  }

  /// Cuts a part out of an AAC file without encoding it again; an M4A output is exact to the
  /// sample.
  ///
  /// - Parameters:
  ///   - input: The AAC file.
  ///   - output: The new file, whose suffix chooses its format; its folder must exist.
  ///   - start: The time at which the part begins.
  ///   - duration: The duration of the part; nil means up to the end.
  ///   - replacesExisting: Whether an existing file is replaced.
  ///   - progress: A closure that is called on another thread with the progress, rising from 0 to
  ///     1.
  /// - Returns: A summary of the cut.
  /// - Throws: The reason why there is no file, such as a URL that is not a file URL.
  @discardableResult
  public static func cut(
    from input: URL, to output: URL, start: Duration = .zero, duration: Duration? = nil,
    replacesExisting: Bool = false, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> SpliceSummary {
    let (inputPath, outputPath) = (try path(of: input), try path(of: output))
    return try await cut(
      from: inputPath, to: outputPath, start: start, duration: duration,
      replacesExisting: replacesExisting, progress: progress)
  }

  /// Joins AAC files without encoding them again; an M4A output is exact to the sample.
  ///
  /// - Parameters:
  ///   - inputs: The AAC files, in order.
  ///   - output: The new file, whose suffix chooses its format; its folder must exist.
  ///   - replacesExisting: Whether an existing file is replaced.
  ///   - progress: A closure that is called on another thread with the progress, rising from 0 to
  ///     1.
  /// - Returns: A summary of the joined files.
  /// - Throws: The reason why there is no file, such as a URL that is not a file URL.
  @discardableResult
  public static func join(
    _ inputs: [URL], to output: URL, replacesExisting: Bool = false,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> SpliceSummary {
    var paths: [String] = []
    for input in inputs { paths.append(try path(of: input)) }
    let outputPath = try path(of: output)
    return try await join(
      paths, to: outputPath, replacesExisting: replacesExisting, progress: progress)
  }

  /// Inspects an AAC file: ADTS, LATM, ADIF, MP4 or an MPEG transport stream.
  ///
  /// The format is recognized by the content.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - decodesSound: Whether the audio is decoded as well, for the report's `sound`.
  /// - Returns: A report of the content, with all its faults.
  /// - Throws: The reason why the file cannot be inspected, such as a URL that is not a file URL.
  public static func inspect(
    _ url: URL, decodesSound: Bool = false
  ) async throws(AACFileError) -> StreamReport {
    try await inspect(path(of: url), decodesSound: decodesSound)
  }

  /// Returns the path of a file URL; throws for other URLs.
  static func path(of url: URL) throws(AACFileError) -> String {
    guard url.isFileURL else {
      throw AACFileError(
        .unsupported, "“\(url.absoluteString)” is not a local file.",
        .text("Choose a local file."))
    }
    return url.absoluteURL.path(percentEncoded: false)
  }
}
