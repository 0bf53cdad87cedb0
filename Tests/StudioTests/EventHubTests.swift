import Testing

@testable import Studio

@Suite("Pages that listen")
struct EventHubTests {
  @Test func nobodyListensAtFirst() {
    #expect(EventHub().listenerCount == 0)
  }
}
