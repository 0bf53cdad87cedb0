import AacornCodec
import AacornContainers
import AacornInspection
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A reader that computes the level of a file over time, for a picture before playback.
struct WaveformReader {
  /// The number of levels for a complete file.
  static let levelCount = 400

  private let file: FileBytes

  init(_ file: FileBytes) { self.file = file }

  /// Computes the levels, linear in amplitude, each the maximum of its part; nil if there is no
  /// audio.
  func levels() throws(FileBytes.Failure) -> [UInt8]? {
    let head = try file.read(0, 16)
    switch PCMFileKind(prefix: head.span) {
    case .wav, .aiff, .caf: return try sampleLevels()
    default: break
    }
    if StreamInspector.needsSeeking(head) { return try movieLevels() }
    if let levels = try adtsLevels() { return levels }
    return try loasLevels()
  }

  // MARK: AAC

  private func movieLevels() throws(FileBytes.Failure) -> [UInt8]? {
    var reader = MP4Reader(byteCount: UInt64(file.size))
    while case .need(let offset, let count) = reader.step() {
      reader.supply(try file.read(Int(clamping: offset), count))
    }
    guard let track = reader.track, reader.completeSampleCount > 0 else { return nil }
    var envelope = SoundEnvelope(track.stream)
    var piece: [UInt8] = []
    var pieceStart = 0
    for index in 0..<reader.completeSampleCount {
      guard let sample = reader.sample(at: index) else { break }
      let start = Int(clamping: sample.offset)
      // Treat a frame with an invalid size as empty.
      let size = Int(clamping: sample.byteCount)
      let count = size > FrameLimits.maxByteCount ? 0 : size
      if start < pieceStart || start + count > pieceStart + piece.count {
        piece = try file.read(start, max(count, SoundExaminer.blockSize))
        pieceStart = start
      }
      let first = start - pieceStart
      let end = min(first + count, piece.count)
      envelope.append(first < end ? Array(piece[first..<end]) : [])
    }
    return envelope.levels(Self.levelCount)
  }

  /// Passes all bytes of the file to `take` in pieces, followed by an empty piece.
  private func readAll(_ take: ([UInt8]) -> Void) throws(FileBytes.Failure) {
    var offset = 0
    while offset < file.size {
      let bytes = try file.read(offset, SoundExaminer.blockSize)
      if bytes.isEmpty { break }
      offset += bytes.count
      take(bytes)
    }
    take([])
  }

  private func adtsLevels() throws(FileBytes.Failure) -> [UInt8]? {
    var reader = ADTSReader()
    var envelope: SoundEnvelope?
    var configuration: AudioSpecificConfig?
    try readAll { bytes in
      if bytes.isEmpty { reader.finish() } else { reader.append(bytes) }
      while let event = reader.next() {
        guard case .frame(let frame) = event else { continue }
        // After a format change, a different stream begins, which the waveform does not show.
        if configuration == nil {
          configuration = frame.header.audioSpecificConfig
          envelope = SoundEnvelope(frame.header.audioSpecificConfig)
        }
        for block in frame.blocks { envelope?.append(Array(frame.payload[block])) }
      }
    }
    return envelope?.levels(Self.levelCount)
  }

  private func loasLevels() throws(FileBytes.Failure) -> [UInt8]? {
    var reader = LATMReader()
    var envelope: SoundEnvelope?
    try readAll { bytes in
      if bytes.isEmpty { reader.finish() } else { reader.append(bytes) }
      while let event = reader.next() {
        guard case .frame(let frame) = event else { continue }
        if envelope == nil { envelope = SoundEnvelope(frame.configuration) }
        envelope?.append(frame.payload)
      }
    }
    return envelope?.levels(Self.levelCount)
  }

  // MARK: Samples

  private func sampleLevels() throws(FileBytes.Failure) -> [UInt8]? {
    guard let info = try SoundExaminer.sampleInfo(of: file) else { return nil }
    let start = Int(clamping: info.dataOffset)
    let rest = max(0, file.size - start)
    let byteCount = min(info.dataByteCount.map { Int(clamping: $0) } ?? rest, rest)
    let sampleCount = byteCount / info.format.bytesPerFrame * info.format.channelCount
    guard sampleCount > 0 else { return nil }
    var reader = PCMFrameReader(format: info.format, byteCount: UInt64(byteCount))
    var peaks = [Float](repeating: 0, count: Self.levelCount)
    var samples: [Float] = []
    var position = 0
    var offset = start
    while offset < start + byteCount {
      let bytes = try file.read(offset, min(SoundExaminer.blockSize, start + byteCount - offset))
      if bytes.isEmpty { break }
      offset += bytes.count
      samples.removeAll(keepingCapacity: true)
      reader.read(bytes.span, into: &samples)
      for sample in samples {
        let part = position * Self.levelCount / sampleCount
        position += 1
        if part < peaks.count, sample.magnitude > peaks[part] { peaks[part] = sample.magnitude }
      }
    }
    // With fewer samples than levels, repeat samples so that no level is empty.
    if sampleCount < Self.levelCount {
      for part in 1..<peaks.count where part * sampleCount % Self.levelCount >= sampleCount {
        peaks[part] = peaks[part - 1]
      }
    }
    return peaks.map { UInt8(min(255, $0 * 255 + 0.5)) }
  }
}
