import AacornPlayback
import AacornRecording
import AacornSystem

/// A validated plan of a playback.
///
/// No device is open yet.
struct PlayPlan: Sendable {
  /// The items in order.
  let items: [PlaylistItem]
  /// The errors of operands, and messages about skipped files in folders.
  let failures: [CommandFailure]
  let configuration: PlayerConfiguration
  let volume: PlayVolume
  let printsJSON: Bool
  let isVerbose: Bool
  let isQuiet: Bool

  /// Resolves the operands to files.
  init(_ command: PlayCommand, interruption: Interruption) {
    var paths: [String] = []
    var failures: [CommandFailure] = []
    for input in command.inputs {
      if PlaylistItem(input).isAddress {
        paths.append(input)
        continue
      }
      let list = InputList([input], of: .playable, interruption: interruption)
      // Sort the files of each folder, but keep the order of the operands.
      paths += list.entries.map(\.path).sorted(by: NaturalOrder.precedes)
      failures += list.failures.map { $0.failure }
      for files in SkippedFiles.groups(list.skipped, searchedFor: list.searchedFormats) {
        if let message = files.message { failures.append(CommandFailure(.unsupported, message)) }
      }
    }
    if command.isShuffled { paths.shuffle() }
    items = paths.map { PlaylistItem($0) }
    self.failures = failures
    var configuration = PlayerConfiguration()
    configuration.loop = command.loop
    configuration.start = command.start
    configuration.speed = command.speed
    configuration.maximumBitrate = command.maximumBitrate
    configuration.effects = command.effects
    configuration.volume = command.volume.factor
    self.configuration = configuration
    volume = command.volume
    printsJSON = command.printsJSON
    isVerbose = command.isVerbose && !command.isQuiet
    isQuiet = command.isQuiet
  }

  /// Returns the displayed name of an item.
  func name(of index: Int) -> String {
    guard items.indices.contains(index) else { return "" }
    let item = items[index]
    if let title = item.title { return title }
    if item.isAddress { return item.path }
    return item.path == "-" ? "standard input" : FileName.last(item.path)
  }
}
