/// The messages of a command that runs for a long time.
struct ReportChoice: Sendable {
  /// Whether events and the result are printed as JSON.
  var printsJSON = false
  /// Whether levels are printed as well.
  var printsLevels = false
  /// Whether `--verbose` was given; see `isVerbose`.
  var wantsDetails = false
  /// Whether only errors are printed.
  var isQuiet = false

  /// Whether the settings and the reasons for them are printed.
  var isVerbose: Bool { wantsDetails && !isQuiet }
}
