import AacornSignal

/// The channel elements of a stream's frames, with the loudspeakers of their channels.
///
/// ISO/IEC 14496-3, 1.6.3.5 and 4.5.1.2.
struct ElementPlan: Equatable, Sendable {
  /// One element of every frame.
  struct Element: Equatable, Sendable {
    var kind: ElementKind
    /// The element's tag, if a program config element defines it.
    var tag: Int?
    var firstChannel: Int
  }

  private(set) var elements: [Element] = []
  private(set) var channelCount = 0
  /// The loudspeakers in the order of the elements; empty if they are unknown.
  private(set) var speakers: [SpeakerPosition] = []

  /// Creates the plan of a stream; nil if the configuration does not define the elements.
  init?(_ configuration: AudioSpecificConfig) {
    if configuration.channelConfiguration == 0 {
      guard let program = configuration.programConfig else { return nil }
      self.init(program)
    } else {
      self.init(channelConfiguration: configuration.channelConfiguration)
    }
  }

  init?(channelConfiguration: Int) {
    guard let layout = NumberedLayout(channelConfiguration) else { return nil }
    for kind in layout.elements { append(kind, tag: nil) }
    speakers = layout.speakers
  }

  init(_ program: ProgramConfig) {
    for group in [program.front, program.side, program.back] {
      for element in group { append(element.isPair ? .pair : .single, tag: element.tag) }
    }
    for tag in program.lowFrequency { append(.lowFrequency, tag: tag) }
    speakers = Self.speakers(program) ?? []
  }

  /// Creates a plan from the elements of a frame, if nothing else is known.
  init?(_ block: ParsedBlock) {
    for element in block.elements where element.hasOutputChannels { append(element.kind, tag: nil) }
    guard channelCount > 0 else { return nil }
    for configuration in NumberedLayout.numbers {
      guard let plan = ElementPlan(channelConfiguration: configuration),
        plan.elements == elements
      else { continue }
      speakers = plan.speakers
      return
    }
  }

  private mutating func append(_ kind: ElementKind, tag: Int?) {
    elements.append(Element(kind: kind, tag: tag, firstChannel: channelCount))
    channelCount += kind == .pair ? 2 : 1
  }

  /// The channel of the plan for each output channel, in the order of WAV files.
  var outputOrder: [Int] {
    let order = Array(0..<channelCount)
    if speakers.isEmpty { return order }
    return order.sorted { speakers[$0].rawValue < speakers[$1].rawValue }
  }

  var layout: ChannelLayout? { ChannelLayout(outputOrder.map { speakers[$0] }) }

  /// Finds the plan's element for each output element of a block; returns false if the block does
  /// not have the plan's elements.
  func match(_ block: ParsedBlock, into indices: inout [Int]) -> Bool {
    indices.removeAll(keepingCapacity: true)
    var taken: UInt64 = 0
    for element in block.elements where element.hasOutputChannels {
      var bestIndex: Int?
      for (index, candidate) in elements.enumerated()
      where taken >> UInt64(index) & 1 == 0 && candidate.kind.agrees(with: element.kind) {
        // An element of the same kind has priority over one of a compatible kind.
        let isBetter = bestIndex.map {
          elements[$0].kind != element.kind && candidate.kind == element.kind
        }
        if isBetter ?? true { bestIndex = index }
        // The same kind and tag identify the element.
        if candidate.tag == element.tag && candidate.kind == element.kind {
          bestIndex = index
          break
        }
      }
      guard let bestIndex else { return false }
      taken |= 1 << UInt64(bestIndex)
      indices.append(bestIndex)
    }
    return indices.count == elements.count
  }
}

extension ParsedElement {
  var hasOutputChannels: Bool { kind == .single || kind == .pair || kind == .lowFrequency }
}

extension ElementKind {
  /// Returns whether one kind can replace the other.
  ///
  /// Some encoders send the LFE as a single channel.
  fileprivate func agrees(with other: ElementKind) -> Bool {
    self == other || self != .pair && other != .pair
  }
}

extension ElementPlan {
  /// Returns the loudspeakers of an explicit layout, or nil if they are not standard positions.
  private static func speakers(_ program: ProgramConfig) -> [SpeakerPosition]? {
    var speakers: [SpeakerPosition] = []
    let frontPairs = program.front.count { $0.isPair }
    var pairs = 0
    for element in program.front {
      if element.isPair {
        // From the center outward: with two pairs, the first is the inner one.
        pairs += 1
        let isInner = frontPairs == 2 && pairs == 1
        speakers +=
          isInner ? [.frontLeftOfCenter, .frontRightOfCenter] : [.frontLeft, .frontRight]
      } else {
        speakers.append(.frontCenter)
      }
    }
    for element in program.side {
      guard element.isPair else { return nil }
      speakers += [.sideLeft, .sideRight]
    }
    for element in program.back {
      speakers += element.isPair ? [.backLeft, .backRight] : [.backCenter]
    }
    for _ in program.lowFrequency { speakers.append(.lowFrequency) }
    // If two elements have the same loudspeaker, there is no `ChannelLayout`.
    return ChannelLayout(speakers) == nil ? nil : speakers
  }
}
