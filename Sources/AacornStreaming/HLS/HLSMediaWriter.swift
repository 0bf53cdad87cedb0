import AacornCodec
import AacornContainers
import AacornRecording

/// A writer for the segments of a rendition.
struct HLSMediaWriter: Sendable {
  private var movie: MP4SegmentWriter?
  private var adts: ADTSWriter?
  private var frames: [UInt8] = []
  private var frameCount = 0
  private let timing: StreamTiming
  /// The decoding time of the next frame, in samples from the start of the presentation.
  private(set) var time: UInt64
  /// The number of fragments written.
  private(set) var fragmentCount: UInt32
  private let name: String

  /// Creates a writer for the output of an encoder.
  ///
  /// The output begins at `time`, and the fragment numbers continue the numbers of `previous`.
  init(
    _ media: HLSConfiguration.Media, _ stream: AudioSpecificConfig, _ timing: StreamTiming,
    at time: UInt64, after previous: HLSMediaWriter?, name: String
  ) throws(OutputError) {
    self.time = time
    fragmentCount = previous?.fragmentCount ?? 0
    self.timing = timing
    self.name = name
    do throws(ContainerError) {
      switch media {
      case .packedAudio: adts = try ADTSWriter(configuration: stream)
      case .fragmentedMP4:
        movie = try MP4SegmentWriter(
          stream: stream, timing: timing, time: time, fragmentCount: fragmentCount)
      }
    } catch {
      throw OutputError(error, streamingTo: name)
    }
  }

  /// The initialization section; nil if the segments do not need one.
  var initialization: [UInt8]? { movie?.initialization }

  /// Appends a frame to the current segment.
  mutating func append(_ packet: EncodedPacket) throws(OutputError) {
    let unit = packet.accessUnit
    do throws(ContainerError) {
      try movie?.append(unit)
      try adts?.append(unit, to: &frames)
    } catch {
      throw OutputError(error, streamingTo: name)
    }
    frameCount += 1
  }

  /// Returns the frames appended since the last call, as a segment or a part of a segment.
  ///
  /// `remainder` is the number of samples at the end that must not be played.
  mutating func finishPart(startsSegment: Bool, remainder: Int) -> [UInt8] {
    defer { frameCount = 0 }
    if movie != nil {
      let bytes = movie?.takeFragment(startsSegment: startsSegment, remainder: remainder) ?? []
      time = movie?.time ?? time
      fragmentCount = movie?.fragmentCount ?? fragmentCount
      return bytes
    }
    // Every part starts with the tag, because a player may start with any part.
    let tag = TransportTimestampTag(position: time, sampleRate: timing.sampleRate)
    let bytes = tag.bytes + frames
    frames.removeAll(keepingCapacity: true)
    time += UInt64(frameCount * timing.samplesPerUnit)
    return bytes
  }
}

extension OutputError {
  fileprivate init(_ error: ContainerError, streamingTo name: String) {
    self.init(
      .unsupported, "Cannot stream to “\(name)”: \(error.problem)",
      recoveryAction: error.recoveryAction)
  }
}
