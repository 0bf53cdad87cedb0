/// Joins texts for a sentence: “a”, “a and b” or “a, b and c”; `word` precedes the last text.
package func listed(_ texts: [String], _ word: String = "and") -> String {
  guard texts.count > 1, let last = texts.last else { return texts.first ?? "" }
  return "\(texts.dropLast().joined(separator: ", ")) \(word) \(last)"
}
