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
    // One long window without bands (14496-3, 4.4.2.1).
    let window = WindowInfo()
    var writer = FrameWriter(BitWriter())
    for (kind, tag) in elements {
      writer.putStart(of: kind, tag: tag)
      let isPair = kind == .pair
      if isPair { writer.putPairHeader(window, mask: .none) }
      for _ in 0..<(isPair ? 2 : 1) {
        writer.writer.putStreamHeader(globalGain: 100, window: isPair ? nil : window)
        writer.writer.putTools(StreamTools(), isShort: false)
      }
    }
    writer.putStart(of: .end)
    var bytes: [UInt8] = []
    writer.append(to: &bytes)
    return bytes
  }

  /// Returns the kinds and tags of the channel elements, in bitstream order.
  private static func elements(
    of configuration: AudioSpecificConfig
  ) -> [(kind: ElementKind, tag: Int)]? {
    var elements: [(kind: ElementKind, tag: Int)] = []
    if configuration.channelConfiguration == 0 {
      guard let program = configuration.programConfig else { return nil }
      for element in program.front + program.side + program.back {
        elements.append((element.isPair ? .pair : .single, element.tag))
      }
      for tag in program.lowFrequency { elements.append((.lowFrequency, tag)) }
      return elements
    }
    guard let layout = NumberedLayout(configuration.channelConfiguration) else { return nil }
    for kind in layout.elements {
      let tag = elements.count { $0.kind == kind }
      elements.append((kind, tag))
    }
    return elements
  }
}
