import AacornSystem

/// A line at the bottom of the terminal that is redrawn repeatedly.
struct TerminalStatusLine: Sendable {
  private let console: Console
  private var isDrawn = false

  init(in console: Console) {
    self.console = console
  }

  /// Draws the text for the terminal's number of columns.
  mutating func draw(_ text: (Int) -> String) {
    // In the background, or if the terminal accepts no output, drawing would block.
    guard
      System.isTerminal(System.standardError) == false
        || (System.isInForeground(System.standardError) && System.isWritable(System.standardError))
    else { return }
    let columns =
      System.isTerminal(System.standardError)
      ? System.columns(ofTerminal: System.standardError) : console.columns
    console.errors.write("\r\u{1B}[K" + displayed(text(columns)))
    console.errors.flush()
    isDrawn = true
  }

  /// Clears the line so that other text can be printed.
  mutating func clear() {
    if isDrawn {
      console.errors.write("\r\u{1B}[K")
      console.errors.flush()
    }
    isDrawn = false
  }

  /// Returns the usable width of a terminal.
  ///
  /// The last column stays free: some terminals start a new line after it.
  static func width(ofColumns columns: Int) -> Int { max(1, columns - 1) }

  /// Returns how many of a bar's `width` columns a level in decibels fills.
  ///
  /// The bar ranges from −60 dB to full scale.
  static func columns(ofLevel decibels: Double, of width: Int) -> Int {
    let minDecibels = -60.0
    guard decibels > minDecibels else { return 0 }
    let part = min(1, 1 - decibels / minDecibels)
    return max(1, Int((part * Double(width)).rounded()))
  }

  static func truncate(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
  }
}
