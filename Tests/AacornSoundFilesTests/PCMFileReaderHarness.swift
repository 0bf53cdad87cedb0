import AacornSignal
import AacornSoundFiles
import Testing

struct HeaderBytes {
  var bytes: [UInt8] = []
  var isBigEndian = false

  mutating func text(_ text: String) { bytes += Array(text.utf8) }

  mutating func int(_ value: UInt64, size: Int) {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    bytes += isBigEndian ? little.reversed() : little
  }

  mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }
}

enum ReadOutcome: Equatable {
  case info(PCMFileInfo)
  case failure(PCMFileError)
}

/// The fields of a file; the defaults result in a simple one.
protocol FileFields {
  static var native: SampleFormat { get }

  init()
  var channels: UInt64 { get }
  var file: [UInt8] { get }
  var dataOffset: Int { get }
}

extension FileFields {
  /// Returns the expected result for a format and a number of sample bytes.
  func info(
    _ sampleFormat: SampleFormat = Self.native, byteCount: UInt64? = 8, sampleRate: Int = 44100,
    layout: ChannelLayout? = nil
  ) -> ReadOutcome {
    let format = PCMFormat(
      sampleFormat: sampleFormat, sampleRate: sampleRate, channelCount: Int(channels),
      layout: layout)
    return .info(
      PCMFileInfo(format: format, dataOffset: UInt64(dataOffset), dataByteCount: byteCount))
  }

  static func expectFailure(_ error: PCMFileError, _ change: (inout Self) -> Void) {
    var fields = Self()
    change(&fields)
    expectSame(fields.file, .failure(error))
  }
}

/// Reads the header of a file in memory, supplied in pieces of the given size.
func readHeader(_ file: [UInt8], pieces: Int = .max, canSeek: Bool = true) -> ReadOutcome {
  var reader = PCMFileReader(canSeek: canSeek)
  var start = 0
  do throws(PCMFileError) {
    while start < file.count {
      let end = start + min(pieces, file.count - start)
      switch try reader.push(file.span.extracting(start..<end)) {
      case .needMore: start = end
      case .seek(let offset):
        #expect(canSeek)
        guard offset < UInt64(file.count) else { return try finish(&reader) }
        start = Int(offset)
      case .ready(let info): return .info(info)
      }
    }
    return try finish(&reader)
  } catch {
    return .failure(error)
  }
}

private func finish(_ reader: inout PCMFileReader) throws(PCMFileError) -> ReadOutcome {
  guard case .ready(let info) = try reader.finish() else {
    Issue.record("finish has to answer ready or to throw")
    return .failure(.notRecognized)
  }
  return .info(info)
}

func readSamples(_ file: [UInt8], _ info: PCMFileInfo) -> [Float] {
  var reader = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
  var samples: [Float] = []
  guard info.dataOffset < UInt64(file.count) else { return [] }
  reader.read(file.span.extracting(Int(info.dataOffset)...), into: &samples)
  return samples
}

/// Expects the same result for every division of the file into pieces, and from a pipe.
func expectSame(_ file: [UInt8], _ expected: ReadOutcome, onPipe: ReadOutcome? = nil) {
  for pieces in [1, 2, 3, 7, 16, 64, .max] {
    #expect(readHeader(file, pieces: pieces) == expected, "pieces of \(pieces)")
    #expect(
      readHeader(file, pieces: pieces, canSeek: false) == onPipe ?? expected,
      "pipe, pieces of \(pieces)")
  }
}

/// Expects the samples of the data that the files of the tests have by default.
func expectDefaultSamples(_ file: [UInt8]) {
  guard case .info(let info) = readHeader(file) else {
    Issue.record("not readable")
    return
  }
  #expect(readSamples(file, info) == [0.5, -0.5, 0.25, -0.25])
}
