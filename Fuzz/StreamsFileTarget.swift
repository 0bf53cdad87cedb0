import AacornStreaming

@testable import AacornCommands

/// Fuzzes a configuration file of streams.
func fuzzStreamsFile(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let file = StreamsFile(text)
  let names = file.sections.map(\.name)
  for section in file.sections {
    for assignment in file.assignments(of: section, from: file.general) {
      require(!assignment.option.isEmpty, "an option without a name")
    }
  }
  do throws(StreamsMistakes) {
    let list = try StreamList(text, from: "a.conf", isPrivate: false, StreamCommand()) { _ in nil }
    require(list.entries.map(\.name) == names, "the streams differ from the file")
    require(Set(names).count == names.count, "two streams with one name")
    require(!names.isEmpty, "a file without a stream")
    // Names become parts of paths and addresses.
    for name in names {
      require(!name.isEmpty && !name.hasPrefix(".") && !name.contains("/"), "name: \(name)")
    }
  } catch {
    require(!error.messages.isEmpty, "a rejection without a reason")
    // An address may contain a password.
    for message in error.messages {
      require(!message.contains("\n"), "a message of two lines: \(message)")
    }
  }
}
