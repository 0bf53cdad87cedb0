/// The boundaries at which an encoder's state ends, so that segments can be encoded separately.
extension AACEncoder {
  /// The number of frames after which the encoder restarts, about twelve seconds at 44.1 kHz.
  public static let segmentFrameCount = 512

  /// The number of frames before a segment that must be analyzed again.
  ///
  /// It is the sum of the stages' look-backs, since each works on the output of the previous one.
  /// The stages of band replication work in parallel to them.
  static var leadFrameCount: Int {
    max(
      TransientDetector.lookBack + Element.lookBack + ChannelFrame.lookBack,
      ReplicationAnalysis.lookBack)
  }

  /// The maximum of `leadFrames` for any profile: the stereo stage precedes the other stages.
  static var maxLeadFrameCount: Int { leadFrameCount + StereoStage.lookBack }

  /// The number of frames before a segment that must be analyzed again with this profile.
  var leadFrames: Int {
    settings.replication?.stereoBitrate == nil ? Self.leadFrameCount : Self.maxLeadFrameCount
  }

  /// Whether the frame may have to be analyzed again for the next segment.
  ///
  /// Such a frame must not depend on an unbounded chain of frames.
  var isLeadFrame: Bool {
    frameIndex % Self.segmentFrameCount >= Self.segmentFrameCount - Self.leadFrameCount
  }

  /// Whether a segment other than the first one begins with this frame.
  var isBoundary: Bool { frameIndex > 0 && frameIndex % Self.segmentFrameCount == 0 }

  mutating func beginSegment() {
    for index in elements.indices { elements[index].begin(atFrame: frameIndex) }
    for channel in channels.indices {
      detectors[channel].begin(atFrame: frameIndex)
      channels[channel].begin(atFrame: frameIndex)
      searches[channel].begin(atFrame: frameIndex)
    }
    for index in replication.indices { replication[index].begin(atFrame: frameIndex) }
    mdct.begin(atFrame: frameIndex)
    demand.begin(atFrame: frameIndex)
    sectioning.begin(atFrame: frameIndex)
    rate.begin(atFrame: frameIndex)
  }

  /// Returns a copy of this encoder that begins with frame `index`.
  ///
  /// This encoder must not have made a unit.
  func beginning(atFrame index: Int, with input: SampleInput) -> AACEncoder {
    var encoder = self
    encoder.frameIndex = index
    encoder.changeSource { $0 = input }
    return encoder
  }

  /// Analyzes a frame without making a unit, to set up the state for the following frames.
  mutating func analyzeWithoutUnit() {
    replicate()
    for element in elements.indices {
      chooseWindows(element)
      transform(element)
      analyzeMasking(element)
    }
    advance()
    frameIndex += 1
  }
}
