public import Testing

extension Tag {
  /// Marks tests that use other software: sound servers, streaming servers, browsers.
  ///
  /// A test with this tag that fails runs again, alone and after all other tests; only a second
  /// failure counts. Scripts/run-tests and Scripts/run-checks do that.
  @Tag public static var smoke: Self
}
