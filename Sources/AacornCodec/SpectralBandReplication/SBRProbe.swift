/// Reads what the payloads of band replication in a stream say, and makes no sound of it.
///
/// They are read as a decoder reads them, so that what is damaged here is left out there.
package struct SBRProbe: Sendable {
  /// What the payloads of the last block say, in order.
  package private(set) var payloads: [SBRFacts] = []
  /// The configuration of all blocks.
  package let configuration: AudioSpecificConfig
  private let slotCount: Int
  /// What is kept of each sounding element, in the order of the blocks.
  private var elements: [Element] = []

  /// A probe of blocks with this configuration.
  package init(_ configuration: AudioSpecificConfig) {
    self.configuration = configuration
    slotCount = configuration.frameLength == 960 ? 15 : 16
  }

  /// Reads the payloads of a block, which was read from `range` of `bytes`.
  ///
  /// Never traps, whatever the payloads are.
  package mutating func read(_ block: ParsedBlock, in bytes: [UInt8], range: Range<Int>) {
    payloads.removeAll(keepingCapacity: true)
    for index in elements.indices { elements[index].begin() }
    defer {
      for index in elements.indices where !elements[index].isRead { elements[index].miss() }
    }
    let origin = range.lowerBound * 8
    for payload in block.extensions where payload.kind.isSpectralBandReplication {
      // Four bits are the kind.
      let (first, end) = (origin + payload.bits.lowerBound + 4, origin + payload.bits.upperBound)
      guard first >= 0, first <= end, end <= bytes.count * 8,
        let place = place(before: payload.element, in: block)
      else { continue }
      var bits = BitReader(bytes, bits: first..<end)
      let isChecked = payload.kind == .checkedSpectralBandReplication
      var facts = elements[place].read(&bits, hasChecksum: isChecked)
      facts.bitCount = end - first + 4 - (facts.stereo?.bitCount ?? 0)
      payloads.append(facts)
    }
  }

  /// A block is missing, or cannot be read.
  package mutating func miss() {
    payloads.removeAll(keepingCapacity: true)
    for index in elements.indices { elements[index].miss() }
  }

  /// Whether a decoder can begin with the band replication of a block, whatever it decoded before; nil
  /// if the block has none.
  package static func canBegin(
    _ block: ParsedBlock, in bytes: [UInt8], range: Range<Int>, _ configuration: AudioSpecificConfig
  ) -> Bool? {
    var probe = SBRProbe(configuration)
    probe.read(block, in: bytes, range: range)
    return probe.payloads.isEmpty ? nil : probe.payloads.allSatisfy { $0.canBegin }
  }

  /// The place in `elements` of the last sounding element before another one; nil if there is none.
  ///
  /// Tags do not tell elements apart: some encoders give all of them the same.
  private mutating func place(before index: Int, in block: ParsedBlock) -> Int? {
    var place = -1
    var channelCount = 0
    for element in block.elements.prefix(index) where element.isSounding {
      place += 1
      channelCount = element.kind == .pair ? 2 : 1
      if place == elements.count { elements.append(makeElement(channelCount)) }
    }
    guard place >= 0 else { return nil }
    if elements[place].channelCount != channelCount { elements[place] = makeElement(channelCount) }
    return place
  }

  private func makeElement(_ channelCount: Int) -> Element {
    Element(
      coreRate: configuration.sampleRate, slotCount: slotCount, channelCount: channelCount)
  }
}
