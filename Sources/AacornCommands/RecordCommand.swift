import AACCodec
import AudioCapture
import Platform
import Recording

/// `aacorn record`.
struct RecordCommand: Subcommand {
  var output: String?
  var format: FileFormat?
  var replacesExisting = false
  var synchronizes = true
  var milliseconds: Int?
  var split = RecordingConfiguration.Split.never

  var device: String?
  var backend: CaptureBackend?
  /// Counted from 0; empty takes all.
  var channelMap: [Int] = []
  var isVoiceProcessed = false
  var isUnpaced = false

  var sampleRate: Int?
  var channelCount: Int?
  var rateControl: Encoder.RateControl?
  var effort: Encoder.Effort?
  var isFloat: Bool?
  var gain = 0.0
  var isMuted = false
  var followsWallClock = false
  var tags = EncodeCommand.TagSettings()

  var printsJSON = false
  var printsLevels = false
  var isVerbose = false
  var isQuiet = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let plan = try RecordPlan(self)
    let source: RecordSource
    do throws(CaptureError) {
      source = try RecordSource(self, plan)
    } catch {
      let report = RecordReport(plan, failure: .capture(error))
      report.print(in: console)
      return report.exitStatus
    }
    return RecordRun(plan, source, in: console).run()
  }
}
