import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// The command `aacorn encode`.
struct EncodeCommand: FileCommand {
  static let verb = "Encode"

  var inputs: [String] = []
  /// The duration of a test signal in milliseconds, to encode instead of a file.
  var toneMilliseconds: Int?
  var raw = RawInput()

  var output: String?
  var outputFolder: String?
  var format: OutputFormat?
  var replacesExisting = false

  var sound = EncodeOptions()
  /// The defaults of the audio options.
  var preset: AACEncoder.Preset?
  /// Whether the profile was given; otherwise the default applies.
  var choosesProfile = false
  var tags = TagSettings()
  /// Whether the tags of the inputs are discarded.
  var discardsTags = false
  var hasChecksum = false

  var jobCount: Int?
  var printsJSON = false
  var isQuiet = false

  /// The format of input without a header.
  struct RawInput: Equatable, Sendable {
    var formatName: String?
    var sampleRate: Int?
    var channelCount: Int?

    var isEmpty: Bool { self == RawInput() }
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try completed.encode(in: console)
  }

  private func encode(in console: Console) throws(UsageError) -> ExitStatus {
    try validate()
    try refuseOutputAmongInputs(console.interruption)
    let plan = try EncodePlan(self, in: console)
    let coverImage: [UInt8]
    do throws(CommandFailure) {
      coverImage = try loadCover(console.interruption)
    } catch {
      console.printError(error.commandMessage)
      return error.exitStatus
    }
    let queue = FileQueue(plan, of: self, console: console) {
      (item, threadCount, progress) throws(CommandFailure) in
      let start = System.seconds
      var request = EncodeRequest(
        item.source, to: item.output, item.format, of: self, coverImage: coverImage)
      request.threadCount = threadCount
      var work = try EncodeWork(
        request, interruption: console.interruption, progress: progress)
      let summary = try work.run(progress: progress)
      return EncodeReport(item: item, summary: summary, elapsed: System.seconds - start)
    }
    return queue.run()
  }

  func loadCover(_ interruption: Interruption) throws(CommandFailure) -> [UInt8] {
    guard let path = tags.coverPath else { return [] }
    let bytes = try InputFile(path, interruption: interruption).readAll(limit: MP4Tags.coverLimit)
    guard MP4Tags.isCover(bytes[...]) else {
      throw CommandFailure(
        .badInput, "The cover “\(displayed(path))” is neither JPEG nor PNG.",
        .text("Choose another picture."))
    }
    return bytes
  }

  /// Rejects contradictory options.
  func validate() throws(UsageError) {
    if inputs.isEmpty && toneMilliseconds == nil {
      throw UsageError(
        "There is nothing to encode.", hint: "Name a file or a folder, or - for standard input.")
    }
    if !inputs.isEmpty && toneMilliseconds != nil {
      throw UsageError("The option --tone replaces input files.")
    }
    try checkFiles()
    if raw.formatName == nil && !raw.isEmpty {
      throw UsageError(
        "The options --raw-rate and --raw-channels need --raw-format.",
        hint: "Try --raw-format s16le.")
    }
    if let profile = sound.profile, profile != .lowComplexity {
      let option = choosesProfile ? "--profile" : "--preset"
      if sound.bandwidth != nil {
        throw UsageError(
          "\(profile.name) selects its bandwidth itself.",
          hint: "Omit --bandwidth or \(option).")
      }
      if sound.isMPEG2 {
        throw UsageError(
          "Players that need --mpeg2 do not support \(profile.name).",
          hint: "Omit --mpeg2 or \(option).")
      }
    }
    try SignalingOption.check(sound.signaling, with: sound.profile)
    try checkReport()
  }
}

extension EncodeCommand {
  /// Rejects the second of two inputs if it was probably meant as the output, as in the syntax of
  /// other programs.
  func refuseOutputAmongInputs(_ interruption: Interruption) throws(UsageError) {
    guard inputs.count == 2, let last = inputs.last, output == nil, outputFolder == nil,
      raw.isEmpty, OutputFormat(suffix: FileName.suffix(last)) != nil,
      !Self.mayBeInput(last, interruption)
    else { return }
    let shown = displayed(last)
    throw UsageError(
      "“\(shown)” would be an input, not the output.",
      hint: "To give the result that name, use -o \(shown). To encode both, use --output-folder.")
  }

  /// Returns whether an existing file is more likely an input than an output.
  private static func mayBeInput(_ path: String, _ interruption: Interruption) -> Bool {
    guard let status = try? System.status(of: path) else { return false }
    // Do not read a pipe: the read could block, and its data would be lost.
    guard status.kind == .file else { return true }
    var head = [UInt8](repeating: 0, count: PCMFileKind.longPrefixCount)
    guard let file = try? InputFile(path, interruption: interruption),
      let count = try? file.read(into: &head)
    else { return true }
    switch PCMFileKind(prefix: head.span.extracting(..<count)) {
    case .wav, .aiff, .caf: return true
    case .other(.flac), .other(.mp3), .other(.ogg), .other(.wave64), .other(.sunAudio): return true
    case .other, .unknown: return false
    }
  }
}
