import AacornSignal
import AacornSoundFiles
import Testing

/// Public functions do not trap: each is called with the minimum and the maximum of its arguments.
struct ExtremeArgumentTests {
  private static let counts = [Int.min, -1, 0, 1, 65, Int.max]
  private static let lengths: [UInt64?] = [nil, 0, 1, 1 << 31, 1 << 61, .max]

  @Test(arguments: PCMFileWriter.Kind.allCases, PCMEncoding.allCases)
  func filesOfAnyFormAreWritten(kind: PCMFileWriter.Kind, encoding: PCMEncoding) throws {
    for rate in Self.counts {
      for count in Self.counts {
        for length in Self.lengths {
          var configuration = PCMFileWriter.Configuration(
            kind, encoding: encoding, sampleRate: rate, channelCount: count,
            layout: ChannelLayout.standard(channelCount: 6))
          configuration.frameCount = length
          var writer = PCMFileWriter(configuration)
          let form = writer.configuration
          #expect(form.sampleRate == min(max(rate, 1), 3_072_000))
          #expect(form.channelCount == min(max(count, 1), 64))
          var bytes = writer.header()
          let headerLength = bytes.count
          // One sample is not a whole frame of 64 channels.
          writer.append([Float](repeating: .nan, count: 64 + 1).span, to: &bytes)
          #expect(writer.frameCount == UInt64(65 / form.channelCount))
          let size = form.channelCount * encoding.byteCount * Int(writer.frameCount)
          #expect(bytes.count == headerLength + size)
          _ = writer.hasRoom(for: count)
          for patch in writer.finish(to: &bytes) { #expect(patch.offset < UInt64(bytes.count)) }
          if kind == .raw { continue }
          guard case .info(let info) = readHeader(bytes) else {
            Issue.record("not readable: \(kind), \(encoding), \(rate), \(count)")
            continue
          }
          #expect(info.format.channelCount == form.channelCount)
          #expect(info.format.sampleRate == form.sampleRate)
        }
      }
    }
  }

  @Test func sizesOfAnyFileAreFound() {
    for count in Self.counts {
      let format = PCMFormat(
        sampleFormat: SampleFormat(.int24BigEndian), sampleRate: count, channelCount: count)
      for length in Self.lengths {
        let info = PCMFileInfo(format: format, dataOffset: length ?? 44, dataByteCount: length)
        for code in ["RIFF", "RIFX", "RF64", "caff", "FORM"] {
          let head = Array(code.utf8) + [UInt8](repeating: .max, count: 40)
          #expect(PCMSizes(info, head: head, byteCount: .max) == nil)
          let sizes = PCMSizes(info, head: head, byteCount: 1 << 62)
          #expect(sizes.map { $0.end <= 1 << 62 } != false)
        }
      }
    }
  }

  @Test func aSoundThatDoesNotFitIsKnown() {
    let writer = PCMFileWriter(.init(.aiff, encoding: .int16, sampleRate: 48_000, channelCount: 1))
    #expect(writer.hasRoom(for: .min) && writer.hasRoom(for: 1 << 30))
    #expect(!writer.hasRoom(for: .max))
  }
}
