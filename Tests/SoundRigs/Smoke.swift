public import Testing

extension Tag {
  /// Marks tests that talk to programs of others: sound servers, streaming servers, browsers.
  ///
  /// A test with this tag that fails runs once more, alone and after all other tests; only a second
  /// failure counts. Scripts/run-tests and Scripts/run-checks do that.
  @Tag public static var smoke: Self
}
