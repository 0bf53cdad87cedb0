#if os(Linux)
/// The sound cards that were there at the last look.
struct ALSACards {
  private var numbers: [Int32]

  init(_ library: ALSALibrary) {
    numbers = library.cards
  }

  /// Has the library reread its configuration, parts of which come with the cards, if cards have
  /// come or gone.
  mutating func look(_ library: ALSALibrary) {
    let cards = library.cards
    if cards == numbers { return }
    numbers = cards
    library.forgetConfiguration()
  }
}
#endif
