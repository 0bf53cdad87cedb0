import AacornDevices
import AacornRecording
import AacornSystem

/// The command `aacorn record`.
struct RecordCommand: Subcommand, SoundCommand {
  var output: String?
  var format: FileFormat?
  var replacesExisting = false
  var synchronizes = true
  /// The way to complete an M4A file; nil for the default.
  var finish: FileOutput.Finish?
  var milliseconds: Int?
  var split = RecordingConfiguration.Split.never

  var sound = SoundChoice()
  var isFloat: Bool?
  var tags = EncodeCommand.TagSettings()

  var printsJSON = false
  var printsLevels = false
  var isVerbose = false
  var isQuiet = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let plan = try RecordPlan(self)
    let sound = try sound.resolved()
    let sources = SourceFiles(sound.filePaths)
    let outputs = [plan.path] + plan.trackPaths(sound)
    if let path = outputs.compactMap({ sources.replaced(byRecordingTo: $0) }).first {
      let error = CommandFailure.isInput(path, option: "-o")
      let failure = RecordingError.output(OutputError(.exists, error.commandMessage))
      let report = RecordReport(plan, failure: failure)
      report.print(in: console)
      return report.exitStatus
    }
    let source: RecordSource
    do throws(CaptureError) {
      source = try RecordSource(sound, plan.configuration)
    } catch {
      let report = RecordReport(plan, failure: .capture(error))
      report.print(in: console)
      return report.exitStatus
    }
    return RecordRun(plan, source, in: console).run()
  }
}
