/// A stage of the encoder that keeps state between frames.
///
/// A segment begins every `AACEncoder.segmentFrameCount` frames, and its bits must not depend on
/// where the stream began. Every stage therefore guarantees:
///
/// Its output for frame n, counted from the preceding `begin(atFrame: f)`, depends only on n, its
/// settings and its input for the frames from f − `lookBack` on.
///
/// A stage whose state covers more than a few frames therefore resets it in `begin`. A stage that
/// looks back a few frames keeps it, and an encoder of one segment passes it these frames first.
protocol SegmentStage: Sendable {
  /// The number of frames before a segment that affect the stage's output in the segment.
  static var lookBack: Int { get }

  /// Begins a segment whose first frame is `index`.
  mutating func begin(atFrame index: Int)
}

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
      SBREncoder.lookBack)
  }

  /// The maximum of `leadFrames` for any profile: `StereoPreprocessor` precedes the stages.
  static var maxLeadFrameCount: Int { leadFrameCount + StereoPreprocessor.lookBack }

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
      analyzeSpectra(element)
    }
    advance()
    frameIndex += 1
  }
}
