import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())

/// Removes `name` and its value from the arguments, and returns the value.
@MainActor func option(_ name: String) -> String? {
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
  let value = arguments[index + 1]
  arguments.removeSubrange(index...index + 1)
  return value
}

let aacorn = option("--aacorn")
let minutes = option("--minutes").flatMap { Int($0) } ?? 10
let rounds = option("--rounds").flatMap { Int($0) } ?? 3
let rate = option("--rate").flatMap { Int($0) } ?? 128_000
let effort = option("--effort") ?? "balanced"
var without: [String] = []
while let name = option("--without") { without.append(name) }
let part = arguments.first ?? "all"

do {
  var isFine = true
  switch part {
  case "frames" where arguments.count == 3:
    try Instructions.encode(effort: arguments[1], frames: Int(arguments[2]) ?? 0)
  // The laboratory calls this command.
  case "encode" where arguments.count == 3:
    try EncodeFile.run(
      arguments[1], to: arguments[2], bitrate: rate, effort: effort, without: without)
  case "tools": for (name, _) in EncodeFile.tools { print(name) }
  case "music" where arguments.count == 2:
    try Music.write(minutes: max(1, minutes), to: arguments[1])
  case "all", "compare", "stages", "instructions", "allocations", "effects":
    if part == "all" || part == "compare" {
      guard let aacorn else { throw Failure("use --aacorn PATH, or use Benchmarks/run") }
      try Comparison(aacorn: aacorn, minutes: max(1, minutes), rounds: max(1, rounds)).run()
    }
    if part == "all" || part == "stages" { try Stages.run() }
    if part == "all" || part == "instructions" { try Instructions.run() }
    if part == "all" || part == "allocations" { isFine = try Allocations.run() }
    if part == "all" || part == "effects" { isFine = try EffectSpeed.run() && isFine }
  default:
    throw Failure(
      "parts are compare, stages, instructions, allocations, effects and all; encode IN.wav OUT.aac, tools "
        + "and music OUT.wav are for the laboratory")
  }
  exit(isFine ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
  exit(2)
}
