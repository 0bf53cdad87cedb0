import AacornContainers
import AacornRecording
import AacornSignal
import AacornSoundFiles

func fuzzMP4(_ bytes: [UInt8]) {
  let reader = MP4Reader(file: bytes)
  _ = reader.trim
  _ = reader.hasBackwardEdits
  _ = reader.isMovieFirst
  var tags = reader.tags
  tags.setLoudness(MP4Loudness(integrated: -16, truePeak: -1))
  require(tags.loudness?.integrated == -16, "the loudness is not what was stated last")
  require(reader.completeUnitCount <= reader.unitCount, "more complete units than units")
  if let cover = reader.coverImage {
    require(cover.upperBound <= UInt64(bytes.count), "the cover is outside the file")
  }
  // A table may claim millions of equal samples: check the first, the last and some between.
  let step = max(1, reader.unitCount / 1000)
  for index in stride(from: 0, to: reader.unitCount, by: step) {
    guard let sample = reader.sample(at: index) else {
      require(index >= reader.unitCount, "sample \(index) is missing")
      continue
    }
    if index < reader.completeUnitCount {
      let (end, overflow) = sample.offset.addingReportingOverflow(UInt64(sample.byteCount))
      require(
        !overflow && end <= UInt64(bytes.count),
        "sample \(index) of \(reader.completeUnitCount) complete ones is outside the file: "
          + "\(sample)")
    }
  }
  require(reader.sample(at: reader.unitCount) == nil, "a sample beyond the last")
  require(reader.sample(at: -1) == nil, "a sample before the first")

  // A file that is shorter than its announced length.
  var shorter = MP4Reader(byteCount: UInt64(bytes.count) * 2 + 1000)
  while case .need(let offset, let count) = shorter.step() {
    let start = min(offset, UInt64(bytes.count))
    shorter.supply(Array(bytes[Int(start)...].prefix(count)))
  }
}

func fuzzPCMFile(_ bytes: [UInt8]) {
  let kind = FileKind(prefix: bytes.span)
  let prefix = Array(bytes.prefix(FileKind.longPrefixCount))
  require(
    kind == FileKind(prefix: prefix.span), "the kind depends on more than the prefix")
  let whole = readHeader(of: bytes, inPieces: false, canSeek: true)
  require(
    whole == readHeader(of: bytes, inPieces: true, canSeek: true), "the info depends on the pieces")
  let piped = readHeader(of: bytes, inPieces: false, canSeek: false)
  require(
    piped == readHeader(of: bytes, inPieces: true, canSeek: false), "the info depends on the pieces"
  )
  if let whole { readSamples(of: bytes, whole) }
  scanFrames(of: bytes)
}

/// Tags must not be much larger than their file, for any sizes in the file, and take time in
/// proportion to it.
///
/// The bytes are also the choices for a file with many tags.
func fuzzTags(_ bytes: [UInt8]) {
  readTags(of: bytes)
  // Files with many tags take a hundred times longer, and few bytes make all choices.
  guard bytes.count <= RepeatedTags.choiceCount else { return }
  var input = FuzzInput(bytes)
  readTags(of: RepeatedTags(&input).make())
}

private func readTags(of bytes: [UInt8]) {
  TimeBudget.run(bytes.count) {
    var reader = SoundTagReader<Never>(byteCount: bytes.count) { offset, count in
      require(offset >= 0 && count >= 0, "\(count) bytes read at \(offset)")
      // An Ogg page is the longest part with a size that is not compared with the file.
      require(count <= bytes.count + (1 << 16), "\(count) bytes read of \(bytes.count)")
      return Array(bytes[min(offset, bytes.count)...].prefix(count))
    }
    var tags = MP4Tags(reader.readTags())
    require(tags.coverImage.count <= bytes.count, "the cover is longer than the file")
    let byteCount = tags.otherItems.reduce(0) { $0 + $1.count }
    require(byteCount <= 64 * bytes.count, "\(byteCount) bytes of tags in \(bytes.count) bytes")
    tags.fill(fromItems: bytes)
  }
}

/// Finds the frames of MPEG audio, which must be in the file and follow one another.
private func scanFrames(of bytes: [UInt8]) {
  var scanner = MPEGAudioScanner<Never>(byteCount: bytes.count) { offset, count in
    Array(bytes.dropFirst(offset).prefix(count))
  }
  guard let frames = scanner.frames() else { return }
  require(scanner.hasFrames(), "hasFrames contradicts frames")
  var end = 0
  for piece in frames.pieces {
    require(piece.lowerBound >= end && !piece.isEmpty, "the pieces overlap")
    end = piece.upperBound
  }
  require(end <= bytes.count && frames.duration > 0, "there are frames outside the file")
}

private func readHeader(of bytes: [UInt8], inPieces: Bool, canSeek: Bool) -> PCMFileInfo? {
  var reader = PCMFileReader(canSeek: canSeek)
  var random = FuzzRandom(bytes)
  var position = 0
  var seekCount = 0
  do throws(PCMFileError) {
    while position < bytes.count {
      let limit = inPieces ? 1 + random.below(40) : bytes.count
      let end = min(bytes.count, position + limit)
      switch try reader.push(bytes[position..<end].span) {
      case .needMore:
        position = end
      case .seek(let offset):
        require(canSeek, "a seek in a pipe")
        seekCount += 1
        require(seekCount <= bytes.count + 10, "the seeks do not end")
        position = Int(min(offset, UInt64(bytes.count)))
      case .ready(let info):
        return info
      }
    }
    guard case .ready(let info) = try reader.finish() else {
      require(false, "no result at the end of the file")
      return nil
    }
    return info
  } catch {
    return nil
  }
}

private func readSamples(of bytes: [UInt8], _ info: PCMFileInfo) {
  require((1...PCMFileReader.maximumChannelCount).contains(info.format.channelCount), "channels")
  require((1...PCMFileReader.maximumSampleRate).contains(info.format.sampleRate), "sampling rate")
  let data = Array(bytes[Int(min(info.dataOffset, UInt64(bytes.count)))...])

  var reader = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
  var samples: [Float] = []
  reader.read(data.span, into: &samples)
  require(samples.count % info.format.channelCount == 0, "part of a frame")

  var pieceReader = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
  var pieceSamples: [Float] = []
  for piece in pieces(of: data) { pieceReader.read(piece.span, into: &pieceSamples) }
  require(
    samples.map(\.bitPattern) == pieceSamples.map(\.bitPattern), "samples depend on the pieces")

  if let layout = info.format.layout, let mixer = try? ChannelMixer(from: layout, to: 2) {
    var mixed: [Float] = []
    mixer.mix(samples.span, into: &mixed)
    require(mixed.count == samples.count / info.format.channelCount * 2, "frames of the mix")
  }
}

func fuzzResampler(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  let rates = [1000, 8000, 11_025, 16_000, 44_100, 47_999, 48_000, 96_000, 192_000, 768_000]
  let from = input.flag() ? rates[input.choice(rates.count)] : Int(input.word() % 800_000)
  let to = rates[input.choice(rates.count)]
  let channelCount = input.choice(10)
  guard var whole = try? Resampler(from: from, to: to, channelCount: channelCount),
    var inPieces = try? Resampler(from: from, to: to, channelCount: channelCount)
  else { return }
  var random = FuzzRandom(bytes)
  var samples: [Float] = []
  while !input.isEmpty && samples.count < 4000 {
    samples.append(
      random.below(4) == 0
        ? Float(bitPattern: input.word()) : Float(Int8(bitPattern: input.byte())) / 128)
  }
  samples.removeLast(samples.count % channelCount)

  var expected: [Float] = []
  whole.process(samples.span, into: &expected)
  whole.flush(into: &expected)
  var output: [Float] = []
  var start = 0
  while start < samples.count {
    let end = min(samples.count, start + channelCount * (1 + random.below(300)))
    inPieces.process(samples[start..<end].span, into: &output)
    start = end
  }
  inPieces.flush(into: &output)
  require(output.count == expected.count, "the length depends on the pieces")
  require(
    zip(output, expected).allSatisfy { $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN },
    "the samples depend on the pieces")
}
