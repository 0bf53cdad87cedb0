import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem

struct DevicesCommand: Subcommand {
  var backend: DeviceBackend?
  var printsJSON = false
  var watches = false
  var listsOutputs = false
  var isVerbose = false

  static var syntax: CommandSyntax<DevicesCommand> {
    CommandSyntax(
      CommandDescription(
        name: "devices", summary: "Lists audio inputs and outputs.",
        operands: .none,
        discussion: [
          "A star marks the default device of each sound system. --device accepts the ID in the first "
            + "column, the name in the last, or a unique start of the name. Channels and Rate are the "
            + "device's own; a recording converts them. With --watch, they are missing for ALSA, "
            + "whose devices would have to be opened. A device that “records an output” records "
            + "the audio that the output plays."
        ],
        examples: [
          ("aacorn devices", "List the inputs."),
          ("aacorn devices --outputs", "List inputs and outputs."),
          ("aacorn devices --watch", "List the inputs, and report changes until Ctrl-C."),
        ],
        exitCodes: [
          ("0", "success, also when --watch was stopped"),
          ExitStatus.invalidCommandLine,
          (
            "3",
            "there are no inputs except test signals; with --outputs, neither inputs nor outputs"
          ),
          ExitStatus.closedReader,
        ]),
      options: [
        (
          "Output",
          [
            .backend(\.backend, "List only devices of this sound system (default: all)."),
            .flag("outputs", "Also list outputs.", \.listsOutputs),
            .flag("watch", short: "w", "Keep running and report changes.", \.watches),
            .flag("json", "Print one JSON object per device and change.", \.printsJSON),
            .verbose(\.isVerbose, "Explain why other sound systems are unavailable."),
          ]
        )
      ],
      operandHint: "See “aacorn devices --help”.")
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try reject(
      if: watches && listsOutputs, "--watch does not report changes of outputs.",
      hint: "Omit --watch or --outputs.")
    if watches && console.interruption === Interruption.process {
      Interruption.watchSignalsOfLongWork(countsHangUps: false)
    }
    let interruption = console.interruption
    var watcher = DeviceWatcher(DeviceScan.systems(backend), .all) { interruption.wake() }
    var scan =
      watches
      ? DeviceScan(watcher.refresh() ?? [], backend: backend)
      : DeviceScan(.capture, backend: backend)
    print(scan, in: console)
    var hasDevices = scan.hasDevices
    if listsOutputs {
      let outputs = DeviceScan(.playback, backend: backend)
      print(outputs, after: scan, in: console)
      hasDevices = hasDevices || outputs.hasDevices
    }
    if !printsJSON {
      if hasDevices { console.print("\n* is the default. Use an ID or a name with --device.") }
      console.output.flush()
    }
    let isUsable = hasDevices || scan.isUsable
    if watches { watch(&watcher, &scan, in: console) }
    let signal = console.interruption.signal
    if signal == System.pipeSignal { return .interrupted(by: System.pipeSignal) }
    console.interruption.acknowledge()
    return isUsable || watches ? .success : .cannotRead
  }

  private func print(_ scan: DeviceScan, after other: DeviceScan? = nil, in console: Console) {
    if printsJSON {
      for device in scan.devices {
        console.print(DeviceTable.json(device, for: scan.direction))
      }
      for (backend, error) in scan.unreportedFailures(after: other) {
        let message = error.commandMessage(for: scan.direction)
        console.print(DeviceTable.json(backend, unavailable: message))
      }
    } else {
      for (_, error) in scan.printedFailures(after: other, isVerbose: isVerbose) {
        console.printError(error.commandMessage(for: scan.direction))
      }
      if other?.devices.isEmpty == false { console.print("") }
      for line in DeviceTable.lines(scan) { console.print(line) }
    }
    console.output.flush()
  }

  // MARK: - Changes

  private func watch(
    _ watcher: inout DeviceWatcher, _ scan: inout DeviceScan, in console: Console
  ) {
    let interruption = console.interruption
    while interruption.signal == nil {
      interruption.wait(
        milliseconds: watcher.pause,
        orForEndOf: interruption === Interruption.process ? System.standardOutput : nil)
      if interruption.signal != nil { break }
      guard let listings = watcher.refresh() else { continue }
      let next = DeviceScan(listings, backend: backend)
      let time = System.wallNanoseconds
      for change in DeviceChange.between(scan.devices, next.devices) {
        if printsJSON {
          console.print(change.json(wallTime: time))
        } else {
          console.print(change.line)
        }
      }
      console.output.flush()
      scan = next
    }
  }
}

/// A difference between two lists of devices.
enum DeviceChange: Equatable {
  case added(Device)
  case removed(Device)
  case becameDefault(Device)
  /// The rate, the channels or the name of the device changed.
  case changed(Device)

  /// Returns the changes between two lists: first removals, then additions, then others.
  static func between(_ before: [Device], _ after: [Device]) -> [DeviceChange] {
    func isSame(_ one: Device, _ other: Device) -> Bool {
      one.backend == other.backend && one.id == other.id
    }
    var changes: [DeviceChange] = []
    for device in before where !after.contains(where: { isSame($0, device) }) {
      changes.append(.removed(device))
    }
    for device in after where !before.contains(where: { isSame($0, device) }) {
      changes.append(.added(device))
    }
    for device in after {
      let old = before.first { isSame($0, device) }
      if device.isDefault && old?.isDefault != true { changes.append(.becameDefault(device)) }
      guard var old else { continue }
      old.isDefault = device.isDefault
      if old != device { changes.append(.changed(device)) }
    }
    return changes
  }

  /// A human-readable line: `+` added, `-` removed, `*` the default, `~` changed.
  var line: String {
    switch self {
    case .added(let device): "+ " + DeviceTable.line(device)
    case .removed(let device): "- " + DeviceTable.line(device)
    case .becameDefault(let device): "* " + displayed(device.id) + " is now the default"
    case .changed(let device): "~ " + DeviceTable.line(device)
    }
  }

  func json(wallTime: Int64) -> JSONValue {
    let (word, device) =
      switch self {
      case .added(let device): ("added", device)
      case .removed(let device): ("removed", device)
      case .becameDefault(let device): ("default", device)
      case .changed(let device): ("changed", device)
      }
    return ["type": .text(word), "time": .text(Timestamp.iso8601(wallTime))] + device.json
  }
}
