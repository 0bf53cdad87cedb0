/// Reads the payloads of band replication in a stream without decoding audio.
///
/// The probe reads payloads like a decoder: a decoder skips the payloads that the probe reports as
/// damaged.
package struct SBRProbe: Sendable {
  /// The properties of the last block's payloads, in order.
  package private(set) var payloads: [SBRFacts] = []
  /// The configuration of all blocks.
  package let configuration: AudioSpecificConfig
  private let slotCount: Int
  /// The state of each sounding element, in the order of the blocks.
  private var elements: [Element] = []

  /// Creates a probe of blocks with this configuration.
  package init(_ configuration: AudioSpecificConfig) {
    self.configuration = configuration
    slotCount = configuration.frameLength == 960 ? 15 : 16
  }

  /// Reads the payloads of a block, which was read from `range` of `bytes`.
  ///
  /// Never traps, whatever the payloads contain.
  package mutating func read(_ block: ParsedBlock, in bytes: [UInt8], range: Range<Int>) {
    payloads.removeAll(keepingCapacity: true)
    for index in elements.indices { elements[index].begin() }
    defer {
      for index in elements.indices where !elements[index].isRead {
        elements[index].recordMissingBlock()
      }
    }
    let origin = range.lowerBound * 8
    for payload in block.extensions where payload.kind.isSpectralBandReplication {
      guard var bits = payload.content(in: bytes, from: origin),
        let elementIndex = elementIndex(before: payload.element, in: block)
      else { continue }
      let isChecked = payload.kind == .checkedSpectralBandReplication
      var facts = elements[elementIndex].read(&bits, hasChecksum: isChecked)
      facts.bitCount = payload.bits.count - (facts.stereo?.bitCount ?? 0)
      payloads.append(facts)
    }
  }

  /// Handles a missing or unreadable block.
  package mutating func recordMissingBlock() {
    payloads.removeAll(keepingCapacity: true)
    for index in elements.indices { elements[index].recordMissingBlock() }
  }

  /// Returns whether a decoder in any state can begin with the band replication of a block.
  ///
  /// The result is nil if the block has no band replication.
  package static func canBegin(
    _ block: ParsedBlock, in bytes: [UInt8], range: Range<Int>, _ configuration: AudioSpecificConfig
  ) -> Bool? {
    var probe = SBRProbe(configuration)
    probe.read(block, in: bytes, range: range)
    return probe.payloads.isEmpty ? nil : probe.payloads.allSatisfy { $0.canBegin }
  }

  /// Returns the index in `elements` of the last output element before the block's element `index`.
  ///
  /// The result is nil if there is none.
  ///
  /// Tags do not distinguish elements: some encoders use the same tag for all.
  private mutating func elementIndex(before index: Int, in block: ParsedBlock) -> Int? {
    var elementIndex = -1
    var channelCount = 0
    for element in block.elements.prefix(index) where element.hasOutputChannels {
      elementIndex += 1
      channelCount = element.kind == .pair ? 2 : 1
      if elementIndex == elements.count { elements.append(makeElement(channelCount)) }
    }
    guard elementIndex >= 0 else { return nil }
    if elements[elementIndex].channelCount != channelCount {
      elements[elementIndex] = makeElement(channelCount)
    }
    return elementIndex
  }

  private func makeElement(_ channelCount: Int) -> Element {
    Element(
      coreRate: configuration.sampleRate, slotCount: slotCount, channelCount: channelCount)
  }
}
