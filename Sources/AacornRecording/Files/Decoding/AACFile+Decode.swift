public import AacornSoundFiles
import AacornSystem

extension AACFile {
  /// Options for decoding a file; nil means unchanged.
  public struct DecodingOptions: Equatable, Sendable {
    /// The encoding of a sample.
    public var encoding = PCMEncoding.int16
    /// The sampling rate to convert to, in hertz.
    public var sampleRate: Int?
    /// The number of channels to mix to, 1 or 2.
    public var channelCount: Int?
    /// The start of the part, exact to the sample.
    public var start = Duration.zero
    /// The duration of the part, exact to the sample; nil for the remainder.
    public var duration: Duration?
    /// Whether the encoder's delay and the padding at the end are trimmed, if the file specifies
    /// them.
    public var isTrimmed = true
    /// Whether noise is added before samples are rounded to 16 bits, which makes the rounding error
    /// independent of the signal.
    public var isDithered = true
    /// Whether the dynamic range is compressed as specified in the stream.
    public var appliesDynamicRange = false
    /// The AAC track to decode, counted from 1; nil for the first one.
    public var track: Int?
    /// Whether an existing file is replaced.
    public var replacesExisting = false

    /// Creates options for the complete file, in 16 bits.
    public init() {}
  }

  /// The result of decoding.
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
    /// Coded frames that were damaged or missing, and concealed.
    public internal(set) var concealedFrameCount = 0
    /// The time of the first concealed frame, from the beginning of the input.
    public internal(set) var firstConcealed: Duration?
    /// Skipped pieces of the input that are not frames.
    public internal(set) var damagedPieceCount = 0
    /// Whether the input is damaged in any way.
    public internal(set) var isDamaged = false
    /// Warnings, as messages.
    public internal(set) var warnings: [String] = []

    init() {}

    /// The duration of the audio.
    public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
  }

  /// Decodes an AAC file to samples.
  ///
  /// ADTS, LATM, ADIF, MP4 and MPEG transport streams are recognized by their content. The suffix
  /// of the output chooses its format: `wav`, `aif` or `aiff`, `caf`, or `raw` for samples alone.
  /// Damage is concealed and reported in the summary. The file gets its name when it is complete
  /// and on disk. If the task is canceled or fails, it leaves no file.
  ///
  /// - Parameters:
  ///   - input: The path of the AAC file.
  ///   - output: The path of the new file; its folder must exist.
  ///   - options: The part to decode and the output format.
  ///   - progress: Called on another thread with the completed fraction, rising from 0 to 1; only
  ///     with 1 for an input of unknown length.
  /// - Returns: The properties of the result.
  /// - Throws: The reason why there is no file.
  @discardableResult
  public static func decode(
    from input: String, to output: String, options: DecodingOptions = DecodingOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(AACFileError) -> DecodingSummary {
    try await perform(progress) { (interruption, report) throws(AACFileError) in
      let request = try request(from: filePath(input), to: filePath(output), options)
      var work = try DecodeWork(request, interruption: interruption)
      return try work.run(progress: report)
    }
  }

  private static func request(
    from input: String, to output: String, _ options: DecodingOptions
  ) throws(AACFileError) -> DecodeRequest {
    guard let kind = PCMFileWriter.Kind(suffix: FileName.suffix(output)) else {
      throw .unknownSuffix(of: output, PCMFileWriter.Kind.allCases.flatMap(\.suffixes))
    }
    if SourceFiles([input]).contains(output) { throw .isInput(output) }
    var request = DecodeRequest(input, to: output, kind)
    request.options = options
    return request
  }
}
