import AacornCodec
import AacornSignal
import AacornSystem

/// Encodes every track of a mix separately, for files that begin, are split and end with the mix.
struct PartStage {
  /// The outputs, in the order of the tracks.
  let outputs: [OutputRunner]
  private var encoders: [EncodeStage] = []
  /// Samples of every track that wait for encoding with the mix.
  private var samples: [[Float]]
  private var segment = 0
  /// Whether the source can wait for slow outputs.
  private let mayWait: @Sendable () -> Bool

  /// Creates a stage for open outputs, one for each track.
  init(
    _ configuration: RecordingConfiguration, mayWait: @escaping @Sendable () -> Bool,
    _ outputs: [OutputRunner],
    makeEncoder: EncodeStage.EncoderFactory? = nil
  ) throws(RecordingError) {
    self.outputs = outputs
    self.mayWait = mayWait
    samples = Array(repeating: [], count: outputs.count)
    for _ in outputs {
      encoders.append(try EncodeStage(configuration, makeEncoder: makeEncoder))
    }
  }

  /// The error that ended encoding; nil without one.
  var failure: RecordingError? { encoders.compactMap(\.failure).first }

  /// Appends each track's contribution to the next frames of the mix.
  mutating func append(_ parts: [[Float]]) {
    for (index, part) in parts.enumerated() where samples.indices.contains(index) {
      samples[index] += part
    }
  }

  /// Begins a segment with the mix; `length` is its number of samples, if known.
  mutating func begin(
    _ segment: Int, at position: Int, wallTime: Int64, length: Int?
  ) throws(RecordingError) {
    self.segment = segment
    for index in encoders.indices {
      try encoders[index].begin(at: position)
      let start = SegmentStart(
        index: segment, format: encoders[index].format, position: position, wallTime: wallTime,
        expectedPacketCount: length.map { encoders[index].packetCount(for: $0) })
      outputs[index].send(.begin(start))
    }
  }

  /// Encodes `sampleCount` interleaved samples of every track.
  mutating func encode(sampleCount: Int) {
    for index in encoders.indices {
      let batch = samples[index]
      let count = min(sampleCount, batch.count)
      encoders[index].encode(batch.span.extracting(..<count))
      samples[index].removeFirst(count)
      send(index)
    }
  }

  /// Adds a gap to the ledgers of the affected tracks; `names` are the tracks in order.
  func record(_ gap: RecordingGap, _ names: [String]) {
    for (index, output) in outputs.enumerated() {
      if let track = gap.track, names.indices.contains(index), names[index] != track { continue }
      output.send(.gap(gap))
    }
  }

  /// Ends the segment with the mix.
  mutating func end(isLast: Bool) {
    for index in encoders.indices {
      encoders[index].finish()
      send(index)
      let trim = encoders[index].trim
      var end = SegmentEnd(sampleCount: trim.sampleCount, trim: trim)
      end.isLast = isLast
      outputs[index].send(.end(end))
    }
  }

  private mutating func send(_ index: Int) {
    while var packet = encoders[index].nextPacket() {
      packet.segment = segment
      outputs[index].waitForRoom(while: mayWait)
      outputs[index].send(.packet(packet))
    }
  }
}
