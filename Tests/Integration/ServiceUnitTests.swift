import Foundation
import Testing

/// The systemd units in the documentation.
@Suite struct ServiceUnitTests {
  /// A unit, as systemd reads it.
  struct Unit: CustomTestStringConvertible {
    let name: String
    let text: String
    /// The subcommand of the program.
    let purpose: String
    /// Whether the unit is a template with instances.
    let isTemplate: Bool
    /// The environment file that packages install for the unit's arguments.
    let environment: String
    /// All settings, with continuation lines joined and comments omitted.
    let settings: [(key: String, value: String)]

    var testDescription: String { name }

    init(_ file: URL) throws {
      name = file.lastPathComponent
      text = try String(contentsOf: file, encoding: .utf8)
      purpose = String(
        name.dropFirst("aacorn-".count).dropLast(".service".count).prefix { $0 != "@" })
      isTemplate = name.contains("@")
      environment = try String(
        contentsOf: ServiceUnitTests.root.appendingPathComponent(
          "Packaging/Environment/\(purpose).env"), encoding: .utf8)
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
      settings = lines.replacingOccurrences(of: "\\\n", with: " ").split(separator: "\n")
        .compactMap { line in
          let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    func values(_ key: String) -> [String] { settings.filter { $0.key == key }.map(\.value) }

    /// The values of `$AACORN_ARGUMENTS`: the value in the unit, and the values suggested in
    /// comments of the unit and of the environment file.
    var proposals: [[String]] {
      Self.words(in: text, after: "Environment=\"AACORN_ARGUMENTS=")
        + Self.words(in: environment, after: "AACORN_ARGUMENTS=\"")
    }

    private static func words(in text: String, after start: String) -> [[String]] {
      text.split(separator: "\n").compactMap { line in
        guard let start = line.firstRange(of: start) else { return nil }
        return line[start.upperBound...].prefix { $0 != "\"" }.split(separator: " ").map(
          String.init)
      }
    }
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let units = Result {
    let folder = root.appendingPathComponent("Documentation")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let names = (files?.allObjects as? [URL] ?? []).filter {
      $0.lastPathComponent.hasPrefix("aacorn-") && $0.pathExtension == "service"
    }
    return try names.sorted { $0.path < $1.path }.map(Unit.init)
  }

  private let folder = WorkFolder()

  /// Installs a unit for analysis by systemd, with the path of the tested program.
  private func installed(_ unit: Unit) throws -> String {
    let executable = try Program.aacorn.get().path
    let text = unit.text.replacingOccurrences(of: "/usr/local/bin/aacorn", with: executable)
    #expect(text != unit.text, "\(unit.name)")
    return try folder.write(Array(text.utf8), to: unit.name)
  }

  private func analyze(_ arguments: [String]) throws -> Program.Outcome {
    try Program.find("systemd-analyze", package: "systemd").run(arguments, in: folder)
  }

  @Test func thereAreUnitsForStreamsRecordingsAndTheStudio() throws {
    #expect(try Set(Self.units.get().map(\.purpose)) == ["stream", "record", "studio"])
  }

  @Test func systemdAcceptsUnits() throws {
    for unit in try Self.units.get() {
      let outcome = try analyze(["verify", "--man=no", installed(unit)])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.isEmpty && outcome.text.isEmpty, "\(outcome.errors)\(outcome.text)")
    }
  }

  /// The exposure level of systemd ranges from 0 to 10.
  ///
  /// The option `--threshold` of `systemd-analyze` counts in tenths.
  @Test func unitsHaveLowExposureLevel() throws {
    for unit in try Self.units.get() {
      let outcome = try analyze([
        "security", "--offline=true", "--no-pager", "--threshold=24", installed(unit),
      ])
      #expect(
        outcome.text.contains("Overall exposure level for aacorn-\(unit.purpose)"),
        "\(outcome.errors)")
      #expect(outcome.status == 0, "\(outcome.text)")
    }
  }

  @Test func unitsReadFilesThatPackagesInstall() throws {
    for unit in try Self.units.get() {
      let purpose = unit.purpose
      // The file of an instance is a copy of the installed file, and must exist.
      let file = unit.isTemplate ? "/etc/aacorn/\(purpose)-%i.env" : "-/etc/aacorn/\(purpose).env"
      #expect(unit.values("EnvironmentFile") == [file], "\(unit.name)")
      // The installed environment files change no setting.
      let lines = unit.environment.split(separator: "\n")
      #expect(lines.allSatisfy { $0.hasPrefix("#") }, "\(purpose).env")
      #expect(unit.environment.contains("\n#AACORN_ARGUMENTS=\""), "\(purpose).env")
    }
  }

  @Test func unitCommandsAreValid() throws {
    for unit in try Self.units.get() {
      let command = try #require(unit.values("ExecStart").first).split(separator: " ").map(
        String.init)
      #expect(command.first == "/usr/local/bin/aacorn", "\(unit.name)")
      let usesArguments = command.contains("$AACORN_ARGUMENTS")
      #expect(usesArguments == !unit.proposals.isEmpty, "\(unit.name)")
      for proposal in usesArguments ? unit.proposals : [[]] {
        let arguments = command.dropFirst().flatMap { word in
          word == "$AACORN_ARGUMENTS"
            ? proposal : [word.replacingOccurrences(of: "${CREDENTIALS_DIRECTORY}", with: "/run/c")]
        }
        #expect(!arguments.contains { $0.contains("$") }, "\(arguments)")
        // The program prints the help only if it accepts all arguments before.
        let outcome = try folder.aacorn(arguments + ["--help"])
        #expect(outcome.text.hasPrefix("Usage: aacorn \(arguments[0]) "), "\(outcome.text)")
      }
    }
  }

  /// After a signal, the program has time to complete its files.
  @Test func unitsStopWithSIGTERMAndTimeout() throws {
    for unit in try Self.units.get() {
      #expect(unit.values("KillSignal").allSatisfy { $0 == "SIGTERM" }, "\(unit.name)")
      let seconds = try #require(unit.values("TimeoutStopSec").first.flatMap { Int($0) })
      #expect(seconds >= 20, "\(unit.name)")
      #expect(unit.values("Restart") == ["on-failure"], "\(unit.name)")
      #expect(unit.values("RestartPreventExitStatus").contains { $0.contains("2") }, "\(unit.name)")
    }
  }
}
