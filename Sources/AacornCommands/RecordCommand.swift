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
  var tags = TagSettings()

  var printsJSON = false
  var printsLevels = false
  var isVerbose = false
  var isQuiet = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let plan = try LivePlan(self)
    let sources = SourceFiles(plan.sound.filePaths)
    let outputs = [plan.recording?.path].compactMap(\.self) + plan.trackPaths
    let replaced = outputs.compactMap { sources.replaced(byRecordingTo: $0) }.first
    return plan.run(replacing: replaced.map { .isInput($0, option: "-o") }, in: console)
  }
}
