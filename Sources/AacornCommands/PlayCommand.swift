import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem

/// The command `aacorn play`.
struct PlayCommand: Subcommand {
  var inputs: [String] = []

  var device: String?
  var backend: DeviceBackend?
  var loop = PlayerConfiguration.Loop.none
  var isShuffled = false
  var start = Duration.zero
  var speed = 1.0
  /// The maximum bitrate of a web stream, in bits per second.
  var maximumBitrate: Int?
  var effects: [EffectDescription] = []
  var volume = PlayVolume()

  var printsJSON = false
  var isVerbose = false
  var isQuiet = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try validate()
    let plan = PlayPlan(self, interruption: console.interruption)
    if let signal = console.interruption.signal { return .interrupted(by: signal) }
    for failure in plan.failures { console.printError(failure.commandMessage) }
    if plan.items.isEmpty {
      let report = PlayReport(plan, PlayerSummary())
      report.print(in: console)
      return report.exitStatus
    }
    let device: PlayDevice
    do throws(PlayerError) {
      // Validate the effects before opening a device or fetching a file.
      try PlayerSession.check(effects)
      device = try makeDevice()
    } catch {
      var summary = PlayerSummary()
      summary.failure = error
      let report = PlayReport(plan, summary)
      report.print(in: console)
      return report.exitStatus
    }
    return PlayRun(plan, in: console) { events in
      PlayerSession(
        playing: plan.items, on: device.request, backend: device.backend, plan.configuration,
        events: events)
    }.run()
  }

  private func makeDevice() throws(PlayerError) -> PlayDevice {
    do throws(DeviceError) {
      return try PlayDevice(device, backend)
    } catch {
      throw .playback(error)
    }
  }

  /// Rejects contradictory options and invalid inputs.
  private func validate() throws(UsageError) {
    if inputs.isEmpty {
      throw UsageError(
        "There is nothing to play.", hint: "Name a file or a folder, or - for standard input.")
    }
    try OptionValue.checkStandardInput(in: inputs)
    if inputs.contains("-"), loop != PlayerConfiguration.Loop.none {
      throw UsageError("Standard input (-) cannot be looped.", hint: "Omit --loop.")
    }
    let addresses = inputs.filter { $0.contains("://") }
    if maximumBitrate != nil, addresses.isEmpty {
      throw UsageError(
        "--max-bitrate is only for addresses.",
        hint: "Omit it, or name an address such as https://radio.example/live.m3u8.")
    }
    if let address = addresses.first(where: { !PlaylistItem($0).isAddress }) {
      throw UsageError(
        "“\(displayed(address))” is not an address that can be played.",
        hint: "Write it like https://radio.example/live.aac.")
    }
  }
}
