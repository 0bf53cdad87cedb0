/// Texts in a sentence: “a”, “a and b” or “a, b and c”; `word` stands before the last.
package func listed(_ texts: [String], _ word: String = "and") -> String {
  guard texts.count > 1, let last = texts.last else { return texts.first ?? "" }
  return "\(texts.dropLast().joined(separator: ", ")) \(word) \(last)"
}
