import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Foundation
import SoundRigs
import Testing

@Suite struct AACFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @discardableResult
  private func writeWAV(
    _ name: String, frames: Int, channels: Int = 2, rate: Int = 44_100
  ) throws -> String {
    try folder.writeWAV(steps(frames * channels), to: name, rate: rate, channels: channels)
  }

  private func failure(
    from input: String, to output: String,
    _ configuration: AACFile.Configuration = AACFile.Configuration()
  ) async -> AACFileError? {
    await #expect(throws: AACFileError.self) {
      try await AACFile.encode(from: input, to: output, configuration: configuration)
    }
  }

  // MARK: - Output

  static let formats: [(suffix: String, format: CodedFileWriter.Format)] = [
    ("m4a", .m4a), ("aac", .adts()), ("latm", .latm),
  ]

  @Test(arguments: formats)
  func theBytesAreThoseOfTheCommand(suffix: String, format: CodedFileWriter.Format) async throws {
    // Two segments, encoded by several threads.
    let input = try writeWAV("a.wav", frames: 600_000)
    let output = folder.file("a." + suffix)
    let summary = try await AACFile.encode(
      from: input, to: output, configuration: AACFile.Configuration(threadCount: 3))
    var work = try EncodeWork(
      EncodeRequest(.file(input), to: folder.file("b"), format), interruption: Interruption())
    let expected = try work.run { _, _ in }
    #expect(summary == expected)
    let bytes = try folder.bytes("a." + suffix)
    #expect(try bytes == folder.bytes("b"))
    #expect(summary.byteCount == bytes.count)
    let report = try await AACFile.inspect(output)
    #expect(report.frameCount > 580 && report.faults.count == 0)
  }

  /// Each thread reads its own part of the file, and checks the samples that no other thread checks.
  @Test(arguments: [WAVWriter.Encoding.int16, .float32], [1, 2])
  func threadsReadTheSamplesOnce(encoding: WAVWriter.Encoding, channelCount: Int) async throws {
    var samples = [Float](repeating: 0, count: 1_700_000 * channelCount)
    for n in samples.indices { samples[n] = Float(n % 1013) * 0x1p-12 - Float(n % 17) * 0x1p-9 }
    for n in stride(from: 1000, to: samples.count, by: 9973) { samples[n] = .nan }
    let input = try folder.writeWAV(
      samples, to: "a.wav", channels: channelCount, encoding: encoding)
    var results: [(summary: AACFile.Summary, bytes: [UInt8])] = []
    for threads in [1, 3] {
      let output = "\(threads).aac"
      let summary = try await AACFile.encode(
        from: input, to: folder.file(output),
        configuration: AACFile.Configuration(threadCount: threads))
      results.append((summary, try folder.bytes(output)))
    }
    #expect(results[0].summary == results[1].summary)
    #expect(results[0].summary.warnings.isEmpty == (encoding != .float32))
    let isSame = results[0].bytes == results[1].bytes
    #expect(isSame)
  }

  /// Each format, also with bytes after the last frame.
  @Test(
    arguments: [
      (.unsigned8, 1), (.int24BigEndian, 2), (.int16LittleEndian, 6), (.float64LittleEndian, 1),
    ] as [(SampleFormat.Encoding, Int)])
  func threadsReadEveryFormat(encoding: SampleFormat.Encoding, channelCount: Int) throws {
    let format = PCMFormat(
      sampleFormat: SampleFormat(encoding), sampleRate: 44_100, channelCount: channelCount)
    var state: UInt32 = 7
    let bytes = (0..<1_200_000 * format.bytesPerFrame + 1).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let input = try folder.write(bytes, to: "a.raw")
    var results: [(summary: AACFile.Summary, bytes: [UInt8])] = []
    for threads in [1, 3] {
      let output = "\(threads).aac"
      var request = EncodeRequest(.file(input), to: folder.file(output), .adts())
      request.rawFormat = format
      request.options.threadCount = threads
      var work = try EncodeWork(request, interruption: Interruption())
      results.append((try work.run { _, _ in }, try folder.bytes(output)))
    }
    #expect(results[0].summary == results[1].summary)
    let isSame = results[0].bytes == results[1].bytes
    #expect(isSame)
  }

  @Test func theBytesAreThoseOfTheEncoder() async throws {
    let input = try writeWAV("a.wav", frames: 30_000)
    try await AACFile.encode(
      from: input, to: folder.file("a.aac"), configuration: AACFile.Configuration(bitrate: 96_000))
    var encoder = try AACEncoder(
      AACEncoder.Configuration(
        sampleRate: 44_100, channelCount: 2, rateControl: .constant(bitsPerSecond: 96_000)))
    encoder.encode(interleaved: steps(60_000).span)
    _ = encoder.finish()
    var writer = try ADTSWriter(configuration: encoder.audioSpecificConfig)
    var bytes: [UInt8] = []
    while let unit = encoder.nextAccessUnit() { try writer.append(unit, to: &bytes) }
    #expect(try folder.bytes("a.aac") == bytes)
  }

  @Test func summaryReportsEncodedFormat() async throws {
    let input = try writeWAV("a.wav", frames: 37_800, rate: 37_800)
    let summary = try await AACFile.encode(
      from: input, to: folder.file("a.m4a"), configuration: AACFile.Configuration(channelCount: 1))
    #expect(summary.sampleRate == 44_100 && summary.channelCount == 1)
    #expect(summary.sampleCount == 44_100 && summary.duration == .seconds(1))
    #expect(summary.bandwidth > 0 && summary.payloadByteCount < summary.byteCount)
    #expect(summary.warnings.count == 1 && summary.warnings.first?.contains("37.8 kHz") == true)
    #expect(AACFile.Configuration(bitrate: 64_000).rateControl == .constant(bitsPerSecond: 64_000))
  }

  @Test func invalidSamplesAreReported() async throws {
    let cases: [(values: [Float], words: String?)] = [
      // Loud, but possible.
      ([3.9, -3.9], nil), ([.nan], "”, 1 sample is not a number and became silence. Check "),
      ([.infinity, -1e30], "”, 2 samples are infinite or more than 12 dB above full scale. "),
      (
        [.nan, -.nan, -4.1],
        "”, 2 samples are not numbers and became silence, and 1 sample is infinite or more than "
      ),
    ]
    for (number, (values, words)) in cases.enumerated() {
      var samples = [Float](repeating: 0.1, count: 20_000)
      // The third value is in another block of the file.
      for (index, value) in values.enumerated() { samples[index * 8000 + 3000] = value }
      let input = try folder.writeWAV(samples, to: "\(number).wav", encoding: .float32)
      let summary = try await AACFile.encode(from: input, to: folder.file("\(number).m4a"))
      #expect(summary.warnings.count == (words == nil ? 0 : 1), "\(summary.warnings)")
      #expect(!summary.isDamaged)
      if let words { #expect(summary.warnings.first?.contains(words) == true) }
    }
  }

  @Test func tagsAreWrittenToM4AOnly() async throws {
    let input = try writeWAV("a.wav", frames: 3000)
    var configuration = AACFile.Configuration()
    configuration.tags.title = "Waves"
    let movie = try await AACFile.encode(
      from: input, to: folder.file("a.m4a"), configuration: configuration)
    #expect(movie.warnings.isEmpty)
    #expect(try Data(folder.bytes("a.m4a")).range(of: Data("Waves".utf8)) != nil)
    let stream = try await AACFile.encode(
      from: input, to: folder.file("a.aac"), configuration: configuration)
    #expect(stream.warnings.count == 1 && stream.warnings.first?.contains("tags") == true)
  }

  @Test func progressRisesToOne() async throws {
    let input = try writeWAV("a.wav", frames: 200_000)
    let values = Lock<[Double]>([])
    try await AACFile.encode(from: input, to: folder.file("a.m4a")) { value in
      values.withLock { $0.append(value) }
    }
    let steps = values.withLock { $0 }
    #expect(steps.count > 5 && steps == steps.sorted())
    #expect(steps.last == 1 && steps.dropLast().allSatisfy { $0 > 0 && $0 < 1 })
  }

  // MARK: - Errors

  @Test func anExistingFileIsReplacedOnlyOnRequest() async throws {
    let input = try writeWAV("a.wav", frames: 3000)
    let output = try folder.write([1], to: "a.m4a")
    let error = await failure(from: input, to: output)
    #expect(
      error?.kind == .exists && error?.recoverySuggestion == .recoveryAction(.replaceOrRename))
    #expect(
      error?.message == "“\(output)” already exists and was left alone. Allow it to be replaced, "
        + "or choose another name.")
    #expect(try folder.bytes("a.m4a") == [1])
    let replacing = AACFile.Configuration(replacesExisting: true)
    try await AACFile.encode(from: input, to: output, configuration: replacing)
    #expect(try folder.bytes("a.m4a").count > 100)
    #expect(folder.names == ["a.m4a", "a.wav"])
  }

  @Test func theInputIsNeverReplaced() async throws {
    let input = try writeWAV("a.m4a", frames: 3000)
    let bytes = try folder.bytes("a.m4a")
    let replacing = AACFile.Configuration(replacesExisting: true)
    let error = await failure(from: input, to: folder.path + "/./a.m4a", replacing)
    #expect(error?.kind == .exists && error?.problem.contains("is an input") == true)
    #expect(try folder.bytes("a.m4a") == bytes)
  }

  @Test func unencodableInputThrowsSpecificError() async throws {
    let output = folder.file("x.m4a")
    let text = try folder.write(Array("no sound at all".utf8), to: "text.wav")
    #expect(await failure(from: text, to: output)?.kind == .badInput)
    let video = try folder.write([0x1A, 0x45, 0xDF, 0xA3, 1, 0, 0, 0], to: "video.wav")
    let foreign = await failure(from: video, to: output)
    #expect(foreign?.kind == .unsupported)
    #expect(
      foreign?.message
        == "“\(video)” is a Matroska or WebM file. WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64, "
        + "AU and AAC can be encoded. Convert it to WAV first.")
    let nothing = try folder.write([], to: "nothing.wav")
    #expect(await failure(from: nothing, to: output)?.problem.hasSuffix("is empty.") == true)
    let silent = try writeWAV("silent.wav", frames: 0)
    #expect(await failure(from: silent, to: output)?.kind == .badInput)
    let seven = try writeWAV("seven.wav", frames: 3000, channels: 7)
    #expect(await failure(from: seven, to: output)?.recoverySuggestion == .mixChannels(to: 2))
    #expect(await failure(from: folder.file("none.wav"), to: output)?.kind == .cannotRead)
    #expect(await failure(from: folder.path, to: output)?.kind == .cannotRead)
    #expect(!folder.names.contains { $0.hasPrefix("x") || $0.hasPrefix(".") })
  }

  @Test func unwritableOutputThrowsSpecificError() async throws {
    let input = try writeWAV("a.wav", frames: 3000)
    let unknown = await failure(from: input, to: folder.file("a.mp3"))
    #expect(unknown?.kind == .unsupported)
    #expect(unknown?.message.contains(".m4a, .mp4, .m4b, .m4r, .aac, .adts, ") == true)
    let missingFolderError = await failure(from: input, to: folder.file("no/a.m4a"))
    #expect(missingFolderError?.kind == .cannotWrite)
    #expect(missingFolderError?.problem.hasSuffix("no/a.m4a”: its folder does not exist.") == true)
    let dense = AACFile.Configuration(bitrate: 5_000_000)
    let bitrateError = await failure(from: input, to: folder.file("a.m4a"), dense)
    #expect(bitrateError?.kind == .unsupported)
    #expect(bitrateError?.problem.hasSuffix("a bitrate of 5000 kb/s is out of range.") == true)
    #expect(folder.names == ["a.wav"])
  }

  @Test func aTaskThatIsCanceledLeavesNothing() async throws {
    let input = try writeWAV("a.wav", frames: 400_000)
    let holder = Lock<Task<AACFileError?, Never>?>(nil)
    let sawTemporary = Lock(false)
    let (folder, output) = (folder, folder.file("a.m4a"))
    let task = Task<AACFileError?, Never> {
      await #expect(throws: AACFileError.self) {
        try await AACFile.encode(from: input, to: output) { _ in
          #expect(eventually { holder.withLock { $0 != nil } })
          if folder.names.contains(where: { $0.hasSuffix(".tmp") }) {
            sawTemporary.withLock { $0 = true }
          }
          holder.withLock { $0?.cancel() }
        }
      }
    }
    holder.withLock { $0 = task }
    let error = await task.value
    #expect(error?.kind == .interrupted)
    #expect(sawTemporary.withLock { $0 })
    #expect(folder.names == ["a.wav"])
  }

  @Test func generalAdviceNamesNoOption() {
    let advices: [AACFileError.RecoverySuggestion] = [
      .mixChannels(to: 2), .chooseChannelCount([1, 2]), .chooseRate([8000]), .chooseQuality(1...5),
      .openFewerFiles, .giveFormatOfSamples, .passAsFile(because: "is one"), .giveMissingFormat,
      .makeReadable("Convert it."), .convert, .encode, .inspectAAC, .decodeAAC, .decodeElsewhere,
      .spliceAAC, .repair, .chooseLongFormat,
    ]
    for advice in advices
      + OutputError.RecoveryAction.allCases.map(AACFileError.RecoverySuggestion.recoveryAction)
    {
      let words = advice.description
      #expect(words.hasSuffix(".") && !words.contains("--") && !words.contains("aacorn"))
    }
    #expect(
      AACFileError.RecoverySuggestion.chooseChannelCount([1, 2]).description
        == "Choose 1 or 2 channels.")
    #expect(
      AACFileError.RecoverySuggestion.chooseRate([8000, 16_000]).description.hasSuffix(
        ": 8000, 16000."))
    #expect("\(AACFileError(.busy, "It is busy."))" == "It is busy.")
  }

  // MARK: - Inspection

  @Test func aTextHasAReportWithoutFrames() async throws {
    let path = try folder.write(Array("hello, world".utf8), to: "a.txt")
    let report = try await AACFile.inspect(path)
    #expect(report.frameCount == 0 && report.container == .unknown)
  }

  @Test func inspectionMeasuresAudioOnlyWhenDecoding() async throws {
    let output = folder.file("a.m4a")
    let input = try writeWAV("a.wav", frames: 30_000)
    try await AACFile.encode(from: input, to: output)
    #expect(try await AACFile.inspect(output).sound == nil)
    guard case .measured(let sound)? = try await AACFile.inspect(output, decodesSound: true).sound
    else {
      Issue.record("The file was not decoded.")
      return
    }
    #expect(sound.frameCount == 30_000 && sound.sampleRate == 44_100)
    #expect(sound.truePeak > 0 && sound.concealedCount == 0)
  }

  @Test func inspectionOfUnsupportedFileThrowsSpecificError() async throws {
    func inspectionError(_ path: String) async -> AACFileError? {
      await #expect(throws: AACFileError.self) { try await AACFile.inspect(path) }
    }
    #expect(await inspectionError(folder.file("none.m4a"))?.kind == .cannotRead)
    #expect(
      await inspectionError(folder.path)?.message.hasSuffix("it is a folder. Name a file.") == true)
    #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(await inspectionError(folder.file("pipe"))?.kind == .unsupported)
    let wav = try writeWAV("a.wav", frames: 3000)
    let sound = await inspectionError(wav)
    #expect(sound?.kind == .unsupported && sound?.recoverySuggestion == .encode)
    #expect(
      sound?.problem
        == "“\(wav)” is a WAV file with PCM audio (44.1 kHz, 2 channels) and without AAC.")
  }
}
