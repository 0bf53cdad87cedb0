import AacornCodec
import AacornContainers
import TestSignals
import Testing

@testable import AacornInspection

@Suite struct TransportStreamTests {
  private static let block = TestBlock(fillCount: 20).bytes

  @Test(arguments: [1, 188, 5_000, Int.max])
  func framesAreFoundInPackets(chunk: Int) throws {
    let frames = try adtsStream(Array(repeating: Self.block, count: 60))
    let file = transportStream(type: 0x0F, frames).bytes
    let (report, rows) = inspect(file, chunk: chunk)
    #expect(report.container == .transportStream)
    #expect(report.configuration == .testStream)
    #expect(report.frameCount == 60 && report.faults.count == 0)
    #expect(report.byteCount == Int64(file.count))
    let program = try #require(report.program)
    #expect(program.number == 1 && program.programCount == 1 && program.mapIdentifier == 0x1000)
    #expect(program.identifier == 0x100 && !program.isLOAS && program.packetByteCount == 188)
    #expect(program.streams.map(\.type) == [0x1B, 0x0F])
    #expect(program.streams.map(\.identifier) == [0x101, 0x100])
    // Each frame begins at its sync word.
    #expect(rows.count == 60)
    for row in rows { #expect(file[Int(row.offset)] == 0xFF) }
  }

  @Test func missingPacketsAreReported() throws {
    let frames = try adtsStream(Array(repeating: Self.block, count: 60))
    var file = transportStream(type: 0x0F, frames)
    file.packets.remove(at: 5)
    let (report, _) = inspect(file.bytes)
    #expect(report.faultKinds.contains(.damage(.missingPackets)))
    #expect(report.frameCount > 50 && report.frameCount < 60)
  }

  @Test func soundOfAnotherKindIsNamed() throws {
    let file = transportStream(type: 0x03, [UInt8](repeating: 0, count: 2_000)).bytes
    let (report, rows) = inspect(file)
    #expect(rows.isEmpty && report.container == .transportStream)
    #expect(report.faultKinds == [.noStream(.unsupportedCodec(.streamType(3)))])
    let message = report.faults.first.map { String(decoding: $0.message, as: UTF8.self) }
    #expect(message == ["the audio is MPEG audio (MP2 or MP3), not AAC"])
  }
}

/// Returns a transport stream with a stream of this type in PID 0x100, and the program map of a
/// video in 0x101.
private func transportStream(type: UInt8, _ content: [UInt8]) -> TransportPacker {
  var packer = TransportPacker()
  packer.putAssociation([(1, 0x1000)])
  packer.putMap(1, at: 0x1000, [(0x1B, 0x101), (type, 0x100)])
  packer.putStream(0x100, content)
  return packer
}
