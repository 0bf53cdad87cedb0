import AacornSystem

extension AACFile {
  /// The result of a cut or a join without encoding.
  public struct SpliceSummary: Equatable, Sendable {
    /// The audio of one input in the result.
    public struct Piece: Equatable, Sendable {
      /// The path of the input.
      public internal(set) var input = ""
      /// The start of the requested audio in the result.
      public internal(set) var start = Duration.zero
      /// The duration of the requested audio.
      public internal(set) var duration = Duration.zero
      /// The excess audio before the requested audio, because only whole frames can be copied; zero
      /// for an exact result.
      public internal(set) var excessBefore = Duration.zero
      /// The excess audio after the requested audio, because only whole frames can be copied; zero
      /// for an exact result.
      public internal(set) var excessAfter = Duration.zero

      init() {}
    }

    /// The sampling rate of the decoded audio, in hertz.
    public internal(set) var sampleRate = 0
    /// The number of channels of the decoded audio.
    public internal(set) var channelCount = 0
    /// Audible samples per channel.
    public internal(set) var sampleCount = 0
    /// The number of copied frames.
    public internal(set) var frameCount = 0
    /// The size of the file in bytes.
    public internal(set) var byteCount = 0
    /// Whether exactly the requested audio is audible, as in an M4A file.
    public internal(set) var isExact = true
    /// The inputs' audio, in order.
    public internal(set) var pieces: [Piece] = []
    /// Whether an input was damaged: a part is missing, or was copied although it cannot be
    /// decoded.
    public internal(set) var isDamaged = false
    /// Warnings, as messages.
    public internal(set) var warnings: [String] = []

    init() {}

    /// The duration of the audio.
    public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
  }

  /// Cuts a part out of an AAC file, without encoding it again.
  ///
  /// The suffix of the output chooses its format, as with `encode`. M4A is exact to the sample; with
  /// band replication, the part may begin one sample early. It contains some inaudible frames before
  /// the part, which a decoder needs. Tags, cover, chapters and gap records are kept. ADTS and LATM
  /// can begin and end only with whole frames, and the summary contains the actual borders. Noise
  /// substitution depends on the frame number, so the substituted noise differs from the noise in the
  /// input. The file gets its name when it is complete and on disk.
  ///
  /// - Parameters:
  ///   - input: The path of the AAC file; not a pipe.
  ///   - output: The path of the new file; its folder must exist.
  ///   - start: The start of the part.
  ///   - duration: The duration of the part; nil for the remainder.
  ///   - replacesExisting: Whether an existing file is replaced.
  ///   - progress: Called on another thread with the completed fraction, rising from 0 to 1.
  /// - Returns: The properties of the result.
  /// - Throws: The reason why there is no file.
  @discardableResult
  public static func cut(
    from input: String, to output: String, start: Duration = .zero, duration: Duration? = nil,
    replacesExisting: Bool = false, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> SpliceSummary {
    try await perform(progress) { (interruption, report) throws(AACFileError) in
      var request = try SpliceRequest([filePath(input)], to: filePath(output))
      request.start = start
      request.duration = duration
      request.replacesExisting = replacesExisting
      var work = try CutWork(request, interruption: interruption)
      return try work.run(progress: report)
    }
  }

  /// Joins AAC files, without encoding them again.
  ///
  /// All files must have the same rate, channels and kind of coding. In M4A the audible part of
  /// each file follows the previous one exactly, by an edit list with one entry per file. Players
  /// that read only the first entry also play the delays and paddings in between. Tags, cover and
  /// gap records come from the first file, and the chapters of all files are merged. In ADTS and
  /// LATM each part begins and ends with whole frames, and the summary contains the actual borders.
  /// The file gets its name when it is complete and on disk.
  ///
  /// - Parameters:
  ///   - inputs: The paths of the AAC files, in order; no pipes.
  ///   - output: The path of the new file; its folder must exist.
  ///   - replacesExisting: Whether an existing file is replaced.
  ///   - progress: Called on another thread with the completed fraction, rising from 0 to 1.
  /// - Returns: The properties of the result.
  /// - Throws: The reason why there is no file.
  @discardableResult
  public static func join(
    _ inputs: [String], to output: String, replacesExisting: Bool = false,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> SpliceSummary {
    try await perform(progress) { (interruption, report) throws(AACFileError) in
      var request = try SpliceRequest(inputs.map(filePath), to: filePath(output))
      request.replacesExisting = replacesExisting
      var work = try JoinWork(request, interruption: interruption)
      return try work.run(progress: report)
    }
  }
}
