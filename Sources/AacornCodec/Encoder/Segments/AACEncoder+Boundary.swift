/// Where the memory of an encoder ends, so that a sound can be encoded in parts.
extension AACEncoder {
  /// Frames after which the encoder begins anew, about twelve seconds.
  public static let segmentFrameCount = 512

  /// Frames before a segment that must be analyzed again: as many as the stages look back together,
  /// since each works on what the one before it made; those of band replication work beside them.
  static var leadFrameCount: Int {
    max(
      TransientDetector.lookBack + Element.lookBack + ChannelFrame.lookBack,
      ReplicationAnalysis.lookBack)
  }

  /// Those of any profile: parametric stereo makes what the other stages work on.
  static var mostLeadFrames: Int { leadFrameCount + StereoStage.lookBack }

  /// Frames before a segment that must be analyzed again.
  var leadFrames: Int {
    settings.replication?.stereoBitrate == nil ? Self.leadFrameCount : Self.mostLeadFrames
  }

  /// Whether the frame may have to be analyzed again for the next segment; then nothing in it may
  /// depend on an unbounded chain of frames.
  var isLeadFrame: Bool {
    frameIndex % Self.segmentFrameCount >= Self.segmentFrameCount - Self.leadFrameCount
  }

  /// Whether a segment begins with this frame; the first one begins with the stages as created.
  var isBoundary: Bool { frameIndex > 0 && frameIndex % Self.segmentFrameCount == 0 }

  /// Begins a segment in every stage.
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

  /// A copy of this encoder, which must not have made a unit, that begins with frame `index`.
  func beginning(atFrame index: Int, with input: SampleInput) -> AACEncoder {
    var encoder = self
    encoder.frameIndex = index
    encoder.changeSource { $0 = input }
    return encoder
  }

  /// Analyzes a frame without making a unit of it, for the sake of those that follow.
  mutating func rehearseFrame() {
    replicate()
    for element in elements.indices {
      chooseWindows(element)
      transform(element)
      listen(element)
    }
    advance()
    frameIndex += 1
  }
}
