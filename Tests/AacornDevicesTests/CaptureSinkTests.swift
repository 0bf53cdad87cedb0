import AacornDevices
import AacornSystem
import SoundRigs
import TestSignals
import Testing

#if canImport(Glibc)
import Glibc
#endif

struct CaptureSinkTests {
  private func block(_ frameCount: Int, channels: Int = 1, lost: Int = 0) -> CaptureBlock {
    CaptureBlock(
      frameCount: frameCount, channelCount: channels, sampleRate: 48_000, time: 5,
      lostFrameCount: lost, lossCause: .serverHole)
  }

  @discardableResult
  private func write<Sample>(
    _ stored: [Sample], as format: CaptureSampleFormat, _ block: CaptureBlock, to sink: CaptureSink
  ) -> Bool {
    // An odd address, because devices need not align their samples.
    let bytes = unsafe [0] + stored.withUnsafeBytes { unsafe [UInt8]($0) }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe sink.write(block, UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), format)
    }
  }

  private func converted<Sample>(
    _ stored: [Sample], _ count: Int, _ format: CaptureSampleFormat
  ) -> [Float] {
    let sink = CaptureSink(sampleCapacity: 1024)
    var samples: [Float] = []
    #expect(write(stored, as: format, block(count), to: sink))
    #expect(sink.read(into: &samples, milliseconds: 0)?.frameCount == count)
    return samples
  }

  @Test func integersOf16BitsAreExact() {
    let stored: [Int16] = [0, 1, -1, 12_345, -12_345, .max, .min]
    #expect(converted(stored, stored.count, .int16) == stored.map { Float($0) / 32_768 })
  }

  @Test func integersOf24BitsAreExact() {
    let numbers: [Int32] = [0, 1, -1, 255, 256, -256, 1_234_567, -7_654_321, 8_388_607, -8_388_608]
    let stored = numbers.flatMap { number in
      let word = UInt32(bitPattern: number)
      return [UInt8(word & 255), UInt8(word >> 8 & 255), UInt8(word >> 16 & 255)]
    }
    #expect(converted(stored, numbers.count, .int24) == numbers.map { Float($0) / 8_388_608 })
  }

  @Test func integersOf32BitsAreTheNearestFloats() {
    let stored: [Int32] = [0, 256, -256, 1, 1_073_741_824, 123_456_789, .max, .min]
    let expected = stored.map { Float(Double($0) / 2_147_483_648) }
    #expect(converted(stored, stored.count, .int32) == expected)
  }

  @Test func floatsPassUnchanged() {
    let stored: [Float] = [0, -0.0, 1, -1, 1.5, -3, .leastNonzeroMagnitude, .infinity, 0.1]
    let result = converted(stored, stored.count, .float32)
    #expect(result.map(\.bitPattern) == stored.map(\.bitPattern))
  }

  @Test func eventsKeepTheirOrderAmongSamples() throws {
    let sink = CaptureSink(sampleCapacity: 64)
    write([1] as [Int16], as: .int16, block(1), to: sink)
    sink.notify(.deviceLost, time: 7)
    write([2, 3] as [Int16], as: .int16, block(2), to: sink)
    var samples: [Float] = []
    let first = try #require(sink.read(into: &samples, milliseconds: 0))
    #expect(first.event == nil && samples.count == 1)
    let event = sink.read(into: &samples, milliseconds: 0)
    #expect(event?.event == .deviceLost && event?.time == 7 && event?.frameCount == 0)
    #expect(sink.read(into: &samples, milliseconds: 0)?.frameCount == 2)
    #expect(samples == [1, 2, 3].map { $0 / 32_768 })
    #expect(sink.read(into: &samples, milliseconds: 0) == nil)
  }

  @Test func blockWithoutRoomIsDroppedAndReportedWithTheNext() {
    let sink = CaptureSink(sampleCapacity: 64)
    func write(_ block: CaptureBlock) -> Bool {
      self.write([Float](repeating: 0.5, count: 64), as: .float32, block, to: sink)
    }
    var samples: [Float] = []
    #expect(write(block(30, channels: 2)))
    // Neither block fits; the loss that the first one reports counts as well.
    #expect(!write(block(3, channels: 2, lost: 11)))
    #expect(!write(block(5, channels: 2)))
    #expect(sink.read(into: &samples, milliseconds: 0)?.lostFrameCount == 0)
    #expect(samples.count == 60)
    #expect(write(block(32, channels: 2, lost: 2)))
    let second = sink.read(into: &samples, milliseconds: 0)
    #expect(second?.lostFrameCount == 3 + 11 + 5 + 2 && second?.lossCause == .programLate)
    #expect(samples.count == 60 + 64)
    #expect(write(block(1)))
    #expect(sink.read(into: &samples, milliseconds: 0)?.lostFrameCount == 0)
  }

  @Test func tooManyBlocksAreDroppedToo() {
    let sink = CaptureSink(sampleCapacity: 4096)
    let written = (0..<4096).count { _ in write([1] as [Int16], as: .int16, block(1), to: sink) }
    #expect(written == 256)
    #expect(!sink.notify(.ended, time: 0))
    var samples: [Float] = []
    while sink.read(into: &samples, milliseconds: 0) != nil {}
    #expect(samples.count == 256)
    write([1] as [Int16], as: .int16, block(1), to: sink)
    #expect(sink.read(into: &samples, milliseconds: 0)?.lostFrameCount == 4096 - 256)
  }

  @Test func betweenTwoThreadsEveryFrameArrivesOrIsCounted() throws {
    let sink = CaptureSink(sampleCapacity: 3000)
    let total = 400_000
    let isRead = Semaphore()
    // The reader starts after a block was dropped, so that the ring overflows on every machine.
    let isFull = Semaphore()
    // In 24 bits, frame n of both channels is n and −n.
    let writer = try #require(
      WorkerThread("test") {
        var frame = 0
        var numbers = SeededNumbers(seed: 1)
        var bytes: [UInt8] = []
        var wasFull = false
        while frame < total {
          // The last block waits for an empty ring, so that it reports all previous loss.
          var count = min(.random(in: 1...256, using: &numbers), total - 1 - frame)
          if frame == total - 1 {
            count = 1
            sink.notify(.suspended, time: 0)
            _ = isRead.wait(milliseconds: TestTimeout.milliseconds)
          }
          bytes.removeAll(keepingCapacity: true)
          for number in frame..<frame + count {
            for word in [number, -number] {
              bytes += [0, 8, 16].map { UInt8(truncatingIfNeeded: word >> $0) }
            }
          }
          unsafe bytes.withUnsafeBytes { bytes in
            let isWritten = unsafe sink.write(
              CaptureBlock(
                frameCount: count, channelCount: 2, sampleRate: 48_000, time: Int64(frame)),
              bytes, .int24)
            if !isWritten && !wasFull {
              wasFull = true
              isFull.signal()
            }
          }
          frame += count
        }
      })
    #expect(isFull.wait(milliseconds: TestTimeout.milliseconds))
    var frame = 0
    var lost = 0
    while frame < total {
      var samples: [Float] = []
      guard let block = sink.read(into: &samples, milliseconds: TestTimeout.milliseconds)
      else { break }
      // The event itself may be dropped, but the writer waits in any case.
      if block.event == .suspended || block.time == total - 1 { isRead.signal() }
      if block.event != nil { continue }
      lost += block.lostFrameCount
      frame += block.lostFrameCount
      #expect(block.time == Int64(frame))
      let isExact = (0..<block.frameCount).allSatisfy {
        samples[2 * $0] == Float(frame + $0) * 0x1p-23
          && samples[2 * $0 + 1] == -Float(frame + $0) * 0x1p-23
      }
      #expect(isExact && samples.count == 2 * block.frameCount)
      frame += block.frameCount
    }
    writer.join()
    #expect(frame == total)
    #expect(lost > 0)
  }

  @Test func blockWithTooFewBytesIsDroppedAndCounted() {
    let sink = CaptureSink(sampleCapacity: 64)
    let stored = [Int16](repeating: 0x4000, count: 6)
    #expect(!write(stored, as: .int16, block(4, channels: 2), to: sink))
    #expect(!write(stored, as: .int24, block(5), to: sink))
    #expect(write(stored, as: .int16, block(3, channels: 2), to: sink))
    var samples: [Float] = []
    let read = sink.read(into: &samples, milliseconds: 0)
    #expect(read?.lostFrameCount == 9 && read?.lossCause == .programLate)
    #expect(samples == [Float](repeating: 0.5, count: 6))
  }

  @Test func notificationWakesWaitingReader() throws {
    let sink = CaptureSink(sampleCapacity: 64)
    var samples: [Float] = []
    #expect(sink.read(into: &samples, milliseconds: 1) == nil)
    let thread = try #require(WorkerThread("test") { sink.notify(.resumed, time: 1) })
    #expect(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds)?.event == .resumed)
    thread.join()
  }

  #if canImport(Glibc) && arch(x86_64)
  /// In a separate process, because threads of other tests allocate from the same heap.
  @Test func writingDoesNotAllocate() async {
    await #expect(processExitsWith: .success) { try CaptureSinkTests.writeUntilQuiet() }
  }

  private static func writeUntilQuiet() throws {
    _ = try #require(allocatedByteCount())
    let sink = CaptureSink(sampleCapacity: 1 << 16)
    var samples: [Float] = []
    samples.reserveCapacity(1 << 17)
    let stored = [Float](repeating: 0.5, count: 64)
    let block = CaptureSinkTests().block(32, channels: 2)
    // The test library's threads may allocate occasionally; an allocation in each write would show
    // in every round.
    var growths: [Int] = []
    for _ in 0..<20 {
      samples.removeAll(keepingCapacity: true)
      unsafe stored.withUnsafeBytes { bytes in
        let before = allocatedByteCount() ?? 0
        for index in 0..<1500 {
          let format: CaptureSampleFormat = [.int16, .int24, .int32, .float32][index & 3]
          unsafe sink.write(block, bytes, format)
          sink.notify(.resumed, time: 0)
        }
        growths.append((allocatedByteCount() ?? 0) - before)
      }
      while sink.read(into: &samples, milliseconds: 0) != nil {
        samples.removeAll(keepingCapacity: true)
      }
    }
    #expect(growths.contains(0), "\(growths)")
  }

  /// Returns the number of bytes allocated by the C library.
  private static func allocatedByteCount() -> Int? {
    // Swift's module of the C library lacks mallinfo2. It returns ten words. On x86-64 the caller
    // passes a pointer to them as a hidden first argument.
    typealias Mallinfo2 =
      @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int>
    guard let symbol = unsafe dlsym(nil, "mallinfo2") else { return nil }
    let mallinfo2 = unsafe unsafeBitCast(symbol, to: Mallinfo2.self)
    return unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 10) { words in
      guard let start = words.baseAddress else { return nil }
      // The eighth word is `uordblks`.
      return unsafe mallinfo2(start)[7]
    }
  }
  #endif
}
