package import AacornContainers
import AacornSystem

/// A record of a gap in a file, possibly written by another program.
package struct GapRecord {
  /// The complete record; text if it is not JSON.
  package let json: JSONValue

  package init(_ bytes: [UInt8]) {
    json = JSONReader.valueOrText(bytes)
  }

  private func count(_ name: String) -> Int? { json[name]?.integer.flatMap { $0 < 0 ? nil : $0 } }

  private func text(_ name: String) -> String? { json[name]?.text.map { displayed($0) } }

  /// Returns position, duration and cause in one line.
  package func line(sampleRate: Int) -> String {
    guard let position = count("position"), let length = count("length") else {
      return "a record without a position"
    }
    var line = "at " + Self.time(position, sampleRate) + ", " + QuantityText.count(length, "sample")
    if let cause = text("cause") { line += ", " + cause }
    if let isFilled = json["filled"]?.flag {
      line += isFilled ? ", filled with silence" : ", not filled"
    }
    if let track = text("track") { line += ", of “\(track)”" }
    if let time = text("time") { line += ", " + time }
    return line
  }

  /// Whether audio was lost and replaced by silence; false for omitted audio, as in a pause.
  private var isLoss: Bool { json["filled"]?.flag ?? true }

  private var isPause: Bool { !isLoss && text("cause") == "paused" }

  /// Returns the number of records of lost audio.
  package static func lossCount(_ notes: [[UInt8]]) -> Int {
    notes.count { GapRecord($0).isLoss }
  }

  /// Returns the number of gaps, the missing duration, and the numbers of pauses and of other
  /// records.
  package static func summary(_ notes: [GapRecord], sampleRate: Int) -> String {
    let losses = notes.filter(\.isLoss)
    let pauseCount = notes.count(where: \.isPause)
    let restCount = notes.count - losses.count - pauseCount
    var parts = [losses.isEmpty ? "none" : summary(losses: losses, sampleRate: sampleRate)]
    if pauseCount > 0 { parts.append(QuantityText.count(pauseCount, "pause")) }
    if restCount > 0 { parts.append(QuantityText.count(restCount, "other record")) }
    return parts.joined(separator: "; ")
  }

  private static func summary(losses notes: [GapRecord], sampleRate: Int) -> String {
    var total = 0
    for note in notes {
      let (sum, overflow) = total.addingReportingOverflow(note.count("length") ?? 0)
      total = overflow ? .max : sum
    }
    let text = QuantityText.count(notes.count, "gap") + ", " + QuantityText.count(total, "sample")
    if sampleRate <= 0 { return text }
    let seconds = Double(total) / Double(sampleRate)
    return text + " (" + QuantityText.fixed(seconds, decimals: 3) + " s)"
  }

  private static func time(_ position: Int, _ sampleRate: Int) -> String {
    if sampleRate <= 0 { return QuantityText.count(position, "sample") }
    let (seconds, rest) = position.quotientAndRemainder(dividingBy: sampleRate)
    let milliseconds = Int(Double(rest) * 1000 / Double(sampleRate))
    return QuantityText.clock(seconds) + "." + QuantityText.padded(milliseconds, to: 3)
  }

  /// Returns the records of the gaps in a part of a recording, with positions from its first
  /// sample.
  ///
  /// A gap across a border of the part is shortened; a record without a position stays unchanged.
  package static func entries(_ entries: [[UInt8]], within part: Range<Int>) -> [[UInt8]] {
    if part == 0..<Int.max { return entries }
    return entries.compactMap { entry(from: $0, within: part) }
  }

  private static func entry(from entry: [UInt8], within part: Range<Int>) -> [UInt8]? {
    guard case .object(var members) = JSONReader.value(entry[...]),
      let positionIndex = members.firstIndex(where: { $0.name == "position" }),
      let position = members[positionIndex].value.integer, position >= 0
    else { return entry }
    var isFilled = true
    var lengthIndex: Int?
    var length = 0
    for (index, member) in members.enumerated() {
      if member.name == "filled", let flag = member.value.flag { isFilled = flag }
      if member.name == "length", let count = member.value.integer, count >= 0 {
        lengthIndex = index
        length = count
      }
    }
    // Omitted audio, as in a pause, takes no time in the file.
    let (sum, overflow) = position.addingReportingOverflow(isFilled ? length : 0)
    let end = overflow ? Int.max : sum
    let first = max(position, part.lowerBound)
    let last = min(end, part.upperBound)
    guard first < last || !isFilled && part.contains(position) else { return nil }
    members[positionIndex] = JSONValue.Member("position", .integer(first - part.lowerBound))
    if isFilled, let lengthIndex {
      members[lengthIndex] = JSONValue.Member("length", .integer(last - first))
    }
    return Array(JSONValue.object(members).encoded.utf8)
  }
}
