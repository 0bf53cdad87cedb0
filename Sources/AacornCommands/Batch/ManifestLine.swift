import AacornContainers
import AacornRecording
import AacornSystem

/// A line of a manifest: one file to encode.
struct ManifestLine: Equatable, Sendable {
  /// The number of the line, from 1.
  let number: Int
  let input: String
  let output: String
  /// The encoding options of the run and of the line, which takes precedence.
  let settings: ManifestOptions
  /// The id in ledgers, chosen by the author of the manifest.
  let id: String?

  /// The maximum length of a line in bytes.
  private static let maxByteCount = 1 << 20

  /// The error in a line, as the end of a message that begins with the line's number.
  struct Fault: Error, Equatable {
    let text: String
  }

  /// Parses a line: a JSON object or a path.
  init(_ bytes: ArraySlice<UInt8>, number: Int, _ run: BatchCommand) throws(Fault) {
    self.number = number
    if bytes.count > Self.maxByteCount {
      throw Fault(text: "is longer than 1 MB, so it is neither a path nor an object")
    }
    let members: [JSONValue.Member]
    if bytes.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "{") {
      guard case .object(let object)? = JSONReader.value(bytes) else {
        throw Fault(text: "is not a JSON object")
      }
      members = object
    } else {
      let path = PathText.decode(Array(bytes))
      if path.utf8.contains(0) {
        throw Fault(text: "contains a zero byte, so the manifest is not a text file")
      }
      members = [.init("input", .text(path))]
    }
    var (input, output): (String?, String?)
    var id: String?
    var own = ManifestOptions()
    var names: Set<String> = []
    for member in members {
      guard names.insert(member.name).inserted else {
        throw Fault(text: "contains “\(displayed(member.name))” twice")
      }
      switch member.name {
      case "input": input = try Self.text(member)
      case "output": output = try Self.text(member)
      case "id": id = try Self.text(member)
      case let name where ManifestOptions.names.contains(name):
        if let value = try Self.value(member) { own.set(name, value) }
      default:
        let known = ManifestOptions.names.sorted() + ["id", "input", "output"]
        let nearest = NearestName.to(member.name, among: known)
        throw Fault(
          text: "has the unknown setting “\(displayed(member.name))”"
            + (nearest.map { "; did you mean “\($0)”?" } ?? ""))
      }
    }
    guard let input, !input.isEmpty else { throw Fault(text: "names no input") }
    if output?.isEmpty == true { throw Fault(text: "has an output without a name") }
    self.input = input
    let format = own.values["format"].flatMap(OutputFormat.init(rawValue:))
    self.output = output ?? run.output(of: input, format)
    self.settings = run.encoding.overridden(by: own)
    self.id = id
    // Standard output has the results, and standard input may have the manifest.
    if [input, self.output, own.values["cover"]].contains("-") {
      throw Fault(text: "names “-”, but a manifest can name only files")
    }
    if !run.trustsManifest, let action = forbiddenAction(of: own) {
      throw Fault(text: action + ", which needs --trust-manifest")
    }
    if let file = own.unusableFile {
      throw Fault(text: "names “\(displayed(file))”, which is not a file")
    }
  }

  private static func text(_ member: JSONValue.Member) throws(Fault) -> String {
    switch member.value {
    case .text(let text) where !text.utf8.contains(0): return text
    case .whole(let number) where member.name == "id": return "\(number)"
    default: throw Fault(text: "has no text for “\(member.name)”")
    }
  }

  /// Returns the value as an option's argument, or nil if the option is not set.
  private static func value(_ member: JSONValue.Member) throws(Fault) -> String? {
    let option = ManifestOptions.syntax.option(named: member.name)
    let isFlag = option?.description.takesValue == false
    switch member.value {
    case .null: return nil
    case .flag(let isOn) where isFlag: return isOn ? "" : nil
    case .text(let text) where !isFlag && !text.utf8.contains(0): return text
    case .whole(let number) where !isFlag: return "\(number)"
    case .decimal(let number, _) where !isFlag: return "\(number)"
    default: throw Fault(text: "has an invalid value for “\(member.name)”")
    }
  }

  /// Returns the valid `aacorn encode` command for the line.
  func command() throws(UsageError) -> EncodeCommand {
    var command = try settings.command()
    command.inputs = [input]
    try command.validate()
    command.format = try EncodePlan.format(of: command, for: output)
    return command
  }

  /// A number that is equal for equal outputs on every machine.
  ///
  /// It selects the line's shard, so two lines with equal outputs are in the same shard.
  var outputNumber: UInt64 { Self.number(of: output) }

  // MARK: Trust

  /// Returns the action of options that read files other than the input; nil if there is none.
  ///
  /// The author of a manifest may not be the user who runs it.
  private func forbiddenAction(of options: ManifestOptions) -> String? {
    if let effects = options.values["effects"], ManifestOptions.effectsFile(effects) != nil {
      return "reads its effects from a file"
    }
    // Raw samples can be read from any file, even one without audio.
    if options.values.keys.contains(where: { $0.hasPrefix("raw-") }) {
      return "reads its input as raw samples"
    }
    guard let cover = options.values["cover"] else { return nil }
    let action = "reads the cover “\(displayed(cover))”"
    // With a slash at the end, /a does not contain /ab.
    let root = FileName.canonical(FileName.folder(input))
    let prefix = root.hasSuffix("/") ? root : root + "/"
    if !FileName.canonical(cover).utf8.starts(with: prefix.utf8) {
      return action + " from outside the folder of its input"
    }
    return nil
  }
}

// Paths are compared as bytes: file names may not be valid text, and equal Unicode texts may be two
// names.
extension ManifestLine {
  static func number(of path: String) -> UInt64 { number(of: normalized(path)) }

  /// Returns the FNV-1a hash of a path's bytes.
  static func number(of path: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // Mix the bits: without mixing, the last bytes of a path hardly affect the upper bits of the
    // hash.
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ hash >> 33
  }

  /// Returns the bytes of a path without empty components and single dots.
  ///
  /// Links are not resolved, so the disk is not accessed.
  static func normalized(_ path: String) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    // The placeholder of a byte that is not valid UTF-8 begins with 0xF4.
    let bytes = path.utf8.contains(0xF4) ? PathText.encode(path) : Array(path.utf8)
    let parts = bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
    return (bytes.first == slash ? [slash] : []) + parts.joined(separator: [slash])
  }
}
