import AacornSystem
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// The limit for data that a server sends.
@Suite struct InboundByteBudgetTests {
  private static let second: Int64 = 1_000_000_000

  /// Returns whether each piece, received at a time in nanoseconds, is allowed.
  private func outcomes(_ pieces: [(count: Int, time: Int64)]) -> [Bool] {
    var allowance = InboundByteBudget()
    return pieces.map { allowance.take($0.count, at: $0.time) }
  }

  private let burst = InboundByteBudget.burst

  @Test func aMomentHasABurstAndNoByteMore() {
    #expect(outcomes([(burst - 1, 5), (1, 5), (1, 5)]) == [true, true, false])
  }

  @Test func aLittleMayComeForEver() {
    let pieces = (0..<100_000).map { (InboundByteBudget.bytesPerSecond, Int64($0) * Self.second) }
    #expect(outcomes(pieces).allSatisfy { $0 })
  }

  @Test func doubleRateExceedsBudget() {
    let pieces = (0..<100).map { (InboundByteBudget.bytesPerSecond * 2, Int64($0) * Self.second) }
    let count = outcomes(pieces).prefix { $0 }.count
    #expect(count == burst / InboundByteBudget.bytesPerSecond - 1)
  }

  @Test func silenceSavesNoMoreThanABurst() {
    #expect(outcomes([(burst, 0), (burst, .max), (1, .max)]) == [true, true, false])
  }

  @Test func stalledClockYieldsNoFrames() {
    #expect(outcomes([(burst, 100), (1, 50)]) == [true, false])
  }

  @Test func aTransportClosesWhereMoreCome() throws {
    let server = MockServer()
    server.answers = [[UInt8]](repeating: [UInt8](repeating: 1, count: 16_384), count: 1000)
    var transport = MeteredTransport(
      server.factory(StopSignal()), to: "test://h/live", stallTimeout: .seconds(1), count: { _ in })
    var count = 0
    func readAll() throws(NetworkError) {
      try transport.connect(to: NetworkEndpoint(host: "h", port: 1), within: .seconds(1))
      var bytes: [UInt8] = []
      while try transport.receive(into: &bytes, within: .seconds(1)) { count += 1 }
    }
    // Each connection has its own allowance.
    for number in 0..<2 {
      count = 0
      let error = #expect(throws: NetworkError.self) { try readAll() }
      #expect(error == .flooding("test://h/live"))
      #expect(error?.isPermanent == false)
      #expect(count >= InboundByteBudget.burst / 16_384)
      #expect(server.connections[number].isClosed)
    }
  }
}
