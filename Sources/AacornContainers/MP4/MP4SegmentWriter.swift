public import AacornCodec

/// Writes one track as an initialization section and media segments that are separate files.
///
/// This is fragmented MPEG-4 in HTTP Live Streaming (RFC 8216, 3.3). Browsers append it piece by
/// piece:
///
///     initialization   ftyp  moov
///     segment          styp  moof  mdat    one or more fragments
///
/// Fragments contain the time from the start of the presentation, so a segment can be decoded
/// without the previous ones. The time includes the encoder delay: the first frame is decoded at 0,
/// and an edit list starts the audio after the priming. A time in a fragment cannot be negative,
/// and without the edit list every player would play the priming. Browsers and Apple's players
/// apply the edit list. Some other players apply it only together with the gapless playback tag, so
/// that tag is written, too.
public struct MP4SegmentWriter: Sendable {
  /// The initialization section.
  public let initialization: [UInt8]
  private var fragments: MP4FragmentWriter
  private let samplesPerUnit: UInt64
  /// The decoding time of the next frame, in samples of the presentation.
  public private(set) var time: UInt64
  /// The number of frames received since the last fragment.
  public private(set) var pendingUnitCount = 0
  private var pendingByteCount = 0

  /// The maximum payload of a fragment, so that the 32-bit size of the box does not overflow.
  private static let payloadLimit = 1 << 30

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - stream: The decoder's configuration of the stream.
  ///   - timing: The timing of the stream; the priming is not played.
  ///   - time: The decoding time of the first frame, in samples, to continue a presentation.
  ///   - fragmentCount: The number of previous fragments.
  /// - Throws: ``ContainerError`` if the format cannot carry the stream.
  public init(
    stream: AudioSpecificConfig, timing: StreamTiming, time: UInt64 = 0, fragmentCount: UInt32 = 0
  ) throws(ContainerError) {
    let parameters = try TrackParameters(stream, timing)
    initialization = BoxWriter.bytes { box in
      // The brand iso6 introduced offsets relative to the start of the fragment.
      box.putBrands(.fileType, [.brandISO6, .brandMP42])
      Movie(beforeFragments: parameters, timing).write(to: &box)
    }
    samplesPerUnit = parameters.samplesPerUnit
    fragments = MP4FragmentWriter(
      parameters, unitsPerFragment: .max, startTime: time, sequenceNumber: fragmentCount)
    self.time = time
  }

  /// The number of fragments written, including those of previous writers.
  public var fragmentCount: UInt32 { fragments.sequenceNumber }

  /// Appends the next frame.
  public mutating func append(_ unit: AccessUnit) throws(ContainerError) {
    guard pendingByteCount + unit.bytes.count <= Self.payloadLimit else {
      throw .frameTooLong(byteCount: unit.bytes.count, limit: Self.payloadLimit - pendingByteCount)
    }
    var none: [UInt8] = []
    fragments.append(unit.bytes, to: &none)
    pendingByteCount += unit.bytes.count
    pendingUnitCount += 1
  }

  /// Writes the frames received since the last call as a fragment; empty if there are none.
  ///
  /// - Parameters:
  ///   - startsSegment: Whether the fragment is the first of a segment.
  ///   - remainder: The number of samples at the end of the fragment that are not played, because
  ///     the audio ends there.
  /// - Returns: The bytes of the fragment.
  public mutating func takeFragment(startsSegment: Bool, remainder: Int = 0) -> [UInt8] {
    guard pendingUnitCount > 0 else { return [] }
    let duration = UInt64(pendingUnitCount) * samplesPerUnit
    let cut = min(UInt64(max(0, remainder)), duration)
    var bytes: [UInt8] = []
    if startsSegment {
      bytes = BoxWriter.bytes { $0.putBrands(.segmentType, [.brandMediaSegment, .brandISO6]) }
    }
    fragments.finish(remainder: cut, to: &bytes)
    time &+= duration - cut
    pendingUnitCount = 0
    pendingByteCount = 0
    return bytes
  }
}
