import AacornContainers
import AacornSystem

extension AACFile {
  /// Encodes a sound file to AAC.
  ///
  /// The input can be WAV, AIFF or CAF, or AAC, which loses quality a second time. It can also be a
  /// format of the system's sound library, such as FLAC, MP3, Ogg Vorbis and Opus.
  ///
  /// That library is libsndfile on Linux, and Audio Toolbox on Apple's systems.
  ///
  /// M4A files keep the tags and the cover of the input; tags without an M4A equivalent become
  /// custom tags.
  ///
  /// The suffix of the output chooses its format: `m4a`, `mp4`, `m4b` or `m4r` for M4A, `aac` or
  /// `adts` for ADTS, `latm` or `loas` for LATM. The file gets its name when it is complete and on
  /// disk. If the task is canceled or fails, it leaves no file.
  ///
  /// - Parameters:
  ///   - input: The path of the sound file.
  ///   - output: The path of the new file; its folder must exist.
  ///   - configuration: The encoder's settings and the tags.
  ///   - progress: Called on another thread with the completed fraction, rising from 0 to 1; only
  ///     with 1 for an input of unknown length.
  /// - Returns: The properties of the result.
  /// - Throws: The reason why there is no file.
  @discardableResult
  public static func encode(
    from input: String, to output: String, configuration: Configuration = Configuration(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> Summary {
    try await perform(progress) { (interruption, report) throws(AACFileError) in
      let request = try request(from: filePath(input), to: filePath(output), configuration)
      var work = try EncodeWork(request, interruption: interruption, progress: report)
      var summary = try work.run(progress: report)
      if request.format != .m4a && (!configuration.tags.isEmpty || configuration.statesLoudness) {
        summary.warnings.append("“\(displayed(output))” cannot carry tags; M4A files can.")
      }
      return summary
    }
  }

  private static func request(
    from input: String, to output: String, _ configuration: Configuration
  ) throws(AACFileError) -> EncodeRequest {
    var request = EncodeRequest(.file(input), to: output, try format(of: output))
    if SourceFiles([input]).contains(output) { throw .isInput(output) }
    if let signaling = configuration.signaling,
      let problem = OutputFormat(suffix: FileName.suffix(output))?.rejectionReason(of: signaling)
    {
      throw AACFileError(
        .unsupported, problem, suggestion: .text("Choose another signaling, or another format."))
    }
    request.options = configuration
    request.options.threadCount = configuration.threadCount ?? System.coreCount
    return request
  }

  /// Performs work on a separate thread, and calls `progress` with the completed fraction.
  ///
  /// `report` accepts the seconds done and the total seconds.
  static func perform<Summary: Sendable>(
    _ progress: (@Sendable (Double) -> Void)?,
    _ work:
      @escaping @Sendable (Interruption, _ report: (Double, Double?) -> Void) throws(AACFileError)
      -> Summary
  ) async throws(AACFileError) -> Summary {
    try await ThreadBridge.run { (interruption) throws(AACFileError) in
      let summary = try work(interruption) { done, total in
        // Do not report 1 yet, because completing the file takes time, too.
        if let progress, let total, done < total { progress(done / total) }
      }
      progress?(1)
      return summary
    }
  }

  static func format(of output: String) throws(AACFileError) -> CodedFileWriter.Format {
    guard let format = OutputFormat(suffix: FileName.suffix(output)) else {
      throw .unknownSuffix(of: output, OutputFormat.allCases.flatMap(\.suffixes))
    }
    return format.writerFormat
  }

  /// Returns a path that never means standard input or output.
  static func filePath(_ path: String) -> String { path == "-" ? "./-" : path }
}

extension AACFileError {
  /// Returns the error for an output whose suffix is none of `suffixes`.
  static func unknownSuffix(of output: String, _ suffixes: [String]) -> AACFileError {
    let list = suffixes.map { "." + $0 }.joined(separator: ", ")
    return AACFileError(
      .unsupported,
      "The suffix of “\(displayed(output))” does not match any format that can be written.",
      suggestion: .text("Use one of these: \(list)."))
  }
}
