import AacornRecording
import AacornSystem

/// A rendition of a stream in the syntax of `--bitrates`: `128k`, or with a profile `48k:he`.
struct StreamRendition: Sendable, Equatable {
  /// The bitrate in bits per second.
  var bitrate: Int
  /// The profile; nil for the profile of `--profile`.
  var profile: ProfileChoice?

  /// The bitrate as in options and file names, such as `128k`.
  var name: String { bitrate % 1000 == 0 ? "\(bitrate / 1000)k" : "\(bitrate)" }
}

extension OptionValue {
  static func renditions(
    _ value: String, _ option: String
  ) throws(UsageError) -> [StreamRendition] {
    var renditions: [StreamRendition] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let rendition = try rendition(part)
      if renditions.contains(where: { $0.bitrate == rendition.bitrate }) {
        throw UsageError("\(option) has \(rendition.name) twice.")
      }
      renditions.append(rendition)
    }
    if renditions.count > 8 { throw UsageError("\(option) has more than 8 values.") }
    return renditions
  }

  private static func rendition(_ text: Substring) throws(UsageError) -> StreamRendition {
    let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let bitrate = try bitrate(String(words.first ?? ""))
    guard words.count > 1 else { return StreamRendition(bitrate: bitrate) }
    guard let profile = ProfileChoice(rawValue: String(words[1])) else {
      throw UsageError(
        "--bitrates does not understand the profile “\(displayed(String(words[1])))”.",
        hint: "Write it like 48k:he; the profiles are lc, he, he2 and auto.")
    }
    return StreamRendition(bitrate: bitrate, profile: profile)
  }
}
