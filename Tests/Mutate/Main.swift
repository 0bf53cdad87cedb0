import Foundation
import SwiftOperators
import SwiftParser

/// Rewrites files in place, and prints the mutants, separated by the character 0x1E.
///
/// Each line of the input is the path of a file and the lines of code that get no mutants.
@main struct Main {
  static func main() throws {
    var next = 1
    while let words = readLine()?.split(separator: " ") {
      let path = String(words[0])
      let source = try String(contentsOfFile: path, encoding: .utf8)
      let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
      let skipped = Set(words.dropFirst().compactMap { Int($0) })
      let mutator = Mutator(path, source, tree, next: next, skipped: skipped)
      let rewritten = mutator.rewrite(tree).description
      try rewritten.write(toFile: path, atomically: false, encoding: .utf8)
      next = mutator.next
    }
  }
}
