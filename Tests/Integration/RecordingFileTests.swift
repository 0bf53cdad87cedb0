import AacornCodec
import AacornContainers
import AacornInspection
import AacornSignal
import AacornSoundFiles
import Foundation
import TestSignals
import Testing

/// Complete and truncated recordings, played by other programs.
@Suite struct RecordingFileTests {
  let folder = WorkFolder()
  let sound = Sound.music(frames: 100_000, rate: 48_000, channels: 2)
  let units: [AccessUnit]
  let trim: StreamTrim
  let stream: AudioSpecificConfig

  init() throws {
    (units, trim, stream) = try sound.coded(.init(sampleRate: 48_000, channelCount: 2))
  }

  /// A recording of all units, with a gap entry after every tenth frame.
  private func record(reserve: Int = 16_384) throws -> (MP4RecordingWriter, [UInt8]) {
    var configuration = MP4RecordingWriter.Configuration(stream: stream)
    configuration.timing.priming = trim.priming
    configuration.timing.nominalBitrate = 128_000
    configuration.started = "2026-11-20T10:00:00.123Z"
    configuration.reservedByteCount = reserve
    configuration.tags.title = "A recording"
    var writer = try MP4RecordingWriter(configuration: configuration)
    var file = writer.start()
    for (index, unit) in units.enumerated() {
      try writer.append(unit, to: &file)
      if index % 10 == 9 {
        let entry = #"{"position":\#(index * 1024),"length":480,"cause":"overrun"}"#
        try writer.append(gap: Array(entry.utf8), to: &file)
      }
    }
    return (writer, file)
  }

  private func finish(_ writer: MP4RecordingWriter, _ file: [UInt8]) throws -> [UInt8] {
    var writer = writer
    var file = file
    for write in try writer.finish(trim) { write.apply(to: &file) }
    return file
  }

  /// The same frames in a regular M4A file.
  private func ordinaryFile() throws -> [UInt8] {
    var configuration = MP4Writer.Configuration(stream: stream, layout: .moovAtEnd)
    configuration.timing.priming = trim.priming
    var writer = try MP4Writer(configuration: configuration)
    var file = writer.start()
    for unit in units { try writer.append(unit, to: &file) }
    for write in try writer.finish(trim) { write.apply(to: &file) }
    return file
  }

  @Test(arguments: [16_384, 0])
  func aCompleteRecordingPlaysLikeAnyOtherFile(reserve: Int) throws {
    let (writer, unfinished) = try record(reserve: reserve)
    try folder.write(finish(writer, unfinished), to: "a.m4a")
    try folder.write(ordinaryFile(), to: "b.m4a")
    let facts = try Decoders.probe("a.m4a", in: folder)
    #expect(facts["time_base"] == "1/48000")
    #expect(facts["duration_ts"] == "100000")
    #expect(facts["start_pts"] == "0")
    #expect(facts["nb_frames"] == "\(units.count)")
    let decoded = try Decoders.ffmpeg("a.m4a", channels: 2, in: folder)
    let others = try Decoders.ffmpeg("b.m4a", channels: 2, in: folder)
    #expect(decoded.map(\.count) == others.map(\.count))
    let isSame = decoded == others
    #expect(isSame)
    #expect(Sound.lag(sound.channels[0], Array(decoded[0].prefix(100_000))) == 0)
  }

  @Test func anUnfinishedRecordingPlaysUpToItsLastFragment() throws {
    let (_, file) = try record()
    try folder.write(ordinaryFile(), to: "whole.m4a")
    let whole = try Decoders.ffmpeg("whole.m4a", channels: 2, in: folder)
    let reader = MP4Reader(file: file)
    #expect(reader.completeUnitCount > 80 && reader.completeUnitCount < units.count)
    let start = Int(try #require(reader.sample(at: 0)).offset)
    // The complete file, then truncations at arbitrary offsets. The shortest ones contain little
    // more than a fragment.
    for length in [file.count] + stride(from: file.count - 1, to: start + 6000, by: -3571) {
      try folder.write(file[..<length], to: "cut.m4a")
      let available = MP4Reader(file: Array(file[..<length])).trim?.sampleCount ?? 0
      let outcome = try Program.ffmpeg().run(
        ["-nostdin", "-v", "error", "-i", "cut.m4a", "-f", "f32le", "-c:a", "pcm_f32le", "-"],
        in: folder)
      #expect(outcome.status == 0, "\(length)")
      if length == file.count { #expect(outcome.errors.isEmpty) }
      let decoded = Sound.channels(ofFloats: outcome.output, count: 2)
      // ffmpeg also tries to decode the truncated frame, and may produce samples.
      let count = decoded[0].count
      let isCut = length < file.count
      #expect(isCut ? (available...available + 1024).contains(count) : count == available)
      let exact = isCut ? available - 1024 : available
      for channel in 0..<2 {
        let isSame = decoded[channel].prefix(exact) == whole[channel].prefix(exact)
        #expect(isSame, "\(length)")
      }
    }
  }

  /// The repair plan of a file, with hints for the sample rate and the priming.
  private func plan(_ file: [UInt8]) throws -> RepairPlan {
    let outcome = FileRepair.outcome(
      byteCount: UInt64(file.count), hints: RepairHints(sampleRate: 48_000, priming: 1024)
    ) { (offset, count) in Array(file[Int(offset)...].prefix(count)) }
    guard case .repairable(let plan) = outcome else {
      throw Program.Missing(description: "nothing to repair: \(outcome)")
    }
    return plan
  }

  /// Repairs a file in place and into a new file, and returns the audio that ffmpeg plays of each.
  private func repaired(_ file: [UInt8]) throws -> [[[Float]]] {
    let plan = try plan(file)
    var healed = file
    for write in try #require(plan.inPlace?.writes) { write.apply(to: &healed) }
    var new: [UInt8] = []
    for step in plan.newFile {
      switch step {
      case .bytes(let bytes): new += bytes
      case .copy(let range): new += file[Int(range.lowerBound)..<Int(range.upperBound)]
      case .patch(let write): write.apply(to: &new)
      }
    }
    try folder.write(healed, to: "healed.m4a")
    try folder.write(new, to: "new.m4a")
    for name in ["healed.m4a", "new.m4a"] {
      #expect(try Decoders.probe(name, in: folder)["nb_frames"] == "\(plan.frameCount)")
    }
    return try ["healed.m4a", "new.m4a"].map {
      try Decoders.ffmpeg($0, channels: 2, in: folder)
    }
  }

  /// A file from ffmpeg's own encoder, and its decoded audio.
  private func foreignFile(_ options: [String]) throws -> ([UInt8], [[Float]]) {
    try folder.write(sound.wav, to: "in.wav")
    let outcome = try Program.ffmpeg().run(
      ["-nostdin", "-v", "error", "-i", "in.wav", "-c:a", "aac", "-b:a", "160k"] + options
        + ["foreign.m4a"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return (
      try folder.read("foreign.m4a"),
      try Decoders.ffmpeg("foreign.m4a", channels: 2, in: folder)
    )
  }

  @Test func aRecordingThatWasKilledIsRepaired() throws {
    let (writer, file) = try record()
    try folder.write(finish(writer, file), to: "whole.m4a")
    let whole = try Decoders.ffmpeg("whole.m4a", channels: 2, in: folder)
    for length in [file.count, file.count - 1, file.count - 9999] {
      for decoded in try repaired(Array(file[..<length])) {
        #expect(decoded[0].count > 60_000)
        let isSame = decoded[0][...] == whole[0].prefix(decoded[0].count)
        #expect(isSame)
      }
    }
  }

  @Test func fragmentsOfOthersThatWereCutAreRepaired() throws {
    let (file, whole) = try foreignFile(
      ["-movflags", "empty_moov+delay_moov", "-frag_duration", "400000"])
    for length in stride(from: file.count - 500, to: file.count / 2, by: -7001) {
      for decoded in try repaired(Array(file[..<length])) {
        // ffmpeg does not trim the delay in its own fragmented files.
        let offset = whole[0].count >= 101_000 ? 1024 : 0
        #expect(decoded[0].count > 40_000)
        let isSame =
          decoded[0].prefix(40_000) == whole[0].dropFirst(offset).prefix(40_000)
        #expect(isSame, "\(length)")
      }
    }
  }

  @Test func aFileOfOthersWithoutItsTablesIsRepaired() throws {
    let (file, whole) = try foreignFile([])
    let movie = Int(try #require(MP4Reader(file: file).movieOffset))
    // While ffmpeg is writing, the size of the media data box is 0.
    let media = Int(try #require(MP4Reader(file: file).mediaOffset))
    for length in [movie, movie - 1, movie / 2] {
      var cut = Array(file[..<length])
      cut.replaceSubrange(media..<media + 4, with: [0, 0, 0, 0])
      for decoded in try repaired(cut) {
        let count = min(decoded[0].count, whole[0].count)
        #expect(count > 40_000)
        let isSame = decoded[0].prefix(count) == whole[0].prefix(count)
        #expect(isSame, "\(length)")
      }
    }
  }
}
