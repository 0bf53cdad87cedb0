import Testing

@testable import AacornPlayback

@Suite struct PlaybackLedgerTests {
  private func part(
    _ programPosition: Double, _ index: Int, _ seconds: Double = 0
  ) -> PlaybackLedger.Part {
    let item = PlayedItem(
      index: index, item: PlaylistItem("\(index)"), sampleRate: 48_000, channelCount: 2,
      duration: .seconds(2), isAAC: false)
    return PlaybackLedger.Part(
      programPosition: programPosition, number: index + 1, startsItem: true, item: item,
      seconds: seconds)
  }

  @Test func placesGoThroughSpeedsAndBorders() throws {
    var ledger = PlaybackLedger(sampleRate: 1000)
    ledger.append(part(0, 0))
    ledger.append(part(1500, 1, 0.25))
    ledger.record(frame: 0, programPosition: 0, speed: 1)
    ledger.record(frame: 1000, programPosition: 1000, speed: 2)
    #expect(ledger.position(of: 500)?.seconds == 0.5)
    #expect(ledger.position(of: 1200)?.seconds == 1.4)
    #expect(ledger.position(of: 1200)?.part.item.index == 0)
    #expect(ledger.position(of: 1300)?.part.item.index == 1)
    #expect(ledger.position(of: 1300)?.seconds == 0.35)
    #expect(ledger.begun(by: 1249).count == 1)
    #expect(ledger.begun(by: 1250).count == 2)
    ledger.discardEntries(before: 1300)
    #expect(ledger.parts.count == 1 && ledger.pieces.map(\.frame) == [1000])
    #expect(ledger.position(of: 1300)?.seconds == 0.35)
  }

  /// A part begins with the first frame that is at most half a frame before its position.
  @Test func partsBeginAtTheNearestFrame() {
    var ledger = PlaybackLedger(sampleRate: 1000)
    ledger.append(part(0, 0))
    ledger.append(part(1.5, 1, 0.25))
    ledger.record(frame: 0, programPosition: 0, speed: 0.5)
    for (frame, count) in [(0, 1), (1, 1), (2, 2)] {
      #expect(ledger.begun(by: frame).count == count)
      #expect(ledger.position(of: frame)?.part.item.index == count - 1)
    }
    #expect(ledger.position(of: 2)?.seconds == 0.25)
    ledger.remove(2)
    #expect(ledger.parts.map(\.number) == [1])
  }

  @Test(arguments: [(100.49, 1.0, 1), (99.51, 1, 1), (100.5, 1, 2), (99.5, 1, 2), (100, 2, 2)])
  func roundingErrorsContinueAPiece(position: Double, speed: Double, count: Int) {
    var ledger = PlaybackLedger(sampleRate: 1000)
    ledger.record(frame: 0, programPosition: 0, speed: 1)
    ledger.record(frame: 100, programPosition: position, speed: speed)
    #expect(ledger.pieces.count == count)
  }

  @Test func entriesAreKeptUntilTheNextOneBegins() {
    var ledger = PlaybackLedger(sampleRate: 1000)
    ledger.append(part(0, 0))
    ledger.append(part(1500, 1))
    ledger.record(frame: 0, programPosition: 0, speed: 1)
    ledger.record(frame: 1000, programPosition: 1000, speed: 2)
    for (frame, pieceCount, partCount) in [(999, 2, 2), (1000, 1, 2), (1249, 1, 2), (1250, 1, 1)] {
      ledger.discardEntries(before: frame)
      #expect(ledger.pieces.count == pieceCount && ledger.parts.count == partCount)
    }
  }

  @Test func nothingIsBeyondTheEndOfAnItem() {
    var ledger = PlaybackLedger(sampleRate: 1000)
    #expect(ledger.position(of: 0)?.seconds == nil)
    ledger.append(part(0, 0))
    #expect(ledger.position(of: 0)?.seconds == 0)
    ledger.record(frame: 0, programPosition: 0, speed: 1)
    #expect(ledger.position(of: 9000)?.seconds == 2)
  }
}
