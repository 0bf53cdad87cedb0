import AacornSystem

extension AACFile {
  /// What was cut or joined without being encoded again.
  public struct SpliceSummary: Equatable, Sendable {
    /// Sound of one input in the result.
    public struct Piece: Equatable, Sendable {
      /// The path of the input.
      public internal(set) var input = ""
      /// When the sound that was asked for begins, counted from the start of the result.
      public internal(set) var start = Duration.zero
      /// How long it is.
      public internal(set) var duration = Duration.zero
      /// How much else of its frames is heard before it; zero where the result is exact.
      public internal(set) var excessBefore = Duration.zero
      /// How much else of its frames is heard behind it; zero where the result is exact.
      public internal(set) var excessAfter = Duration.zero

      init() {}
    }

    /// The sampling rate of the decoded sound, in hertz.
    public internal(set) var sampleRate = 0
    /// Its number of channels.
    public internal(set) var channelCount = 0
    /// Samples per channel that are heard.
    public internal(set) var sampleCount = 0
    /// Coded frames that were taken.
    public internal(set) var frameCount = 0
    /// The size of the file in bytes.
    public internal(set) var byteCount = 0
    /// Whether exactly the sound that was asked for is heard, as an M4A file can say it.
    public internal(set) var isExact = true
    /// What the result consists of, in order.
    public internal(set) var pieces: [Piece] = []
    /// Whether an input was damaged: something of it is missing, or was copied although no decoder
    /// can read it.
    public internal(set) var isDamaged = false
    /// Things worth knowing that are not errors, as sentences.
    public internal(set) var warnings: [String] = []

    init() {}

    /// How long the sound is.
    public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
  }

  /// Cuts a part out of a file with AAC, without encoding it again.
  ///
  /// The suffix of the output chooses its format, as with `encode`. M4A is exact to the sample: it
  /// contains some frames before the part, which a decoder needs and nobody hears, and tags, cover,
  /// chapters and notes of gaps are kept. With band replication other players may begin one sample
  /// before the part. ADTS and LATM consist of whole frames, and the summary tells the real borders.
  /// Noise that replaces bands is drawn anew, since it depends on a frame's number.
  /// The file gets its name when it is complete and on the disk.
  ///
  /// - Parameters:
  ///   - input: The path of the file with AAC; not a pipe.
  ///   - output: The path of the new file; its folder must exist.
  ///   - start: The time at which to begin.
  ///   - duration: How much to take; nil for all that follows.
  ///   - replacesExisting: Whether an existing file is replaced.
  ///   - progress: Is called on another thread with how much is done, rising from 0 to 1.
  /// - Returns: What was cut.
  /// - Throws: Why there is no file.
  @discardableResult
  public static func cut(
    from input: String, to output: String, start: Duration = .zero, duration: Duration? = nil,
    replacesExisting: Bool = false, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> SpliceSummary {
    try await FileThread.run { (interruption) throws(AACFileError) in
      var request = try SpliceRequest([filePath(input)], to: filePath(output))
      request.start = start
      request.duration = duration
      request.replacesExisting = replacesExisting
      var work = try CutWork(request, interruption: interruption)
      let summary = try work.run { done, total in
        if let progress, let total, done < total { progress(done / total) }
      }
      progress?(1)
      return summary
    }
  }

  /// Joins files with AAC, without encoding them again.
  ///
  /// All must have the same rate, channels and kind of coding. In M4A what is heard of each file
  /// follows the one before to the sample, by an edit list with one entry for each; players that
  /// know only the first entry play the delays and paddings in between as well. Tags, cover and notes
  /// of gaps are those of the first file, and the chapters of all follow one another. ADTS and LATM
  /// consist of whole frames, and the summary tells the real borders. The file gets its name when it
  /// is complete and on the disk.
  ///
  /// - Parameters:
  ///   - inputs: The paths of the files with AAC, in order; no pipes.
  ///   - output: The path of the new file; its folder must exist.
  ///   - replacesExisting: Whether an existing file is replaced.
  ///   - progress: Is called on another thread with how much is done, rising from 0 to 1.
  /// - Returns: What was joined.
  /// - Throws: Why there is no file.
  @discardableResult
  public static func join(
    _ inputs: [String], to output: String, replacesExisting: Bool = false,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> SpliceSummary {
    try await FileThread.run { (interruption) throws(AACFileError) in
      var request = try SpliceRequest(inputs.map(filePath), to: filePath(output))
      request.replacesExisting = replacesExisting
      var work = try JoinWork(request, interruption: interruption)
      let summary = try work.run { done, total in
        if let progress, let total, done < total { progress(done / total) }
      }
      progress?(1)
      return summary
    }
  }
}
