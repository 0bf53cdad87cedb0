import AacornCodec

/// Silent frames that replace unreadable ones, so that what follows stays in time.
enum SilentUnit {
  /// The shortest raw_data_block of silence for streams with this configuration, or nil if its
  /// syntax or channels are not supported here.
  static func bytes(_ configuration: AudioSpecificConfig) -> [UInt8]? {
    switch configuration.objectType {
    case .main, .lowComplexity, .scalableSamplingRate, .longTermPrediction: break
    default: return nil
    }
    guard let elements = elements(of: configuration), !elements.isEmpty else { return nil }
    var writer = BitWriter()
    for element in elements { put(element, to: &writer) }
    writer.put(UInt32(ElementKind.end.rawValue), count: 3)
    return writer.bytes
  }

  private struct Element {
    var kind: ElementKind
    var tag: Int
  }

  /// The channel elements, in bitstream order.
  private static func elements(of configuration: AudioSpecificConfig) -> [Element]? {
    if configuration.channelConfiguration == 0 {
      guard let program = configuration.programConfig else { return nil }
      var elements: [Element] = []
      for group in [program.front, program.side, program.back] {
        for element in group {
          elements.append(Element(kind: element.isPair ? .pair : .single, tag: element.tag))
        }
      }
      for tag in program.lowFrequency { elements.append(Element(kind: .lowFrequency, tag: tag)) }
      return elements
    }
    guard let layout = ChannelConfiguration(rawValue: configuration.channelConfiguration) else {
      return nil
    }
    var elements: [Element] = []
    for kind in layout.elements {
      let tag = elements.count { $0.kind == kind }
      elements.append(Element(kind: kind, tag: tag))
    }
    return elements
  }

  /// An element whose channels have one long window and no bands (14496-3, 4.4.2.1).
  private static func put(_ element: Element, to writer: inout BitWriter) {
    writer.put(UInt32(element.kind.rawValue), count: 3)
    writer.put(UInt32(element.tag), count: 4)
    if element.kind == .pair {
      // A common window, and no mid/side bands.
      writer.put(1, count: 1)
      putWindow(to: &writer)
      writer.put(0, count: 2)
      putStream(hasWindow: false, to: &writer)
      putStream(hasWindow: false, to: &writer)
    } else {
      putStream(hasWindow: true, to: &writer)
    }
  }

  /// individual_channel_stream: the gain, perhaps the window, and no pulses, noise shaping or gain
  /// control.
  private static func putStream(hasWindow: Bool, to writer: inout BitWriter) {
    writer.put(100, count: 8)
    if hasWindow { putWindow(to: &writer) }
    writer.put(0, count: 3)
  }

  /// ics_info: reserved bit, sequence, shape, bands, prediction.
  private static func putWindow(to writer: inout BitWriter) {
    writer.put(0, count: 1 + 2 + 1 + 6 + 1)
  }
}
