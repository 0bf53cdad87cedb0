public import AacornInspection
public import AacornRecording

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AACFile {
  /// Encodes an audio file to AAC, as the method with paths does.
  ///
  /// Throws for a URL that is not a file URL, too.
  @discardableResult
  public static func encode(
    from input: URL, to output: URL, configuration: Configuration = Configuration(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> Summary {
    let (inputPath, outputPath) = (try path(of: input), try path(of: output))
    return try await encode(
      from: inputPath, to: outputPath, configuration: configuration, progress: progress)
  }

  /// Decodes an AAC file to samples, as the method with paths does.
  ///
  /// Throws for a URL that is not a file URL, too.
  @discardableResult
  public static func decode(
    from input: URL, to output: URL, options: DecodingOptions = DecodingOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> DecodingSummary {
    let (inputPath, outputPath) = (try path(of: input), try path(of: output))
    return try await decode(
      from: inputPath, to: outputPath, options: options, progress: progress)
  }

  /// Cuts a part out of an AAC file without encoding it again, as the method with paths does.
  ///
  /// Throws for a URL that is not a file URL, too.
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

  /// Joins AAC files without encoding them again, as the method with paths does.
  ///
  /// Throws for a URL that is not a file URL, too.
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

  /// Inspects an AAC file, as the method with a path does.
  ///
  /// Throws for a URL that is not a file URL, too.
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
        suggestion: .text("Choose a local file."))
    }
    return url.absoluteURL.path(percentEncoded: false)
  }
}
