import AacornDevices
import AacornRecording
import AacornSystem
import Glibc
import SimulatedApple
import Testing

/// Advances simulated time with real time during each test, because a recording uses the real clock
/// to detect gaps.
struct RealTime: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let (isStopped, ended) = (Guarded(false), Guarded(false))
    let start = System.seconds - SimulatedTime.seconds
    let begins = System.startThread("test") {
      while !isStopped.change({ $0 }) {
        // After a pause of the machine, all blocks that are due follow immediately.
        while SimulatedTime.seconds < System.seconds - start { SimulatedUnits.step() }
        System.sleep(milliseconds: 2)
      }
      ended.change { $0 = true }
    }
    precondition(begins)
    defer {
      isStopped.change { $0 = true }
      _ = eventually { ended.change { $0 } }
    }
    try await function()
  }
}

/// Records until the recording ends.
func record(
  with recorder: Recorder, _ handle: (RecorderEvent) async -> Void = { _ in }
) async throws -> RecordingSummary {
  try await recorder.start()
  for await event in recorder.events { await handle(event) }
  return await recorder.end()
}

/// A recording as samples, for comparison with the input of microphones.
enum RecordedSamples {
  /// The configuration of the recording.
  static var configuration: RecordingConfiguration {
    RecordingConfiguration(sampleRate: 48_000, channelCount: 1, coding: .int16)
  }

  /// Returns all samples of a recording until its end, interleaved.
  static func all(of recorder: Recorder) async -> [Int16] {
    var samples: [Int16] = []
    for await packet in recorder.packets {
      for index in stride(from: 0, to: packet.bytes.count - 1, by: 2) {
        samples.append(
          Int16(truncatingIfNeeded: Int(packet.bytes[index]) | Int(packet.bytes[index + 1]) << 8))
      }
    }
    return samples
  }

  /// Expects a number of counter sequences, and otherwise only the silence of the summary.
  static func expect(
    _ count: Int, in summary: RecordingSummary, of recorder: Recorder,
    _ location: SourceLocation = #_sourceLocation
  ) async {
    let lengths = stretches(await all(of: recorder))
    #expect(summary.failure == nil, sourceLocation: location)
    #expect(lengths.count == count, sourceLocation: location)
    #expect(
      lengths.reduce(0, +) + summary.filledSampleCount == summary.sampleCount,
      sourceLocation: location)
  }

  /// Returns the lengths of the consecutive counter sequences, without silence.
  static func stretches(_ samples: [Int16]) -> [Int] {
    var lengths: [Int] = []
    var length = 0
    for (index, sample) in samples.enumerated() {
      let isNext = index > 0 && sample == samples[index - 1] &+ 7
      if isNext { length += 1 }
      if !isNext || index == samples.count - 1 {
        if length > 0 { lengths.append(length + 1) }
        length = 0
      }
    }
    return lengths
  }
}

/// The path of a temporary file, which is deleted with this value.
struct TemporaryFile: ~Copyable {
  let path: String

  init(_ suffix: String) {
    path = "/tmp/aacorn-recording-\(getpid()).\(suffix)"
    _ = unsafe unlink(path)
  }

  deinit {
    _ = unsafe unlink(path)
  }

  /// The content, at most one megabyte; empty if the file does not exist.
  var bytes: [UInt8] {
    guard let file = unsafe fopen(path, "rb") else { return [] }
    defer { _ = unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
