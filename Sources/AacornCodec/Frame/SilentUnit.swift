/// Silent frames that replace unreadable ones, so that later frames keep their time.
package enum SilentUnit {
  /// Returns the shortest raw_data_block of silence for streams with this configuration.
  ///
  /// The result is nil if the configuration's syntax or channels are not supported.
  package static func bytes(_ configuration: AudioSpecificConfig) -> [UInt8]? {
    switch configuration.objectType {
    case .main, .lowComplexity, .scalableSamplingRate, .longTermPrediction: break
    default: return nil
    }
    guard let elements = elements(of: configuration), !elements.isEmpty else { return nil }
    var writer = FrameWriter(BitWriter())
    for element in elements { put(element, to: &writer) }
    writer.putStart(of: .end)
    var bytes: [UInt8] = []
    writer.append(to: &bytes)
    return bytes
  }

  /// Returns the channel elements, in bitstream order.
  private static func elements(of configuration: AudioSpecificConfig) -> [Element]? {
    if configuration.channelConfiguration == 0 {
      guard let program = configuration.programConfig else { return nil }
      var elements: [Element] = []
      for group in [program.front, program.side, program.back] {
        for element in group {
          elements.append(self.element(element.isPair ? .pair : .single, tag: element.tag))
        }
      }
      for tag in program.lowFrequency { elements.append(element(.lowFrequency, tag: tag)) }
      return elements
    }
    guard let layout = NumberedLayout(configuration.channelConfiguration) else { return nil }
    var elements: [Element] = []
    for kind in layout.elements {
      let tag = elements.count { $0.kind == kind }
      elements.append(element(kind, tag: tag))
    }
    return elements
  }

  private static func element(_ kind: ElementKind, tag: Int) -> Element {
    Element(kind: kind, tag: tag, channels: 0..<(kind == .pair ? 2 : 1))
  }

  /// Writes an element whose channels have one long window and no bands (14496-3, 4.4.2.1).
  private static func put(_ element: Element, to writer: inout FrameWriter<BitWriter>) {
    writer.putStart(of: element.kind, tag: element.tag)
    if element.kind == .pair { writer.putPairHeader(element) }
    for _ in element.channels {
      writer.writer.putStreamHeader(globalGain: 100, window: element.streamWindow)
      writer.writer.putTools(NoiseShaping())
    }
  }
}
