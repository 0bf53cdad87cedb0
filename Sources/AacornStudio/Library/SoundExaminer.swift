import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// An examiner that determines a file's length and format, and whether the file is damaged.
struct SoundExaminer {
  private let file: FileBytes

  /// The number of bytes read at a time.
  static let blockSize = 1 << 18

  init(_ file: FileBytes) { self.file = file }

  /// Examines the file: reads its tables, or the complete file if it has none.
  func facts() throws(SystemError) -> RecordingFacts {
    let head = try file.read(0, 16)
    if head.isEmpty { return .unreadable("It is empty.") }
    if try work.holdsSamples() { return try sampleFacts() }
    if StreamInspector.needsSeeking(head) { return try movieFacts() }
    return try streamFacts()
  }

  private var work: RepairWork<SystemError> {
    RepairWork(byteCount: file.size) { [file] (offset, count) throws(SystemError) in
      try file.read(offset, count)
    }
  }

  // MARK: AAC

  private func movieFacts() throws(SystemError) -> RecordingFacts {
    var facts = RecordingFacts()
    try describe(&facts)
    recordRepair(try work.estimate(), &facts)
    return facts
  }

  /// Reads the properties from the tables and the first frame, since only the first frame may show
  /// spectral band replication.
  private func describe(_ facts: inout RecordingFacts) throws(SystemError) {
    var inspector = MovieInspector(byteCount: UInt64(file.size))
    while case .need(let offset, let count) = inspector.step() {
      inspector.supply(try file.read(Int(clamping: offset), count))
    }
    let (reader, report) = (inspector.reader, inspector.report)
    facts.gapCount = GapRecord.lossCount(reader.gapEntries)
    guard let track = reader.track else { return }
    let isRead = report.frameCount > 0
    facts.sampleRate = isRead ? report.outputSampleRate : track.stream.outputSampleRate
    facts.channelCount = isRead ? report.outputChannelCount : track.stream.outputChannelCount
    let last = reader.sample(at: reader.completeUnitCount - 1)
    guard track.timescale > 0, let last else { return }
    var seconds = Double(last.time &+ UInt64(last.duration)) / Double(track.timescale)
    if let trim = report.trim, report.trimRate > 0 {
      seconds = Double(trim.sampleCount) / Double(report.trimRate)
    }
    facts.seconds = seconds
    // In a fragmented file, nearly all bytes after the start of the media data are media data.
    let isFragmented = reader.fragmentCount > 0
    let rest = UInt64(file.size) - min(reader.mediaOffset ?? 0, UInt64(file.size))
    let media = isFragmented ? rest : reader.mediaByteCount
    facts.bitrate = Self.bitrate(of: Int(clamping: media), seconds: seconds)
  }

  private func streamFacts() throws(SystemError) -> RecordingFacts {
    var inspector = StreamInspector()
    var offset = 0
    while offset < file.size {
      let bytes = try file.read(offset, Self.blockSize)
      if bytes.isEmpty { break }
      offset += bytes.count
      inspector.append(bytes)
      while inspector.next() != nil {}
    }
    inspector.finish()
    while inspector.next() != nil {}
    let report = inspector.report
    var facts = RecordingFacts()
    guard report.frameCount > report.unreadableFrameCount else {
      return .unreadable("It contains no audio that can be recognized.")
    }
    facts.sampleRate = report.outputSampleRate
    facts.channelCount = report.outputChannelCount
    if report.sampleRate > 0 {
      facts.seconds = Double(report.sampleCount) / Double(report.sampleRate)
    }
    facts.bitrate = Int(clamping: report.bitrate.mean)
    // A stream without faults needs no repair, and repair does not support transport streams.
    if report.faults.count == 0 || report.container == .transportStream { return facts }
    recordRepair(try work.outcome(), &facts)
    return facts
  }

  /// Determines whether an AAC file needs repair, and whether that is possible.
  private func recordRepair(_ outcome: RepairOutcome, _ facts: inout RecordingFacts) {
    switch outcome {
    case .intact: facts.status = .fine
    case .repairable(let plan):
      let isUnfinished = plan.isUnfinishedRecording && plan.losses.count == 0
      facts.status = isUnfinished ? .unfinished : .damaged
      facts.problem = isUnfinished ? Self.unfinishedProblem : Self.problem(plan)
      if plan.sampleRate > 0 {
        facts.sampleRate = plan.sampleRate
        facts.seconds = plan.duration
      }
      if let count = plan.stream?.outputChannelCount { facts.channelCount = count }
      facts.gapCount = max(facts.gapCount, GapRecord.lossCount(plan.gapEntries))
      if facts.bitrate == nil, let seconds = facts.seconds {
        facts.bitrate = Self.bitrate(of: file.size, seconds: seconds)
      }
    case .needsConfiguration:
      facts = .unreadable(
        "Its sampling rate is lost, and the studio cannot determine it. Repair it with “aacorn repair”"
          + " and the option --rate.")
    case .irreparable(.remainingFaults(let count, _)):
      let errors = QuantityText.count(Int(clamping: count), "error")
      facts.problem =
        "It has \(errors) that cannot be repaired. The rest can be played."
    case .irreparable(let obstacle):
      facts = .unreadable("It cannot be recovered: \(obstacle.description).")
    }
  }

  private static let unfinishedProblem =
    "The recording is unfinished. It can be played, and a repair completes it."

  private static func problem(_ plan: RepairPlan) -> String {
    let saved = "\(QuantityText.duration(plan.duration)) of audio can be recovered"
    if plan.losses.count == 0 { return "It was not completed; \(saved)." }
    let lost = QuantityText.size(Int(clamping: plan.losses.byteCount))
    let locations = QuantityText.count(plan.losses.count, "place")
    return "It is damaged; \(saved), and \(lost) in \(locations) cannot."
  }

  private static func bitrate(of byteCount: Int, seconds: Double) -> Int? {
    guard seconds > 0 else { return nil }
    let rate = Double(byteCount) * 8 / seconds
    return rate < 1e12 ? Int(rate) : nil
  }

  // MARK: Samples

  private func sampleFacts() throws(SystemError) -> RecordingFacts {
    guard let info = try Self.sampleInfo(of: file) else {
      return .unreadable(
        "Its header is invalid, or its sample format is not supported.")
    }
    let rest = max(0, file.size - Int(clamping: info.dataOffset))
    let announced = info.dataByteCount.map { Int(clamping: $0) }
    let frameCount = min(announced ?? rest, rest) / info.format.bytesPerFrame
    var facts = RecordingFacts()
    facts.seconds = Double(frameCount) / Double(info.format.sampleRate)
    facts.sampleRate = info.format.sampleRate
    facts.channelCount = info.format.channelCount
    facts.bitrate = info.format.sampleRate * info.format.bytesPerFrame * 8
    if case .repairable(let repair) = try work.sampleOutcome() {
      facts.status = .damaged
      let seconds = Double(repair.frameCount) / Double(info.format.sampleRate)
      facts.problem =
        "Its header states a wrong length; \(QuantityText.duration(seconds)) of it can be recovered."
    } else if let announced, announced > rest {
      facts.problem = "It is shorter than its header states. The existing audio can be played."
    }
    return facts
  }

  /// Returns the format and location of a file's samples; nil if its header cannot be read.
  static func sampleInfo(of file: FileBytes) throws(SystemError) -> PCMFileInfo? {
    try SoundExaminer(file).work.sampleInfo()
  }
}

/// The known properties of the audio in a file.
struct RecordingFacts: Equatable, Sendable {
  /// Fine, unfinished, damaged, unreadable or quarantined.
  var status = LibraryCatalog.Status.fine
  /// The message about the problem.
  var problem: String?
  var seconds: Double?
  var sampleRate: Int?
  var channelCount: Int?
  /// Bits per second.
  var bitrate: Int?
  var gapCount = 0
  /// The damaged file from which a repair has made this one.
  var original: RecordingVersion?
  /// Whether the error may be temporary, so that a later attempt can succeed without a change of
  /// the file.
  var mayBeTemporary = false

  /// Whether the file is complete and has no problem.
  var isComplete: Bool { status == .fine && problem == nil }

  /// The properties of a file in quarantine.
  static var quarantined: RecordingFacts {
    var facts = RecordingFacts()
    facts.status = .quarantined
    facts.problem =
      "The studio ended unexpectedly while it was working on this file, and has not opened it since. Try it again, or"
      + " delete it."
    return facts
  }

  /// Returns the properties of a file without usable audio.
  static func unreadable(_ problem: String) -> RecordingFacts {
    var facts = RecordingFacts()
    facts.status = .unreadable
    facts.problem = problem
    return facts
  }
}
