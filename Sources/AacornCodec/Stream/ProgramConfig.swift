/// A program_config_element: an explicit channel layout (ISO/IEC 14496-3, 4.4.1.1).
public struct ProgramConfig: Equatable, Sendable {
  /// One element of the layout.
  public struct Element: Equatable, Sendable {
    /// Whether the element is a pair of channels.
    public var isPair: Bool
    /// The element's instance tag.
    public var tag: Int

    /// Creates an element with this tag.
    public init(isPair: Bool, tag: Int) {
      self.isPair = isPair
      self.tag = tag
    }
  }

  /// The downmix to two channels (ISO/IEC 14496-3, 4.5.1.2.2).
  public struct MatrixMixdown: Equatable, Sendable {
    /// The index of the surround weight: 0 √½, 1 ½, 2 √⅛, 3 none.
    public var index: Int
    /// Whether the surrounds are coded for a matrix decoder.
    public var isPseudoSurround: Bool

    /// Creates a mixdown with this weight.
    public init(index: Int, isPseudoSurround: Bool = false) {
      self.index = index
      self.isPseudoSurround = isPseudoSurround
    }
  }

  /// This element's own instance tag.
  public var tag = 0
  /// The object type's number minus one, as stored.
  public var profile: Int
  /// The core's sampling frequency.
  public var samplingFrequency: SamplingFrequency
  /// Front elements, from the center outward.
  public var front: [Element] = []
  /// Side elements, front to rear.
  public var side: [Element] = []
  /// Back elements, from the sides to the rear center.
  public var back: [Element] = []
  /// Instance tags of the LFE elements.
  public var lowFrequency: [Int] = []
  /// Instance tags of data elements.
  public var data: [Int] = []
  /// Coupling elements; `isPair` means "independently switched".
  public var coupling: [Element] = []
  /// The mixdown of five channels to two, if the stream defines it.
  public var matrixMixdown: MatrixMixdown?
  /// A comment, usually empty, in any encoding.
  public var comment: [UInt8] = []

  /// Creates an empty layout.
  public init(profile: Int, samplingFrequency: SamplingFrequency) {
    self.profile = profile
    self.samplingFrequency = samplingFrequency
  }

  /// Creates the layout equivalent to a numbered configuration.
  public init(_ configuration: ChannelConfiguration, samplingFrequency: SamplingFrequency) {
    self.init(profile: 1, samplingFrequency: samplingFrequency)
    var singles = 0
    var pairs = 0
    for element in configuration.elements {
      switch element {
      case .single:
        // The second single element of configuration 4 is the rear center.
        if singles == 0 {
          front.append(Element(isPair: false, tag: singles))
        } else {
          back.append(Element(isPair: false, tag: singles))
        }
        singles += 1
      case .pair:
        let pair = Element(isPair: true, tag: pairs)
        switch (pairs, configuration.rawValue) {
        case (0, _): front.append(pair)
        case (1, 7): side.append(pair)
        default: back.append(pair)
        }
        pairs += 1
      default:
        lowFrequency.append(lowFrequency.count)
      }
    }
  }

  /// The total number of channels.
  public var channelCount: Int {
    var count = lowFrequency.count
    for group in [front, side, back] {
      for element in group { count += element.isPair ? 2 : 1 }
    }
    return count
  }
}

extension ProgramConfig {
  /// Parses the element after its 3-bit id; alignment counts from the bit position `origin`.
  public init?(reading reader: inout BitReader, origin: Int) {
    let tag = reader.readInt(4)
    let profile = reader.readInt(2)
    guard let frequency = SamplingFrequency(index: reader.readInt(4)) else { return nil }
    self.init(profile: profile, samplingFrequency: frequency)
    self.tag = tag
    let counts = (reader.readInt(4), reader.readInt(4), reader.readInt(4))
    let lowFrequencyCount = reader.readInt(2)
    let dataCount = reader.readInt(3)
    let couplingCount = reader.readInt(4)
    if reader.readFlag() { reader.skip(4) }
    if reader.readFlag() { reader.skip(4) }
    if reader.readFlag() {
      matrixMixdown = MatrixMixdown(
        index: reader.readInt(2), isPseudoSurround: reader.readFlag())
    }
    front = Self.readElements(counts.0, &reader)
    side = Self.readElements(counts.1, &reader)
    back = Self.readElements(counts.2, &reader)
    for _ in 0..<lowFrequencyCount { lowFrequency.append(reader.readInt(4)) }
    for _ in 0..<dataCount { data.append(reader.readInt(4)) }
    coupling = Self.readElements(couplingCount, &reader)
    reader.alignToByte(relativeTo: origin)
    let length = reader.readInt(8)
    for _ in 0..<length { comment.append(UInt8(truncatingIfNeeded: reader.read(8))) }
    if reader.isOverrun { return nil }
  }

  /// Writes the element after its 3-bit id; alignment counts from the bit position `origin`.
  ///
  /// Numbers that do not fit are clamped, and lists are truncated to the maximum of their counts.
  public func write(to sink: inout some BitSink, origin: Int) {
    sink.put(nearest: tag, count: 4)
    sink.put(nearest: profile, count: 2)
    sink.put(UInt32(samplingFrequency.index), count: 4)
    sink.put(nearest: front.count, count: 4)
    sink.put(nearest: side.count, count: 4)
    sink.put(nearest: back.count, count: 4)
    sink.put(nearest: lowFrequency.count, count: 2)
    sink.put(nearest: data.count, count: 3)
    sink.put(nearest: coupling.count, count: 4)
    // Neither mono_mixdown nor stereo_mixdown.
    sink.put(0, count: 2)
    if let matrixMixdown {
      sink.put(1, count: 1)
      sink.put(nearest: matrixMixdown.index, count: 2)
      sink.put(matrixMixdown.isPseudoSurround ? 1 : 0, count: 1)
    } else {
      sink.put(0, count: 1)
    }
    for group in [front, side, back] {
      for element in group.prefix(15) { Self.put(element, into: &sink) }
    }
    for tag in lowFrequency.prefix(3) + data.prefix(7) { sink.put(nearest: tag, count: 4) }
    for element in coupling.prefix(15) { Self.put(element, into: &sink) }
    sink.put(0, count: (8 &- (sink.bitCount &- origin) & 7) & 7)
    sink.put(nearest: comment.count, count: 8)
    for byte in comment.prefix(255) { sink.put(UInt32(byte), count: 8) }
  }

  private static func put(_ element: Element, into sink: inout some BitSink) {
    sink.put(element.isPair ? 1 : 0, count: 1)
    sink.put(nearest: element.tag, count: 4)
  }

  private static func readElements(_ count: Int, _ reader: inout BitReader) -> [Element] {
    var elements: [Element] = []
    for _ in 0..<count {
      let isPair = reader.readFlag()
      elements.append(Element(isPair: isPair, tag: reader.readInt(4)))
    }
    return elements
  }
}

extension ProgramConfig {
  /// Whether every count fits its field and there is at least one channel (14496-3, 4.4.1.1).
  package var isEncodable: Bool {
    let tags = (front + side + back + coupling).map { $0.tag } + lowFrequency + data + [tag]
    return channelCount > 0 && (0...3).contains(profile) && front.count <= 15 && side.count <= 15
      && back.count <= 15 && lowFrequency.count <= 3 && data.count <= 7 && coupling.count <= 15
      && comment.count <= 255 && (0...3).contains(matrixMixdown?.index ?? 0)
      && tags.allSatisfy { (0...15).contains($0) }
  }
}
