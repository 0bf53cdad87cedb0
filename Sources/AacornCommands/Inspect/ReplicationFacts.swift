import AacornInspection
import AacornSystem

/// The properties of spectral band replication and parametric stereo, human-readable.
struct ReplicationFacts {
  private let report: StreamReport
  private var counts: ReplicationCounts { report.replication }
  private var stereo: StereoCounts { report.replication.stereo }

  /// Creates the facts; nil without an SBR payload.
  init?(_ report: StreamReport) {
    guard report.replication.payloads > 0 else { return nil }
    self.report = report
  }

  /// The labels and texts; empty texts are not printed.
  var facts: [(String, String)] {
    [("Replication", replication), ("Grids", grids), ("Stereo", stereoText)]
  }

  private var replication: String {
    var parts: [String] = []
    if let frequencies = report.replicatedFrequencies {
      parts.append(
        "\(QuantityText.frequency(frequencies.lowerBound)) to "
          + QuantityText.frequency(frequencies.upperBound))
    }
    parts.append(headers)
    parts += Self.unreadableTexts(
      counts.unheadedPayloads, counts.damagedPayloads, of: counts.payloads)
    return parts.joined(separator: ", ") + "; " + size(counts.bits)
  }

  private var headers: String {
    switch counts.headerFrames {
    case 0: "no header"
    case 1: "one header only"
    default:
      "headers at most \(QuantityText.count(Int(clamping: counts.headerDistance), "frame")) "
        + "(\(QuantityText.length(report.headerInterval))) apart"
    }
  }

  private var grids: String {
    if counts.channels == 0 { return "" }
    let kinds: [(String, Int64)] = [
      ("FIXFIX", counts.fixFixChannels), ("FIXVAR", counts.fixVarChannels),
      ("VARFIX", counts.varFixChannels), ("VARVAR", counts.varVarChannels),
    ]
    var parts = [InspectReport.shares(kinds, of: counts.channels)]
    parts.append(Self.mean(counts.envelopes, of: counts.channels) + " envelopes a frame")
    let coupled = InspectReport.shares([("coupled", counts.coupledPairs)], of: counts.pairs)
    if !coupled.isEmpty { parts.append(coupled + " of pairs") }
    let sines = InspectReport.shares([("sines", counts.sinePayloads)], of: counts.readPayloads)
    if !sines.isEmpty { parts.append(sines + " of frames") }
    return parts.joined(separator: "; ")
  }

  private var stereoText: String {
    if stereo.payloads == 0 { return "" }
    var parts: [String] = []
    if stereo.readPayloads > 0 {
      let noun = stereo.hasFineLevels ? "fine level" : "level"
      parts = [
        Self.bands(stereo.levelBands, noun), Self.bands(stereo.coherenceBands, "coherence"),
        InspectReport.shares([("phases", stereo.phasePayloads)], of: stereo.readPayloads),
        Self.mean(stereo.envelopes, of: stereo.readPayloads) + " envelopes a frame",
      ]
    }
    parts += Self.unreadableTexts(
      stereo.unheadedPayloads, stereo.damagedPayloads, of: stereo.payloads)
    let words = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return "parametric: " + words + "; " + size(stereo.bits)
  }

  private static func bands(_ count: Int, _ noun: String) -> String {
    count == 0 ? "no \(noun)s" : QuantityText.count(count, noun)
  }

  /// Returns texts about the numbers of unreadable payloads and the reasons.
  private static func unreadableTexts(
    _ unheaded: Int64, _ damaged: Int64, of total: Int64
  ) -> [String] {
    var parts: [String] = []
    if unheaded > 0 { parts.append("\(unheaded) of \(total) payloads before any header") }
    if damaged > 0 { parts.append("\(damaged) of \(total) payloads damaged") }
    return parts
  }

  /// Describes a number of bits: the mean per frame, the bitrate, and the share of all bits.
  private func size(_ bits: Int64) -> String {
    let seconds = Double(report.sampleCount) / Double(max(1, report.sampleRate))
    let rate = seconds > 0 ? Double(bits) / seconds : 0
    let percent = QuantityText.fixed(report.share(of: bits) * 100, decimals: 1)
    return "\(QuantityText.fixed(report.bitsPerFrame(bits), decimals: 1)) bits a frame, "
      + "\(QuantityText.bitrate(rate)), \(percent) % of all"
  }

  private static func mean(_ sum: Int64, of count: Int64) -> String {
    QuantityText.fixed(Double(sum) / Double(max(1, count)), decimals: 2)
  }
}
