import AacornCodec
import AacornContainers
import AacornStreaming
import AacornSystem
import StreamRigs
import Testing

@testable import AacornRecording

/// A store in memory that checks every published playlist and the existence of its files.
final class CheckedStore: HLSStore {
  struct Contents {
    var files: [String: [UInt8]] = [:]
    /// All versions of each playlist, in order.
    var playlists: [String: [String]] = [:]
    /// The parsed current version of each playlist.
    var current: [String: HLSPlaylistText] = [:]
    var faults: [String] = []
    var putNames: [String] = []
    var removedNames: [String] = []
    var maxFileCount = 0
    /// The number of files after which the store fails.
    var putLimit = Int.max
    /// Whether completing a playlist fails.
    var failsAtEnd = false
    /// Whether the store keeps previous versions of playlists.
    var keepsTexts = true
  }

  let servesParts: Bool
  let contents = Lock(Contents())

  init(servesParts: Bool = true) { self.servesParts = servesParts }

  static let failure = OutputError(.diskFull, "This store is full.")

  func put(_ bytes: [UInt8], as name: String) throws(OutputError) {
    try contents.withLock { (contents) throws(OutputError) in
      contents.putLimit -= 1
      if contents.putLimit < 0 { throw Self.failure }
      if contents.putNames.contains(name) && contents.keepsTexts {
        contents.faults.append("\(name) again")
      }
      if bytes.isEmpty { contents.faults.append("\(name) is empty") }
      if contents.keepsTexts { contents.putNames.append(name) }
      contents.files[name] = bytes
      contents.maxFileCount = max(contents.maxFileCount, contents.files.count)
    }
  }

  func publish(
    _ playlist: String, as name: String, contents listed: HLSPlaylistContents
  ) throws(OutputError) {
    let edge = listed.edge
    if edge.isComplete && contents.withLock(\.failsAtEnd) { throw Self.failure }
    contents.withLock { contents in
      let parsed = HLSPlaylistText(playlist)
      if parsed.variants.isEmpty {
        let previous = contents.playlists[name]?.last
        contents.faults += HLSRules.faults(inMedia: parsed, after: contents.current[name]).map {
          "\($0) in \(name):\n\(playlist)after:\n\(previous ?? "nothing")"
        }
        let complete = parsed.segments.last { $0.name != nil }
        let written = HLSPlaylistContents(
          edge: edge, names: parsed.segmentNames,
          targetDuration: parsed.targetDuration.map { .seconds($0) },
          // Playlists contain six decimals.
          partTarget: parsed.partTarget.map { .microseconds(Int(($0 * 1e6).rounded())) },
          lastSegmentPartCount: complete?.parts.count ?? 0, nextPart: parsed.hint)
        if listed != written { contents.faults.append("\(listed) for \(playlist)") }
        let number = (parsed.mediaSequence ?? 0) + parsed.segmentNames.count - 1
        let parts = parsed.segments.last?.name == nil ? parsed.segments.last?.parts.count ?? 0 : 0
        if complete != nil && edge.segment != number || (servesParts && edge.partCount != parts)
          || edge.isComplete != parsed.isEnded
        {
          contents.faults.append("\(edge) for \(playlist)")
        }
      } else {
        contents.faults += HLSRules.faults(inMaster: playlist)
        if listed != HLSPlaylistContents(edge: edge, names: parsed.variants.map(\.uri)) {
          contents.faults.append("\(listed) for \(playlist)")
        }
        for variant in parsed.variants where contents.playlists[variant.uri] == nil {
          contents.faults.append("\(variant.uri) is listed and not there")
        }
      }
      for file in parsed.files where contents.files[file] == nil {
        contents.faults.append("\(file) is listed and not there")
      }
      contents.current[name] = parsed
      if contents.keepsTexts {
        contents.playlists[name, default: []].append(playlist)
      } else {
        contents.playlists[name] = [playlist]
      }
    }
  }

  func remove(_ name: String) {
    contents.withLock { contents in
      if contents.files.removeValue(forKey: name) == nil {
        contents.faults.append("\(name) was removed although it did not exist")
      }
      contents.removedNames.append(name)
      for (playlist, text) in contents.current {
        if text.files.contains(name) {
          contents.faults.append("\(name) was removed and is listed in \(playlist)")
        }
      }
    }
  }

  var faults: [String] { contents.withLock { $0.faults } }

  /// Returns the variants of a master playlist that state too small a bandwidth.
  func bandwidthFaults(_ master: String) -> [String] {
    contents.withLock { contents in
      let playlists = contents.playlists.compactMapValues(\.last)
      guard let text = playlists[master] else { return [] }
      return HLSRules.faults(
        inMaster: text, media: playlists, sizes: contents.files.mapValues(\.count))
    }
  }

  /// Returns the current version of a playlist.
  func playlist(_ name: String) -> String? { contents.withLock { $0.playlists[name]?.last } }

  /// Returns the parsed current version of a playlist.
  func parsed(_ name: String = "stream-0.m3u8") -> HLSPlaylistText {
    HLSPlaylistText(playlist(name) ?? "")
  }

  /// Returns all versions of a playlist.
  func history(_ name: String) -> [String] { contents.withLock { $0.playlists[name] ?? [] } }

  func file(_ name: String) -> [UInt8] { contents.withLock { $0.files[name] ?? [] } }

  var names: [String] { contents.withLock { $0.files.keys.sorted() } }

  /// Returns the bytes for a player that starts at the first segment: initialization sections and
  /// segments.
  func media(_ playlist: String) -> [UInt8] {
    var map: String?
    var bytes: [UInt8] = []
    for segment in parsed(playlist).segments {
      if let next = segment.map, next != map {
        bytes += file(next)
        map = next
      }
      bytes += file(segment.name ?? "")
    }
    return bytes
  }
}

/// Feeds an output with artificial frames.
struct HLSBench {
  var configuration = HLSConfiguration()
  var sampleRate = 48_000
  /// The decoded samples per sample of the core.
  var replication = 1
  var renditionCount = 1
  /// The renditions with the frame length and the delay of HE-AAC.
  var doubled: Set<Int> = []
  var wallTime: Int64 = 1_795_201_434_123_000_000
  var stores: [CheckedStore] = [CheckedStore()]
  var frameByteCount = 200
  /// The numbers of the frames that are four times as large.
  var burst = 0..<0
  /// Gaps by the number of the frame that follows the gap.
  var gaps: [Int: RecordingGap.Cause] = [:]

  init(
    _ kind: HLSConfiguration.Kind = .live, _ media: HLSConfiguration.Media = .fragmentedMP4,
    partMilliseconds: Int? = nil, window: Int? = nil
  ) {
    configuration.kind = kind
    configuration.media = media
    configuration.partDuration = partMilliseconds.map { .milliseconds($0) }
    if let window { configuration.windowSegmentCount = window }
  }

  /// The form of `wallTime` in file names.
  static let session = "20261120T190354123Z"

  var store: CheckedStore { stores[0] }

  func format(_ rendition: Int) -> PacketFormat {
    let replication = doubled.contains(rendition) ? 2 : replication
    var stream = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: sampleRate / replication, channelConfiguration: 2)
    if replication > 1 {
      stream.extensionSampleRate = sampleRate
      stream.signaling = .backwardCompatible
    }
    return .aac(stream, timing(rendition))
  }

  /// Returns the timing of a rendition.
  ///
  /// Without the delay of HE-AAC, the priming is one frame.
  func timing(_ rendition: Int) -> StreamTiming {
    let isDoubled = doubled.contains(rendition)
    let length = 1024 * (isDoubled ? 2 : replication)
    return StreamTiming(
      sampleRate: sampleRate, samplesPerUnit: length, priming: isDoubled ? 3010 : length,
      nominalBitrate: 8 * frameByteCount * sampleRate / length)
  }

  /// Returns the number of frames for `sampleCount` samples.
  private func frameCount(_ sampleCount: Int, _ rendition: Int) -> Int {
    let timing = timing(rendition)
    return (sampleCount + timing.priming + timing.samplesPerUnit - 1) / timing.samplesPerUnit
  }

  /// Returns the trim of these frames.
  private func trim(_ sampleCount: Int, _ rendition: Int) -> StreamTrim {
    let timing = timing(rendition)
    let length = frameCount(sampleCount, rendition) * timing.samplesPerUnit
    return StreamTrim(
      priming: timing.priming, remainder: length - timing.priming - sampleCount,
      sampleCount: sampleCount)
  }

  static func bytes(_ frame: Int, rendition: Int, count: Int) -> [UInt8] {
    // No frame starts like a header or like a program config element.
    var bytes = [UInt8](repeating: 0x21, count: max(8, count - rendition * 40))
    for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: frame >> (7 * index)) & 0x7F }
    bytes[1] = UInt8(rendition)
    return bytes
  }

  func makeOutput() throws -> HLSOutput {
    var output = HLSOutput(configuration, stores: stores, name: "test")
    try output.open()
    return output
  }

  /// Records a segment of `sampleCount` samples.
  func record(
    _ sampleCount: Int, into output: inout some PacketOutput, index: Int = 0, at position: Int = 0,
    ends: Bool = true
  ) throws {
    var start = SegmentStart(
      index: index, format: format(0), position: position,
      wallTime: wallTime + Int64(position) * 1_000_000_000 / Int64(sampleRate),
      expectedPacketCount: nil)
    start.furtherFormats = (1..<max(1, renditionCount)).map(format)
    try output.begin(start)
    let counts = (0..<renditionCount).map { frameCount(sampleCount, $0) }
    // The renditions alternate every few packets.
    for first in stride(from: 0, to: counts.max() ?? 0, by: 5) {
      for rendition in 0..<renditionCount {
        let timing = timing(rendition)
        for frame in first..<max(first, min(counts[rendition], first + 5)) {
          var packet = EncodedPacket(
            bytes: Self.bytes(
              frame + 1000 * index, rendition: rendition,
              count: burst.contains(frame) ? 4 * frameByteCount : frameByteCount),
            position: position + frame * timing.samplesPerUnit - timing.priming,
            sampleCount: timing.samplesPerUnit, segment: index)
          packet.rendition = rendition
          if rendition == 0, let cause = gaps[frame] {
            let length = cause == .paused ? 10 * sampleRate : timing.samplesPerUnit
            packet.gaps = [
              RecordingGap(
                position: packet.position - 512, length: length, cause: cause, wallTime: 0)
            ]
          }
          try output.write(packet)
        }
      }
    }
    guard ends else { return }
    var end = SegmentEnd(sampleCount: sampleCount, trim: trim(sampleCount, 0))
    end.furtherTrims = (1..<max(1, renditionCount)).map { trim(sampleCount, $0) }
    let summary = try output.end(end)
    #expect(summary == nil)
  }

  /// Makes a recording of one segment and checks the stores.
  @discardableResult
  func run(_ sampleCount: Int) throws -> OutputSummary? {
    var output = try makeOutput()
    try record(sampleCount, into: &output)
    let summary = output.abandon()
    for store in stores {
      #expect(store.faults == [])
      #expect(store.bandwidthFaults(configuration.name + ".m3u8") == [])
    }
    return summary
  }

  /// Returns the frames that were recorded.
  func frames(_ sampleCount: Int, rendition: Int = 0, index: Int = 0) -> [[UInt8]] {
    (0..<frameCount(sampleCount, rendition)).map {
      Self.bytes($0 + 1000 * index, rendition: rendition, count: frameByteCount)
    }
  }
}

/// Returns the complete frames of an MP4 file, which must be undamaged.
func mp4Frames(_ file: [UInt8]) -> [[UInt8]] {
  let reader = MP4Reader(file: file)
  #expect(reader.damage == [])
  return (0..<reader.completeUnitCount).compactMap { index in
    reader.sample(at: index).map {
      Array(file[Int($0.offset)..<Int($0.offset) + Int($0.byteCount)])
    }
  }
}

/// Returns the frames of packed audio, and the times in the tags between them.
func packedFrames(_ bytes: [UInt8]) -> (frames: [[UInt8]], ticks: [UInt64]) {
  var reader = ADTSReader()
  reader.append(bytes)
  reader.finish()
  var frames: [[UInt8]] = []
  var ticks: [UInt64] = []
  while let event = reader.next() {
    switch event {
    case .frame(let frame): frames += frame.blocks.map { Array(frame.payload[$0]) }
    case .tag(let offset, _):
      let rest = Array(bytes[offset..<min(bytes.count, offset + TransportTimestampTag.byteCount)])
      ticks.append(TransportTimestampTag(parsing: rest)?.ticks ?? .max)
    case .damage(let damage): Issue.record("\(damage)")
    }
  }
  return (frames, ticks)
}
