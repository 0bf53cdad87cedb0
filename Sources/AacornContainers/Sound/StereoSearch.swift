import AacornCodec
import AacornSignal

/// The search for parametric stereo at the start of a stream with one channel.
///
/// Parametric stereo may be signaled only in the units, and only from a later unit on, but a file
/// should keep one format. So a copy of the decoder decodes the first units in advance, and the
/// search holds them for the decoder.
struct StereoSearch: Sendable {
  /// Whether the last search found parametric stereo.
  private(set) var hasFoundStereo = false
  /// The copy of the decoder; nil unless the search is running.
  @Boxed private var decoder: AACDecoder? = nil
  /// The number of samples per channel of a unit without band replication.
  private var frameLength = 0
  /// The maximum number of units to search.
  private let unitLimit: Int
  /// The units that the copy has decoded and the decoder has not.
  private var units = PendingItems<CodedUnit>()
  /// The step after the held units.
  private var lastStep: CodedFileReader.Step?

  /// The number of units without band replication that rule out parametric stereo.
  private static let monoUnitLimit = 4

  /// Creates a search that is not running.
  ///
  /// A live stream is searched for a shorter time, because the search delays the audio. 128 units
  /// last about six seconds (1024 samples each at 22.05 kHz).
  init(isLive: Bool) { unitLimit = isLive ? 16 : 128 }

  var isRunning: Bool { decoder != nil }

  /// Starts the search with a copy of the decoder.
  mutating func begin(_ decoder: AACDecoder, frameLength: Int) {
    self.decoder = decoder
    self.frameLength = frameLength
  }

  /// Stops the search and discards the held steps.
  mutating func cancel() {
    decoder = nil
    units = PendingItems()
    lastStep = nil
  }

  /// Searches a step of the file, and holds it; returns false if the step need not be held.
  mutating func hold(_ step: CodedFileReader.Step) -> Bool {
    switch step {
    case .need, .damage: return false
    case .configuration, .end:
      lastStep = step
      end()
    case .unit(let unit):
      units.list.append(unit)
      guard decoder?.decode(unit.bytes) != nil, let (format, count) = decoder?.currentFormat()
      else { return true }
      let limit = count == frameLength ? Self.monoUnitLimit : unitLimit
      if format.channelCount == 2 || units.list.count >= limit { end() }
    }
    return true
  }

  /// Returns the next held step; nil if the search is running or no steps are held.
  mutating func take() -> CodedFileReader.Step? {
    if isRunning { return nil }
    if let unit = units.take() { return .unit(unit) }
    return lastStep.take()
  }

  private mutating func end() {
    hasFoundStereo = decoder?.currentFormat().0.channelCount == 2
    decoder = nil
  }
}
