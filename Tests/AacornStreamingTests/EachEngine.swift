import Foundation
import Testing

@testable import AacornWeb

/// Runs the tests of the server with each HTTP engine.
///
/// The environment variable `AACORN_HTTP_ENGINE` can select one engine.
struct EachEngine: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let name = ProcessInfo.processInfo.environment["AACORN_HTTP_ENGINE"]
    let engines = HTTPServer.Engine.allCases.filter { name == nil || name == "\($0)" }
    try #require(!engines.isEmpty, "AACORN_HTTP_ENGINE names none.")
    for engine in engines {
      try await HTTPServer.Engine.$standard.withValue(engine) { try await function() }
    }
  }
}

extension Trait where Self == EachEngine {
  static var eachEngine: EachEngine { EachEngine() }
}
