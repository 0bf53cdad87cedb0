import AacornContainers
import Foundation
import TestSignals
import Testing

@testable import AacornInspection

/// Repair reports are correct: an inspection finds no error in files reported as intact or created.
struct RepairPromiseTests {
  /// Records an issue if the reported outcome for a file is wrong; returns the outcome as a word.
  @discardableResult
  private func check(_ file: [UInt8], _ name: String) -> String {
    let isSound = errors(in: file).isEmpty
    switch repair(file) {
    case .intact:
      #expect(isSound, "\(name) is not intact")
      return "intact"
    case .repairable(let plan):
      let new = plan.made(from: file)
      #expect(errors(in: new).isEmpty, "\(name) is repaired and has errors")
      #expect(repair(new).isIntact, "\(name) is repaired and in need of repair")
      if let healed = plan.healed(file) {
        #expect(errors(in: healed).isEmpty, "\(name) is repaired in place and has errors")
      }
      if case .movie = plan.container { #expect(movieFrames(new).count == plan.frameCount) }
      return "repaired"
    case .needsConfiguration(let choices):
      #expect(choices.count > 1 && !isSound)
      return "ambiguous"
    case .irreparable:
      #expect(!isSound, "\(name) has no error and is refused")
      return "irreparable"
    }
  }

  @Test(arguments: DamagedKind.allCases)
  func repairOutcomeMatchesInspectionForAnyDamage(kind: DamagedKind) throws {
    var counts: [String: Int] = [:]
    var numbers = SeededNumbers(seed: 20)
    for number in 0..<4 {
      let original = try kind.file(number)
      for damage in Damage.allCases {
        for round in 0..<2 {
          let file = damage.done(to: original, &numbers)
          counts[check(file, "\(kind) \(number) \(damage) \(round)"), default: 0] += 1
        }
      }
    }
    // A repair that rejects every file would pass the checks as well.
    #expect(counts["repaired", default: 0] > 30, "\(counts)")
  }

  @Test func intactDataIsNeverReportedAsDamaged() throws {
    for kind in DamagedKind.allCases where kind != .recording {
      #expect(check(try kind.file(1), kind.rawValue) == "intact")
    }
    #expect(check(try DamagedKind.recording.file(1), "recording") == "repaired")
  }

  /// The files in `Damaged`, in folders named after the outcome.
  private static var stored: [String] {
    let folder = Bundle.module.bundleURL.appending(path: "Damaged").path
    let paths = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String]
    return (paths ?? []).filter { $0.contains(".") }.sorted()
  }

  @Test func storedFileOutcomesMatchTheirFolders() throws {
    #expect(Self.stored.count > 30)
    for path in Self.stored {
      let url = Bundle.module.bundleURL.appending(path: "Damaged/" + path)
      let file = [UInt8](try Data(contentsOf: url))
      #expect(check(file, path) == String(path.split(separator: "/")[0]), "\(path)")
    }
  }
}
