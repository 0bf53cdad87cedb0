import AacornContainers
import AacornRecording

/// The program of a transport stream that contains the AAC, human-readable and as JSON.
struct ProgramFacts {
  private let program: TransportProgram

  /// Creates the facts; nil if there is no program.
  init?(_ program: TransportProgram?) {
    guard let program else { return nil }
    self.program = program
  }

  /// A human-readable line.
  var line: String {
    var text = "\(program.number)"
    if program.programCount > 1 { text += ", one of \(program.programCount)" }
    text += "; AAC in \(framing), PID \(program.identifier); map in PID \(program.mapIdentifier)"
    let others = program.streams.filter { $0.identifier != program.identifier }
    if !others.isEmpty {
      let names = others.map { "\(Self.name($0.type)) in PID \($0.identifier)" }
      text += "; also " + names.joined(separator: ", ")
    }
    if program.packetByteCount != 188 { text += "; packets of \(program.packetByteCount) bytes" }
    return text
  }

  /// The program as JSON.
  var json: JSONValue {
    let streams = program.streams.map { stream -> JSONValue in
      .object([
        .init("type", .integer(Int(stream.type))), .init("pid", .integer(stream.identifier)),
      ])
    }
    return .object([
      .init("number", .integer(program.number)), .init("programs", .integer(program.programCount)),
      .init("mapPid", .integer(program.mapIdentifier)),
      .init("pid", .integer(program.identifier)), .init("framing", .text(framing)),
      .init("packetBytes", .integer(program.packetByteCount)), .init("streams", .list(streams)),
    ])
  }

  private var framing: String { program.isLOAS ? "LATM" : "ADTS" }

  /// Returns the name of a stream type.
  private static func name(_ type: UInt8) -> String {
    TransportProgram.name(ofType: type).map { "\($0)" } ?? "type \(type)"
  }
}
