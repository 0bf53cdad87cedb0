import AacornCodec
import Testing

@testable import AacornContainers
@testable import AacornInspection

/// The inspection of AAC in transport streams.
@Suite struct TransportStreamTests {
  private static let block = TestBlock(fillCount: 20).bytes

  @Test(arguments: [1, 188, 5_000, Int.max])
  func framesAreFoundInPackets(chunk: Int) throws {
    let frames = try adtsStream(Array(repeating: Self.block, count: 60))
    let file = transportStream(type: 0x0F, frames)
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
    file.removeSubrange(5 * 188..<6 * 188)
    let (report, _) = inspect(file)
    #expect(report.faultKinds.contains(.damage(.missingPackets)))
    #expect(report.frameCount > 50 && report.frameCount < 60)
  }

  @Test func soundOfAnotherKindIsNamed() throws {
    let file = transportStream(type: 0x03, [UInt8](repeating: 0, count: 2_000))
    let (report, rows) = inspect(file)
    #expect(rows.isEmpty && report.container == .transportStream)
    #expect(report.faultKinds == [.noStream(.unsupportedCodec(.streamType(3)))])
    let message = report.faults.first.map { String(decoding: $0.message, as: UTF8.self) }
    #expect(message == ["the audio is MPEG audio (MP2 or MP3), not AAC"])
  }
}

/// Returns a transport stream with a stream of this type in PID 0x100, and the program map of a
/// video in 0x101.
private func transportStream(type: UInt8, _ content: [UInt8]) -> [UInt8] {
  func section(_ content: [UInt8]) -> [UInt8] {
    let sum = SectionReader.checksum(content)
    var bytes: [UInt8] = [0]
    bytes += content
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: sum >> UInt32(shift))) }
    return bytes
  }
  let association: [UInt8] = [0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0]
  let map: [UInt8] = [
    2, 0xB0, 23, 0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0,
    0x1B, 0xE1, 1, 0xF0, 0, type, 0xE1, 0, 0xF0, 0,
  ]
  var packet: [UInt8] = [0, 0, 1, 0xC0, 0, 0, 0x80, 0, 0]
  packet += content
  var file = transportPacket(0, section(association), 0, startsUnit: true)
  file += transportPacket(0x1000, section(map), 0, startsUnit: true)
  for (number, start) in stride(from: 0, to: packet.count, by: 184).enumerated() {
    let payload = Array(packet[start...].prefix(184))
    file += transportPacket(0x100, payload, number, startsUnit: start == 0)
  }
  return file
}

/// Returns a packet that is padded by its adaptation field.
private func transportPacket(
  _ identifier: Int, _ payload: [UInt8], _ number: Int, startsUnit: Bool
) -> [UInt8] {
  let stuffing = 184 - payload.count
  var packet: [UInt8] = [
    0x47, (startsUnit ? 0x40 : 0) | UInt8(identifier >> 8), UInt8(identifier & 0xFF),
    (stuffing > 0 ? 0x30 : 0x10) | UInt8(number & 15),
  ]
  if stuffing > 0 { packet.append(UInt8(stuffing - 1)) }
  if stuffing > 1 { packet += [0] + [UInt8](repeating: 0xFF, count: stuffing - 2) }
  return packet + payload
}
