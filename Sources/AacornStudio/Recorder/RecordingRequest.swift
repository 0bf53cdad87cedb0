import AacornCodec
import AacornContainers
import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming

/// The settings that a page requests for a recording.
struct RecordingRequest: Sendable, Equatable {
  /// The rate control mode.
  enum Mode: String, Sendable {
    case constant = "cbr"
    case average = "abr"
    case variable = "vbr"
  }

  /// The device's ID; empty for the default device.
  var device = ""
  var backend: DeviceBackend?
  var format = FileFormat.m4a
  var mode = Mode.constant
  /// The bitrate in bits per second; nil for the default.
  var bitrate: Int?
  var quality = 3
  var effort = AACEncoder.Effort.balanced
  var profile = ProfileChoice.lowComplexity
  var sampleRate = AACEncoder.defaultSampleRate
  var channelCount = AACEncoder.defaultChannelCount
  var isVoiceProcessed = false
  /// The gain in decibels.
  var gain = 0.0
  /// The effects to apply to the input.
  var effects = EffectRequest()
  /// The requested name of the file.
  var name = ""
  var title: String?
  var artist: String?
  /// The additional outputs: `hls`, or addresses of servers including their secrets.
  var outputs: [String] = []

  /// The default bitrate in bits per second.
  private var defaultBitrate: Int {
    AACEncoder.defaultRate(
      sampleRate: sampleRate, channelCount: channelCount,
      profile: profile.profile ?? .lowComplexity
    ).nominalBitrate
  }
  /// The maximum number of outputs in addition to the file.
  static let outputLimit = 8

  init() {}

  /// Reads the settings from the fields of a form.
  init(_ form: FormFields) throws(StudioError) {
    device = form["device"] ?? ""
    backend = try form.choice("backend") { DeviceBackend(rawValue: $0) }
    format = try form.choice("format") { FileFormat(rawValue: $0) } ?? format
    mode = try form.choice("mode") { Mode(rawValue: $0) } ?? mode
    bitrate = try form.number("bitrate", in: 1...10_000_000)
    quality = try form.number("quality", in: 1...5) ?? quality
    effort = try form.choice("effort", Self.effort) ?? effort
    profile = try form.choice("profile") { ProfileChoice(rawValue: $0) } ?? profile
    sampleRate = try form.number("sampleRate", in: 1...768_000) ?? sampleRate
    channelCount = try form.number("channels", in: 1...64) ?? channelCount
    isVoiceProcessed = try form.choice("voice") { Bool($0) } ?? false
    gain = try form.gain() ?? 0
    effects = try EffectRequest(form["effects"] ?? "")
    name = form["name"] ?? ""
    title = form["title"]
    artist = form["artist"]
    outputs = form.all("output").filter { !$0.isEmpty }
    if outputs.count > Self.outputLimit {
      throw .impossible("There are more than \(Self.outputLimit) outputs. Choose fewer.")
    }
  }

  private static func effort(_ keyword: String) -> AACEncoder.Effort? {
    AACEncoder.Effort.allCases.first { $0.keyword == keyword }
  }

  /// The rate control for the encoder; nil for the default.
  var rateControl: AACEncoder.RateControl? {
    switch mode {
    case .constant: bitrate.map { .constant(bitsPerSecond: $0) }
    case .average: .average(bitsPerSecond: bitrate ?? defaultBitrate)
    case .variable: .variable(level: quality)
    }
  }

  /// The settings as JSON for pages, without secrets.
  var json: JSONValue {
    .object([
      .init("device", .text(device)), .init("backend", .optional(backend?.rawValue)),
      .init("format", .text(format.rawValue)), .init("mode", .text(mode.rawValue)),
      .init("bitrate", .integer(bitrate ?? defaultBitrate)), .init("quality", .integer(quality)),
      .init("effort", .text(effort.keyword)), .init("profile", .text(profile.rawValue)),
      .init("sampleRate", .integer(sampleRate)),
      .init("channels", .integer(channelCount)), .init("voice", .flag(isVoiceProcessed)),
      .init("gain", .decimal(gain, 1)), .init("effects", .text(effects.text)),
      .init("name", .text(name)), .init("title", .text(title ?? "")),
      .init("artist", .text(artist ?? "")),
      .init("outputs", .list(outputs.map(Self.shown))),
    ])
  }

  /// Returns an output without its secrets.
  private static func shown(_ output: String) -> JSONValue {
    .text(output == RecordingPlan.hls ? output : ServerURL(output)?.shown ?? "")
  }
}

extension AACEncoder.Effort {
  /// The name of the setting in forms.
  fileprivate var keyword: String {
    switch self {
    case .fast: "fast"
    case .balanced: "balanced"
    case .best: "best"
    }
  }
}

/// The requested effects: the text of the page, and its parsed form.
struct EffectRequest: Sendable, Equatable {
  /// The original text; empty for no effects.
  private(set) var text = ""
  private(set) var effects: [EffectDescription] = []

  /// Creates a request without effects.
  init() {}

  /// Parses the syntax of `--effects`, except for a file after an `@`; `none` means no effects.
  init(_ text: String) throws(StudioError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    if words.isEmpty || (words.count == 1 && words[0].lowercased() == "none") { return }
    do throws(EffectError) {
      effects = try EffectDescription.parse(text)
    } catch {
      throw StudioError(error)
    }
    self.text = text
  }

  /// Throws if an effect cannot be created, as far as that is known before a recording.
  func check() throws(StudioError) {
    do throws(EffectError) {
      _ = try EffectChain(effects, channelCount: 2, sampleRate: 48_000)
    } catch {
      throw StudioError(error)
    }
  }
}

/// The fields of a form, with validation of their values.
struct FormFields {
  private let fields: [HTTPField]

  /// The maximum length of a value in bytes.
  ///
  /// Most values are sent to all pages again at every change.
  static let valueLimit = 2000

  /// Reads the fields of a request, if any; throws if the body is not a form.
  init(_ request: HTTPRequest) throws(StudioError) {
    guard let fields = request.body.isEmpty ? [] : request.form() else {
      throw .impossible("The request's body is not a form (application/x-www-form-urlencoded).")
    }
    for field in fields where field.value.utf8.count > Self.valueLimit {
      throw .impossible(
        "The field “\(HTTPRequest.printable(field.name, longest: 40))” has more than the"
          + " \(Self.valueLimit) bytes that are allowed. Shorten it.")
    }
    self.fields = fields
  }

  /// Accesses the value of a field; nil if the field is missing or empty.
  subscript(name: String) -> String? {
    fields.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// Returns all values of a field.
  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// Returns the value of a field that accepts only certain words; nil if the field is missing.
  func choice<Value>(
    _ name: String, _ value: (String) -> Value?
  ) throws(StudioError) -> Value? {
    guard let text = self[name] else { return nil }
    guard let value = value(text) else {
      throw .impossible("The field “\(name)” does not accept “\(HTTPRequest.printable(text))”.")
    }
    return value
  }

  /// Returns the value of a field with a whole number; nil if the field is missing.
  func number(_ name: String, in range: ClosedRange<Int>) throws(StudioError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .impossible(
        "The field “\(name)” takes a number from \(range.lowerBound) to \(range.upperBound), not "
          + "“\(HTTPRequest.printable(text))”.")
    }
    return number
  }

  /// Returns the value of a required field with `true` or `false`.
  func flag(_ name: String) throws(StudioError) -> Bool {
    if let flag = try choice(name, { Bool($0) }) { return flag }
    throw .impossible("The field “\(name)” is missing. Send true or false.")
  }

  /// Returns the gain in decibels, from −60 to 60; nil if the field is missing.
  func gain() throws(StudioError) -> Double? {
    guard let text = self["gain"] else { return nil }
    guard let gain = Gain.parse(text) else {
      throw .impossible(
        "The gain must be in decibels from -60 to 60, not “\(HTTPRequest.printable(text))”.")
    }
    return gain
  }
}
