#if os(Linux)
/// The sound cards present at the last check.
struct ALSACards {
  private var numbers: [Int32]

  init(_ library: ALSALibrary) {
    numbers = library.cards
  }

  /// Makes the library read its configuration again if cards were connected or disconnected.
  ///
  /// The cards provide parts of the configuration.
  mutating func refresh(_ library: ALSALibrary) {
    let cards = library.cards
    if cards == numbers { return }
    numbers = cards
    library.discardConfiguration()
  }
}
#endif
