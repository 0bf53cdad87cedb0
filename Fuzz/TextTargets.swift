@testable import AacornCommands
@testable import AacornContainers
@testable import AacornDevices
@testable import AacornNetwork
@testable import AacornRecording
@testable import AacornStreaming
@testable import AacornStudio
@testable import AacornSystem

/// Fuzzes addresses of servers, which may contain passwords, and addresses to listen on.
func fuzzAddress(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let address = ServerURL(text) {
    _ = (address.shown, address.credentialNames, address.secrets)
    if let masked = address.masked {
      require(masked.utf8.count == text.utf8.count, "a mask of a different length")
      if let password = address.password?.text, password.utf8.count > 8,
        password.contains(where: { $0 != "x" })
      {
        // Exclude scheme and path: the same text there is not a password.
        let scheme = text.firstRange(of: "://").map { text[..<$0.upperBound].utf8.count } ?? 0
        let authority = masked.utf8.dropFirst(scheme).dropLast(address.target.utf8.count)
        require(
          !String(decoding: authority, as: UTF8.self).contains(":\(password)@"),
          "a visible password"
        )
      }
    }
  }
  _ = ServerURL(proxy: text)
  for password in [nil, "secret"] {
    if let configuration = try? IcecastConfiguration(address: text, password: password) {
      check(configuration.endpoint)
      _ = configuration.address
    }
    if let configuration = try? HLSUploadConfiguration(address: text, password: password) {
      check(configuration.endpoint)
      let line = configuration.address + configuration.target(of: "a.m4s")
      require(!line.contains("\r") && !line.contains("\n"), "an address of two lines")
      require(configuration.password == nil || configuration.credentials != nil, "no credentials")
    }
    if let configuration = try? RTMPConfiguration(address: text, streamKey: password) {
      check(configuration.endpoint)
      require(!configuration.streamKey.isEmpty, "an empty key")
      _ = (configuration.address, configuration.secrets)
    }
  }
  if let parts = try? HostAddress.split(text[...]) {
    require(!parts.host.isEmpty, "no host")
    require((1...65_535).contains(parts.port ?? 1), "port \(parts.port ?? 0)")
  }
  _ = HostAddress.isNumeric(text)
  let names = HostNames(address: "127.0.0.1", hostName: "box")
  if names.contains(text) {
    let host = (try? HostAddress.split(text[...]))?.host.lowercased() ?? ""
    require(
      ["localhost", "127.0.0.1", "::1", "box", "box.local"].contains(host), "a foreign name")
  }
  if let proxy = try? ProxyAddress(text) {
    require(proxy.isAsked(by: proxy.host), "a host that does not match itself")
    require((try? ProxyAddress(proxy.url))?.origin == proxy.origin, "an address that changes")
  }
  if let address = ListenAddress(text) {
    require((0...65_535).contains(address.port), "port \(address.port)")
    _ = address.authority(port: address.port)
  }
  _ = PercentCoding.decode(text)
  require(PercentCoding.decode(PercentCoding.encode(text)) == text, "percent coding changes a text")
  require(Base64.encode(bytes).utf8.count == (bytes.count + 2) / 3 * 4, "base 64 of a wrong length")
}

private func check(_ endpoint: NetworkEndpoint) {
  require((1...65_535).contains(endpoint.port) && !endpoint.host.isEmpty, "\(endpoint)")
  if let url = endpoint.url {
    require(url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "an address with blanks: \(url)")
  }
}

/// Fuzzes the records of gaps in a file or its sidecar.
func fuzzGaps(_ bytes: [UInt8]) {
  let elements = JSONReader.elements(of: bytes[...])
  var end = 0
  for range in elements {
    require(range.lowerBound >= end && range.upperBound <= bytes.count, "elements overlap")
    end = range.upperBound
  }
  let notes = elements.map { GapRecord(Array(bytes[$0])) } + [GapRecord(bytes)]
  for rate in [0, 48_000] {
    for note in notes { _ = note.line(sampleRate: rate) }
    _ = GapRecord.summary(notes, sampleRate: rate)
  }
  let entries = elements.map { Array(bytes[$0]) }
  require(
    GapRecord.entries(entries, within: 1000..<2000).count <= entries.count, "too many records")
  let lossCount = GapRecord.lossCount(elements.map { Array(bytes[$0]) })
  require(lossCount <= elements.count, "more gaps than records")
  if let value = JSONReader.value(bytes[...]) {
    let text = value.encoded
    require(
      JSONReader.value(Array(text.utf8)[...])?.encoded == text, "JSON changes: \(text)")
  }
}

/// Fuzzes requests of players for a playlist of our server, and file names in HLS folders.
func fuzzPlaylist(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  let edge = HLSEdge(
    segment: Int(Int8(bitPattern: input.byte())), partCount: input.choice(9),
    isComplete: input.flag())
  let wanted = [Int(input.byte()), Int(input.word()), .max]
  let partTarget = Duration.microseconds(wanted[1])
  let text = String(decoding: input.rest, as: UTF8.self)
  let names = text.split(whereSeparator: \.isNewline).prefix(50).map(String.init)
  let contents = HLSPlaylistContents(
    edge: edge, names: names, targetDuration: .seconds(names.count), partTarget: partTarget,
    lastSegmentPartCount: edge.partCount, nextPart: names.last)
  let store = HLSMemoryStore()
  do throws(OutputError) {
    try store.publish(text, as: "stream.m3u8", contents: contents)
  } catch {
    require(false, "a playlist is rejected: \(error)")
  }
  guard let playlist = store.playlist("stream.m3u8") else {
    return require(false, "a playlist is missing")
  }
  for segment in wanted {
    for part in [nil, 0, Int(input.byte()), .max] {
      if playlist.reaches(segment: segment, part: part) {
        require(
          !playlist.isTooFar(segment: segment, part: part), "a part that is too far ahead")
      }
    }
  }
  for name in names {
    _ = playlist.hints(at: name)
    if let session = HLSNames.liveSession(of: name, in: "stream.m3u8") {
      require(name.hasPrefix(session) && session.hasPrefix("stream-live-"), "a wrong session")
    }
  }
  if let tag = TransportTimestampTag(parsing: input.rest) {
    require(input.rest.starts(with: tag.bytes), "a wrong tag")
  }
}

/// Fuzzes names of files and devices, titles, and other displayed text.
func fuzzNames(_ bytes: [UInt8]) {
  let text = PathText.decode(bytes)
  require(PathText.encode(text) == bytes, "a name with different bytes")
  let plain = displayed(text)
  require(
    plain.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) },
    "control characters are shown")
  _ = JSONValue.text(text).encoded
  if let name = RecordingName(text) { _ = (name.stem, name.suffix, name.adding("-repaired")) }
  for suffix in ["m4a", "aac"] {
    if let name = RecordingName(requestedName: text, suffix: suffix) {
      require(RecordingName(name.text) == name, "an invalid name: \(name)")
    }
  }
  let suffix = FileName.suffix(text)
  let (file, output) = (FileFormat(path: text), OutputFormat(suffix: suffix))
  if let sound = SoundFileFormat(suffix: suffix) {
    require(
      sound.suffixes.contains(suffix), "“\(suffix)” is not a suffix of \(sound.rawValue)")
    if let file { require(file.rawValue == sound.rawValue, "\(file) and \(sound)") }
    if let output { require(output.suffixes == sound.suffixes, "\(output) and \(sound)") }
  } else {
    require(file == nil && output == nil, "formats of the suffix “\(suffix)”")
  }
  let joined = FileName.joined(FileName.folder(text), FileName.last(text))
  require(FileName.last(joined) == FileName.last(text), "a different name: \(joined)")
  _ = (FileName.suffix(text), FileName.replacingSuffix(text, with: "m4a"), RepairedName.of(text))
  _ = (DeletedRecordings.time(of: text), SyntheticSystem.fileDevice(id: text))
  if let version = PipeWireVersion(text) {
    require(PipeWireVersion("\(version)") == version, "a different version")
  }
  _ = PipeWireGraph.name(in: text)
  checkPipeWire(text, bytes)
  let line = SanitizedLine.of(text, limit: 100)
  // A space and three dots may be added.
  require(line.unicodeScalars.count <= 102, "a line that is too long")
  require(!line.contains { $0.isNewline }, "a line with a line break")
  require(
    SanitizedLine.of(SanitizedLine.ofPage(text)) == SanitizedLine.ofPage(text),
    "a page is not a line")
  let metadata = MetadataFile.metadata(in: text)
  require(metadata.title?.isEmpty != true && metadata.artist?.isEmpty != true, "an empty title")
}

/// Fuzzes command lines with one argument in each line, files of credentials, and keys.
func fuzzArguments(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  let choice = input.choice(10)
  let arguments = input.rest.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(64)
    .map { PathText.decode($0) }
  switch choice {
  case 0: parse(RecordCommand(), arguments)
  case 1:
    if let command = parse(StreamCommand(), arguments) {
      _ = try? LivePlan(command, environment: { _ in nil })
    }
  case 2: parse(StudioCommand(), arguments)
  case 3: parse(DevicesCommand(), arguments)
  case 4: parse(RepairCommand(), arguments)
  case 5: parse(EncodeCommand(), arguments)
  case 6: parse(InspectCommand(), arguments)
  case 7: parse(CompletionsCommand(), arguments)
  case 9: parse(PlayCommand(), arguments)
  default: parseCredentials(input.rest)
  }
  for argument in arguments { checkValues(argument) }
  checkKeys(input.rest)
}

@discardableResult
private func parse<Command: Subcommand>(
  _ command: Command, _ arguments: [String]
) -> Command? {
  do throws(UsageError) {
    return try Command.syntax.parse(arguments, into: command)
  } catch {
    require(!error.text.isEmpty, "a rejection without a reason")
    return nil
  }
}

private func parseCredentials(_ bytes: [UInt8]) {
  guard var credentials = try? Credentials(file: nil, environment: { _ in nil }) else { return }
  try? credentials.parse(String(decoding: bytes, as: UTF8.self))
  guard let address = ServerURL("icecast://radio.example:8000/live") else { return }
  for key in Credentials.Key.allCases { _ = credentials.value(key, for: address) }
}

private func checkValues(_ text: String) {
  if let milliseconds = TimeText.milliseconds(text) {
    require((0...TimeText.limit).contains(milliseconds), "\(milliseconds) ms")
  }
  if let number = DecimalQuantity.parse(text) {
    require((0...1_000_000_000).contains(number), "\(number)")
  }
  _ = DecimalQuantity.parseMilliseconds(text)
  if let gain = Gain.parse(text) {
    require(abs(gain) <= 60 && Gain.factor(decibels: gain).isFinite, "\(gain) dB")
  }
  if !text.hasPrefix("@"), let effects = try? EffectDescription.read(text) {
    let again = try? EffectDescription.parse(EffectDescription.text(effects))
    require(again == effects, "effects change in a round trip")
  }
  if let channels = try? OptionValue.channelMap(text) {
    require(channels.allSatisfy { (0..<1024).contains($0) } && channels.count <= 64, "channels")
  }
  if let bytes = OptionValue.bytes(text) { require(bytes >= 0, "\(bytes) bytes") }
  _ = try? OptionValue.split(text)
  if let target = try? OptionValue.loudness(text) {
    require(target.validationError == nil, "a loudness that is rejected later")
  }
  _ = try? OptionValue.bitrate(text)
  if let range = try? OptionValue.bitrateRange(text, "--adaptive-range") {
    require(range.lowerBound >= 0, "\(range) bits per second")
  }
  _ = RawFormat.named(text)
  _ = NearestName.to(text, among: RawFormat.names)
  checkOrder(text)
}

/// Checks the order of a text and a part of it, and the search for a device name.
private func checkOrder(_ text: String) {
  let part = String(text.dropFirst())
  require(!NaturalOrder.precedes(text, text), "a name comes before itself")
  let both = NaturalOrder.precedes(text, part) && NaturalOrder.precedes(part, text)
  require(!both, "two names come before each other")
  let device = Device(backend: .synthetic, id: part, name: text)
  require((try? DeviceSystems.id(of: text, among: [device])) == part, "a device is not found")
}

private func checkKeys(_ bytes: [UInt8]) {
  var whole = KeyDecoder()
  let keys = whole.keys(in: bytes)
  require(keys.count <= bytes.count, "more keys than bytes")
  var decoder = KeyDecoder()
  let again = pieces(of: bytes).flatMap { decoder.keys(in: $0) }
  require(again == keys, "keys depend on the pieces")
  for key in keys {
    _ = PlayKey(key)
    _ = RecordKey(key)
  }
}
