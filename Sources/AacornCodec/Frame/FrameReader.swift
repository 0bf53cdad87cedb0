/// Reads raw_data_blocks (ISO/IEC 14496-3, 4.4.2.1) and reports their content, without decoding.
///
/// One reader is used for a whole stream: it reuses its storage from block to block, so a long
/// stream is scanned without allocations. After `read`, `block` is the content; after an error, it
/// is the content before the error.
///
///     var reader = FrameReader(configuration)
///     try reader.read(unit)
///     for element in reader.block.elements { … }
public struct FrameReader: Sendable {
  /// The content that the last call of `read` found.
  public internal(set) var block = ParsedBlock()
  /// The stream's configuration.
  public let configuration: AudioSpecificConfig
  /// The reader of channel parts, which has the remaining bits of the block.
  var reader: ChannelReader

  /// Creates a reader of streams with this configuration.
  ///
  /// - Parameters:
  ///   - configuration: The object type, sampling rate and frame length.
  ///   - keepsSpectrum: Whether to keep the quantized spectrum.
  public init(_ configuration: AudioSpecificConfig, keepsSpectrum: Bool = false) {
    self.configuration = configuration
    reader = ChannelReader(configuration, keepsSpectrum: keepsSpectrum)
  }

  /// Returns the line offsets of the bands in a long or short window, including the end.
  public func bandOffsets(isShort: Bool) -> [Int] {
    isShort ? reader.bands.short : reader.bands.long
  }

  /// Returns the maximum number of bands for temporal noise shaping filters (4.6.9.4).
  package func noiseShapingLimit(isShort: Bool) -> Int {
    isShort ? reader.bands.shortNoiseShapingLimit : reader.bands.longNoiseShapingLimit
  }

  /// The maximum number of bands with prediction in streams of object type Main.
  var predictionLimit: Int { reader.bands.predictionLimit }

  /// Reads a block and returns its length in bytes, or nil if it is damaged.
  package mutating func length(
    ofBlockIn bytes: [UInt8], range: Range<Int>? = nil
  ) -> Int? {
    do throws(ParseError) {
      try read(bytes, range: range)
    } catch {
      return nil
    }
    return block.byteCount
  }

  /// Reads the raw_data_block (table 4.3) at the start of `bytes`, or of the given range.
  ///
  /// Bytes after the block are ignored; `block.byteCount` is the block's size.
  ///
  /// - Throws: The error in the block, with its bit position.
  public mutating func read(
    _ bytes: [UInt8], range: Range<Int>? = nil
  ) throws(ParseError) {
    block.removeAll()
    var range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    if range.count > FrameLimits.maxByteCount {
      range = range.lowerBound..<range.lowerBound + FrameLimits.maxByteCount
    }
    reader.begin(bytes, range: range)
    defer { reader.end() }
    switch configuration.objectType {
    case .main, .lowComplexity, .scalableSamplingRate, .longTermPrediction: break
    case let type: throw reader.failure(.unsupportedObjectType(Int(type.rawValue)))
    }
    while try readElement() {}
  }

  /// Reads one element and returns whether another follows.
  private mutating func readElement() throws(ParseError) -> Bool {
    let start = reader.position
    let kind = ElementKind(rawValue: UInt8(reader.bits.readInt(3))) ?? .end
    try reader.checkEnd()
    if kind == .end {
      block.bitCount = reader.position
      return false
    }
    var element = ParsedElement(kind, start: start)
    if kind != .fill { element.tag = reader.bits.readInt(4) }
    var secondStream: Int?
    switch kind {
    case .single, .lowFrequency:
      try readSingle(&element)
    case .pair:
      secondStream = try readPair(&element)
    case .coupling:
      try readCoupling(&element)
    case .data:
      readData(&element)
    case .programConfig:
      try readProgramConfig()
    case .fill:
      readFill(&element)
    case .end:
      break
    }
    try reader.checkEnd()
    element.bits = start..<reader.position
    block.elements.append(element)
    block.protectedRegions.appendRegions(of: kind, element.bits, secondStream: secondStream)
    return true
  }
}
