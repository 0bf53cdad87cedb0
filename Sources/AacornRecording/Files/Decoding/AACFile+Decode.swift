public import AacornSoundFiles
import AacornSystem

extension AACFile {
  /// How to decode a file; nil means "as it is".
  public struct DecodingOptions: Sendable {
    /// How a sample is stored.
    public var encoding = PCMEncoding.int16
    /// The sampling rate to convert to, in hertz.
    public var sampleRate: Int?
    /// The number of channels to mix to, 1 or 2.
    public var channelCount: Int?
    /// The time at which to begin, exact to the sample.
    public var start = Duration.zero
    /// How much to decode, exact to the sample; nil for all that follows.
    public var duration: Duration?
    /// Whether the encoder's delay and the padding at the end are cut, where the file tells them.
    public var isTrimmed = true
    /// Whether noise is added before samples are rounded to 16 bits, which keeps the error of
    /// rounding independent of the sound.
    public var isDithered = true
    /// Whether the dynamic range is compressed as the stream asks for.
    public var appliesDynamicRange = false
    /// Which AAC track is decoded, counted from 1; nil for the first one.
    public var track: Int?
    /// Whether an existing file is replaced.
    public var replacesExisting = false
    /// How many threads decode at the same time; nil for one a processor core.
    ///
    /// Only AAC-LC is divided between them; the bytes do not depend on it.
    public var threadCount: Int?

    /// The whole file, in 16 bits.
    public init() {}
  }

  /// What was decoded.
  public struct DecodingSummary: Equatable, Sendable {
    /// The sampling rate of the result, in hertz.
    public internal(set) var sampleRate = 0
    /// The number of channels of the result.
    public internal(set) var channelCount = 0
    /// Samples per channel of the result.
    public internal(set) var sampleCount = 0
    /// The size of the file in bytes.
    public internal(set) var byteCount = 0
    /// Samples beyond full scale, which were clipped.
    public internal(set) var clippedSampleCount = 0
    /// Coded frames that were damaged or missing, and replaced.
    public internal(set) var concealedFrameCount = 0
    /// When the first of them is heard, counted from the beginning of the input.
    public internal(set) var firstConcealed: Duration?
    /// Pieces of the input that are no frames, and were left out.
    public internal(set) var damagedPieceCount = 0
    /// Whether the input is damaged in any way.
    public internal(set) var isDamaged = false
    /// Things worth knowing that are not errors, as sentences.
    public internal(set) var warnings: [String] = []

    init() {}

    /// How long the sound is.
    public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
  }

  /// Decodes a file with AAC to samples.
  ///
  /// ADTS, LATM, ADIF, MP4 and MPEG transport streams are recognized by their content. The suffix of
  /// the output chooses its format: `wav`, `aif` or `aiff`, `caf`, or `raw` for samples alone.
  /// What is damaged is replaced, and the summary says so. The file gets its name when it is complete
  /// and on the disk. If the task is canceled, or anything fails, nothing of it is left.
  ///
  /// - Parameters:
  ///   - input: The path of the file with AAC.
  ///   - output: The path of the new file; its folder must exist.
  ///   - options: What to decode, and in which form.
  ///   - progress: Is called on another thread with how much is done, rising from 0 to 1; only with
  ///     1 for an input whose length is not known beforehand.
  /// - Returns: What was decoded.
  /// - Throws: Why there is no file.
  @discardableResult
  public static func decode(
    from input: String, to output: String, options: DecodingOptions = DecodingOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> DecodingSummary {
    try await FileThread.run { (interruption) throws(AACFileError) in
      let request = try request(from: filePath(input), to: filePath(output), options)
      var work = try DecodeWork(request, interruption: interruption)
      let summary = try work.run { done, total in
        if let progress, let total, done < total { progress(done / total) }
      }
      progress?(1)
      return summary
    }
  }

  private static func request(
    from input: String, to output: String, _ options: DecodingOptions
  ) throws(AACFileError) -> DecodeRequest {
    guard let kind = PCMFileWriter.Kind(suffix: FileName.suffix(output)) else {
      let suffixes = PCMFileWriter.Kind.allCases.flatMap(\.suffixes).map { "." + $0 }
      throw AACFileError(
        .unsupported,
        "The suffix of “\(displayed(output))” does not match any format that can be written.",
        .words("Use one of these: \(suffixes.joined(separator: ", "))."))
    }
    if SourceFiles([input]).contains(output) { throw .isInput(output) }
    var request = DecodeRequest(input, to: output, kind)
    request.encoding = options.encoding
    request.isDithered = options.isDithered
    request.replacesExisting = options.replacesExisting
    request.options.sampleRate = options.sampleRate
    request.options.channelCount = options.channelCount
    request.options.start = options.start
    request.options.duration = options.duration
    request.options.isTrimmed = options.isTrimmed
    request.options.appliesDynamicRange = options.appliesDynamicRange
    request.options.track = options.track
    request.threadCount = options.threadCount ?? System.coreCount
    return request
  }
}
