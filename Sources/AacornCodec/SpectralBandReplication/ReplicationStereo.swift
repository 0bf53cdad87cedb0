/// The parametric stereo of a single element.
///
/// It has the state, two frames, and the right channel's filter bank.
struct ReplicationStereo: Sendable {
  var parametric = ParametricStereo()
  private let slotCount: Int
  private var left = QMFFrame()
  private var right = QMFFrame()
  private var synthesis: QMFSynthesis

  /// Creates the stage; the right channel continues with the history of `synthesis`, which is mono.
  init(slotCount: Int, synthesis: QMFSynthesis) {
    self.slotCount = slotCount
    self.synthesis = synthesis
  }

  /// Resets everything but the configuration.
  mutating func reset() {
    parametric.reset()
    synthesis.reset()
  }

  /// Computes the samples of two channels; the left one uses the filter bank of the mono channel.
  mutating func process(
    _ channel: inout ReplicationChannel, into leftOutput: inout [Float],
    _ rightOutput: inout [Float]
  ) {
    if parametric.isActive {
      parametric.apply(channel.frame, slotCount: slotCount, left: &left, right: &right)
      channel.synthesize(left, into: &leftOutput)
      synthesis.synthesize(right, slotCount: slotCount, into: &rightOutput)
    } else {
      channel.synthesize(into: &leftOutput)
      synthesis.synthesize(channel.frame, slotCount: slotCount, into: &rightOutput)
    }
  }
}
