import AacornRecording
import AacornSoundFiles
import AacornSystem

/// The command `aacorn decode`.
struct DecodeCommand: FileCommand, PartCommand {
  static let verb = "Decode"

  var inputs: [String] = []

  var output: String?
  var outputFolder: String?
  var kind: PCMFileWriter.Kind?
  var replacesExisting = false

  var encoding = PCMEncoding.int16
  var isUndithered = false
  var part = PartChoice()
  var isUntrimmed = false
  var decoding = AACFile.DecodingOptions()

  var jobCount: Int?
  var printsJSON = false
  var isQuiet = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try validate()
    let plan = try DecodePlan(self, in: console)
    let queue = FileQueue(plan, of: self, console: console) {
      (item, threadCount, progress) throws(CommandFailure) in
      let start = System.seconds
      var request = self.request(for: item)
      request.options.threadCount = threadCount
      var work = try DecodeWork(request, interruption: console.interruption)
      let summary = try work.run(progress: progress)
      return DecodeReport(
        item: item, encoding: encoding, summary: summary, elapsed: System.seconds - start)
    }
    return queue.run()
  }

  /// Returns the request for one input.
  func request(for item: DecodePlan.Item) -> DecodeRequest {
    var input = "-"
    if case .file(let path) = item.source { input = path }
    var request = DecodeRequest(input, to: item.output, item.format)
    request.options = decoding
    request.options.encoding = encoding
    request.options.isDithered = !isUndithered
    request.options.isTrimmed = !isUntrimmed
    request.options.start = part.start
    request.options.duration = part.duration ?? part.end.map { $0 - part.start }
    request.options.replacesExisting = replacesExisting
    request.makesFolders = outputFolder != nil
    return request
  }

  /// Rejects contradictory options.
  private func validate() throws(UsageError) {
    if inputs.isEmpty {
      throw UsageError(
        "There is nothing to decode.", hint: "Name a file or a folder, or - for standard input.")
    }
    try checkFiles()
    try part.check()
    try checkReport()
    if inputs.count == 2, let last = inputs.last, output == nil, outputFolder == nil,
      PCMFileWriter.Kind(suffix: FileName.suffix(last)) != nil
    {
      let shown = displayed(last)
      throw UsageError(
        "“\(shown)” is not a file that can be decoded.",
        hint: "To give the result that name, use -o \(shown).")
    }
  }
}
