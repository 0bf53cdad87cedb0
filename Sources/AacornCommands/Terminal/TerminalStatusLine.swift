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
    console.errors.write("\r\u{1B}[K" + text(columns))
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
}
