import Streaming
import Testing

@Suite struct LiveMetadataTests {
  @Test func artistAndTitleAreOneLine() {
    #expect(LiveMetadata(title: "Prelude", artist: "Anna").line == "Anna - Prelude")
    #expect(LiveMetadata(title: "Prelude").line == "Prelude")
    #expect(LiveMetadata(artist: "Anna").line == "Anna")
    #expect(LiveMetadata().line == nil)
  }
}
