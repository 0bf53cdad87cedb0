import AacornCodec
import AacornContainers
import TestSignals
import Testing

@testable import AacornInspection

/// The repair of transport streams, whose frames become an ADTS or LATM stream.
@Suite struct TransportRepairTests {
  private static let lengths = [188, 192, 204]

  private let fixture: RepairFixture
  private let stream: [UInt8]
  private let offsets: [Int]
  private let packer: TransportPacker

  init() throws {
    fixture = try RepairFixture(unitCount: 60)
    (stream, offsets) = try fixture.adts()
    packer = .stream(type: 0x0F, Self.frames(stream, offsets))
  }

  private static func frames(_ stream: [UInt8], _ offsets: [Int]) -> [[UInt8]] {
    zip(offsets, offsets.dropFirst() + [stream.count]).map { Array(stream[$0..<$1]) }
  }

  private func bytes(_ packer: TransportPacker, _ length: Int) -> [UInt8] {
    length == 188 ? packer.bytes : length == 192 ? packer.timedBytes : packer.parityBytes
  }

  @Test(arguments: lengths)
  func intactStreamNeedsNoRepair(length: Int) {
    #expect(repair(bytes(packer, length)).isIntact)
  }

  @Test(arguments: lengths)
  func streamThatIsCutAnywhereKeepsItsWholeFrames(length: Int) throws {
    let whole = bytes(packer, length)
    for count in stride(from: 10 * length, to: whole.count, by: 3 * length + 17) {
      let cut = Array(whole[..<count])
      let outcome = repair(cut)
      if outcome.isIntact { continue }
      let plan = try #require(outcome.plan, "\(count)")
      let made = plan.made(from: cut)
      #expect(made.count > 0 && stream.starts(with: made))
      #expect(made.count == stream.count || offsets.contains(made.count))
      #expect(plan.container == .adts && plan.isFromTransportStream)
      #expect(plan.inPlace == nil && plan.tornJointCount == 0)
      #expect(plan.frameCount == offsets.count { $0 < made.count })
      #expect((1...3).contains(plan.losses.count) && errors(in: made).isEmpty)
    }
  }

  @Test(arguments: 0..<8)
  func lostPacketsCostOnlyTheirFrames(seed: Int) throws {
    var numbers = SeededNumbers(seed: seed)
    var packer = packer
    for _ in 0..<12 { packer.packets.remove(at: 2 + numbers.below(packer.packets.count - 2)) }
    let length = Self.lengths[seed % 3]
    let damaged = bytes(packer, length)
    let plan = try #require(repair(damaged).plan)
    let made = plan.made(from: damaged)
    let frames = Set(Self.frames(stream, offsets))
    var reader = ADTSReader()
    reader.append(made)
    reader.finish()
    var count = 0
    while let event = reader.next() {
      guard case .frame(let frame) = event else {
        Issue.record("\(event)")
        continue
      }
      let end = frame.offset + frame.header.frameLength
      #expect(frames.contains(Array(made[frame.offset..<end])))
      count += 1
    }
    #expect(count == plan.frameCount && count >= offsets.count - 2 * 12)
    #expect(errors(in: made).isEmpty && repair(made).isIntact)
  }

  @Test func bytesBetweenPacketsAreDropped() throws {
    let whole = packer.bytes
    let middle = packer.packets.count / 2 * 188
    let damaged = whole[..<middle] + [UInt8](repeating: 0x55, count: 1000) + whole[middle...]
    let plan = try #require(repair(Array(damaged)).plan)
    #expect(plan.made(from: Array(damaged)) == stream)
    #expect(plan.losses.byteCount == 1000)
  }

  @Test func framesOfLATMBecomeALATMStream() throws {
    let latm = try fixture.latm()
    var packer = TransportPacker()
    packer.putAssociation([(1, 0x1000)])
    packer.putMap(1, at: 0x1000, [(0x11, 0x100)])
    packer.putStream(0x100, latm)
    let damaged = Array(packer.bytes.dropLast(1000))
    let plan = try #require(repair(damaged).plan)
    #expect(plan.container == .loas && plan.isFromTransportStream)
    let made = plan.made(from: damaged)
    #expect(latm.starts(with: made) && errors(in: made).isEmpty)
    #expect(plan.frameCount > 50)
  }

  @Test func streamWithoutAACIsNamed() {
    let packer = TransportPacker.stream(type: 3, [[UInt8](repeating: 0, count: 2000)])
    #expect(repair(packer.bytes).error == .noStream(.unsupportedCodec(.streamType(3))))
  }
}
