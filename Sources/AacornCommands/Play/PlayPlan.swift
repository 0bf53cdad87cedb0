import AacornDevices
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
  let report: ReportChoice

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
      let unreadable = list.skipped.filter(\.isUnreadable)
      for files in SkippedFiles.groups(unreadable, searchedFor: list.searchedFormats) {
        failures.append(CommandFailure(.unsupported, files.message))
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
    report = command.report
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

/// A volume in percent, in steps that sound equal.
struct PlayVolume: Equatable, Sendable {
  /// From 0 for silence to 100 for the original level.
  private(set) var percent = 100

  /// Creates the original level.
  init() {}

  /// Creates a volume from 0 to 100; other values are clamped.
  init(percent: Int) { self.percent = min(100, max(0, percent)) }

  /// The factor for samples: half the percentage is a quarter of the amplitude, about half as loud.
  var factor: Float { Float(percent * percent) / 10_000 }

  /// Returns the next higher or lower volume.
  func stepped(isUp: Bool) -> PlayVolume { PlayVolume(percent: percent + (isUp ? 5 : -5)) }
}

/// The playback speeds that keys select.
enum PlaySpeed {
  private static let steps = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2]

  /// Returns the next faster or slower speed.
  static func stepped(from speed: Double, isUp: Bool) -> Double {
    if isUp { return steps.first { $0 > speed + 0.001 } ?? speed }
    return steps.last { $0 < speed - 0.001 } ?? speed
  }
}

/// The natural order of names: 2 before 10, and lowercase next to uppercase letters.
enum NaturalOrder {
  /// Returns whether a path precedes another.
  static func precedes(_ first: String, _ second: String) -> Bool {
    let (a, b) = (PathText.encode(first), PathText.encode(second))
    if let result = compare(a, b) { return result }
    return a.lexicographicallyPrecedes(b)
  }

  /// Compares two paths; returns nil if they differ only in case or leading zeros.
  private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Bool? {
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if a[i].isDigit, b[j].isDigit {
        let (x, y) = (number(in: a, from: &i), number(in: b, from: &j))
        if x.count != y.count { return x.count < y.count }
        if x != y { return x.lexicographicallyPrecedes(y) }
        continue
      }
      let (x, y) = (rank(a[i]), rank(b[j]))
      if x != y { return x < y }
      i += 1
      j += 1
    }
    let (left, right) = (a.count - i, b.count - j)
    return left == right ? nil : left < right
  }

  /// Returns the digits of a number without leading zeros.
  private static func number(in bytes: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
    while index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 }
    let start = index
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    return bytes[start..<index]
  }

  /// Returns the rank of a byte: slashes before all others, and uppercase letters equal to
  /// lowercase.
  private static func rank(_ byte: UInt8) -> UInt8 {
    if byte == UInt8(ascii: "/") { return 0 }
    return byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 32 : byte
  }
}
