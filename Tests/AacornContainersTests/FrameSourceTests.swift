import AacornCodec
import TestSignals
import Testing

@testable import AacornContainers

/// The events of streams: frames, tags and skipped bytes.
@Suite struct FrameSourceTests {
  private static func events(_ file: [UInt8], pieceLength: Int) -> [FrameSource.Event] {
    var source = FrameSource()
    var events: [FrameSource.Event] = []
    for start in stride(from: 0, to: file.count, by: pieceLength) {
      source.append(Array(file[start..<min(start + pieceLength, file.count)]))
      while let event = source.next() { events.append(event) }
    }
    source.finish()
    while let event = source.next() { events.append(event) }
    return events
  }

  @Test(arguments: [1, 7, 1 << 16])
  func everyByteBelongsToOneEvent(pieceLength: Int) throws {
    let adts = try TransportStream.adts(sizes: CodedFileReaderTests.sizes).bytes
    let loas = try latmStream(
      mp4Mono, (0..<9).map { [UInt8](repeating: UInt8($0), count: 30 + 20 * $0) })
    let adif = hexBytes(try TransportVectors.load().adif)
    let (id3, id3v1) = (ADTSReaderTests.id3, ADTSReaderTests.id3v1)
    let garbage = [UInt8](repeating: 0x11, count: 50)
    for file in [id3 + adts + garbage + adts + id3v1, id3 + loas + garbage + loas, id3 + adif] {
      var end: UInt64 = 0
      for event in Self.events(file, pieceLength: pieceLength) where event.length > 0 {
        #expect(event.offset == end)
        end += UInt64(event.length)
      }
      #expect(end == UInt64(file.count))
    }
  }

  @Test func moviesRequireSeeking() {
    let events = Self.events(
      [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 400), pieceLength: 50)
    #expect(events.count == 1)
    guard case .failed(.requiresSeeking) = events.first?.content else {
      Issue.record("The source does not report the movie.")
      return
    }
  }
}
