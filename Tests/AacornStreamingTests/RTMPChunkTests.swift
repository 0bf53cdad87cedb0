import TestSignals
import Testing

@testable import AacornStreaming

@Suite struct RTMPChunkTests {
  private func audio(_ time: UInt32, _ payload: [UInt8]) -> RTMPMessage {
    RTMPMessage(kind: .audio, streamID: 1, timestamp: time, payload: payload)
  }

  private func read(
    _ bytes: [UInt8], in pieces: Int = .max, by reader: inout RTMPChunkReader
  ) throws -> [RTMPMessage] {
    var messages: [RTMPMessage] = []
    var position = 0
    while position < bytes.count {
      let end = position + min(pieces, bytes.count - position)
      reader.append(Array(bytes[position..<end]))
      while let message = try reader.next() { messages.append(message) }
      position = end
    }
    return messages
  }

  private func read(_ bytes: [UInt8], in pieces: Int = .max) throws -> [RTMPMessage] {
    var reader = RTMPChunkReader()
    return try read(bytes, in: pieces, by: &reader)
  }

  @Test func theFirstMessageHasALongHeaderAndTheNextAShortOne() {
    var writer = RTMPChunkWriter()
    #expect(
      writer.bytes(of: audio(0, [0xAF, 0, 0x11, 0x90]), on: 4)
        == [4, 0, 0, 0, 0, 0, 4, 8, 1, 0, 0, 0, 0xAF, 0, 0x11, 0x90])
    #expect(
      writer.bytes(of: audio(21, [0xAF, 1, 7]), on: 4)
        == [0x44, 0, 0, 21, 0, 0, 3, 8, 0xAF, 1, 7])
    #expect(writer.bytes(of: audio(42, []), on: 4) == [0x44, 0, 0, 21, 0, 0, 0, 8])
  }

  @Test func aLongMessageIsCutAndTheSizeOfThePiecesCanBeSet() {
    var writer = RTMPChunkWriter()
    let payload = (0..<200).map { UInt8($0) }
    let long = writer.bytes(of: audio(0, payload), on: 4)
    #expect(long.count == 12 + 128 + 1 + 72)
    #expect(long[140] == 0xC4)
    #expect(
      writer.bytes(of: .control(.setChunkSize, 4096), on: 2)
        == [2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0x10, 0])
    #expect(writer.bytes(of: audio(21, payload), on: 4).count == 8 + 200)
  }

  @Test func timesAbove24BitsHaveFieldInEveryChunk() {
    var writer = RTMPChunkWriter()
    let bytes = writer.bytes(
      of: audio(0x0100_0000, [UInt8](repeating: 7, count: 129)), on: 4)
    #expect(
      bytes[..<16] == [4, 0xFF, 0xFF, 0xFF, 0, 0, 129, 8, 1, 0, 0, 0, 1, 0, 0, 0])
    #expect(bytes[(16 + 128)...] == [0xC4, 1, 0, 0, 0, 7])
    // The difference to the next timestamp is small and needs no extended field.
    #expect(writer.bytes(of: audio(0x0100_0015, [7]), on: 4) == [0x44, 0, 0, 21, 0, 0, 1, 8, 7])
    // Below the limit there is no extended field, at the limit there is one.
    var other = RTMPChunkWriter()
    #expect(other.bytes(of: audio(0xFF_FFFE, [7]), on: 4).count == 13)
    other = RTMPChunkWriter()
    #expect(other.bytes(of: audio(0xFF_FFFF, [7]), on: 4).count == 17)
  }

  @Test func timestampsSurviveExtensionAndWraparound() throws {
    var writer = RTMPChunkWriter()
    let times: [UInt32] = [
      0, 21, 0xFF_FFFE, 0xFF_FFFF, 0x0100_0000, 0x0100_0015, 0x7FFF_FFFF, 0x8000_0000,
      0xFFFF_FFF0, 5, 26, 3_600_000, 3_599_000,
    ]
    let messages = times.map { audio($0, [UInt8](repeating: UInt8($0 & 0x7F), count: 300)) }
    let bytes = messages.flatMap { writer.bytes(of: $0, on: 4) }
    #expect(try read(bytes) == messages)
    #expect(try read(bytes, in: 1) == messages)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func interleavedChunksAreReassembled(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    var chunker = RTMPTestChunker(seed: seed)
    var queues: [Int: [RTMPMessage]] = [:]
    for stream in [3, 4, 63, 64, 319, 320, 65_599].shuffled(using: &random).prefix(4) {
      var time = UInt32.random(in: 0...UInt32.max, using: &random)
      if Bool.random(using: &random) { time %= 10_000 }
      var step: UInt32 = 21
      var size = 100
      queues[stream] = (0..<30).map { _ in
        if UInt8.random(in: 0...3, using: &random) == 0 {
          step = [0, 21, 22, 1000, 0xFF_FFFF, 0x2000_0000].randomElement(using: &random) ?? 0
          size = Int.random(in: 0...700, using: &random)
        }
        time &+= step
        return RTMPMessage(
          kind: Bool.random(using: &random) ? .audio : .data, streamID: UInt32(stream),
          timestamp: time, payload: random.bytes(size))
      }
    }
    chunker.send(queues)
    let piece = Int.random(in: 1...400, using: &random)
    #expect(try read(chunker.bytes, in: piece) == chunker.order)
    #expect(chunker.order.count == 120)
    #expect(chunker.formatCounts.allSatisfy { $0 > 0 })
  }

  @Test func partialMessageIsDiscarded() throws {
    let long = audio(5, [UInt8](repeating: 1, count: 200))
    var writer = RTMPChunkWriter()
    let begun = writer.bytes(of: long, on: 4).prefix(12 + 128)
    var control = RTMPChunkWriter()
    let abort = control.bytes(of: .control(.abort, 4), on: 2)
    var fresh = RTMPChunkWriter()
    let next = audio(9, [1, 2, 3])
    #expect(try read(begun + abort + fresh.bytes(of: next, on: 4)) == [next])
  }

  @Test func invalidChunkThrows() {
    // A message of 16 MB; the continuation of an unknown message; chunk sizes of 0 and 2³¹.
    let long: [UInt8] = [4, 0, 0, 0, 0xFF, 0xFF, 0xFF, 8, 1, 0, 0, 0]
    #expect(throws: RTMPFault("a message is too long")) { try read(long) }
    #expect(
      throws: RTMPFault("a chunk continues a message that never began")
    ) { try read([0xC4, 0, 0]) }
    for size in [0, 0x8000_0000] as [UInt32] {
      var writer = RTMPChunkWriter()
      let bytes = writer.bytes(of: .control(.setChunkSize, size), on: 2)
      #expect(throws: RTMPFault.self) { try read(bytes) }
    }
    // A second message begins within the first one.
    var writer = RTMPChunkWriter()
    let begun = Array(
      writer.bytes(of: audio(5, [UInt8](repeating: 1, count: 200)), on: 4).prefix(140))
    #expect(throws: RTMPFault.self) { try read(begun + [4, 0, 0, 0, 0, 0, 1, 8, 1, 0, 0, 0, 7]) }
  }

  @Test func tooManyUnfinishedMessagesThrow() {
    var bytes: [UInt8] = []
    for stream in 64..<320 {
      bytes += [0, UInt8(stream - 64), 0, 0, 0, 1, 0, 0, 8, 1, 0, 0, 0]
      bytes += [UInt8](repeating: 0, count: 128)
    }
    #expect(throws: Never.self) { try read(bytes) }
    bytes += [1, 0, 9, 0, 0, 0, 1, 0, 0, 8, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 128)
    #expect(throws: RTMPFault("it starts more messages than it finishes")) { try read(bytes) }
  }
}
