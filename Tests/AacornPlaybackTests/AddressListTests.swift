import Testing

@testable import AacornPlayback

@Suite struct AddressListTests {
  private func first(_ lines: String...) -> String? {
    AddressList.first(in: Array(lines.joined(separator: "\r\n").utf8))
  }

  @Test func theFirstAddressOfAListIsTaken() {
    #expect(first("http://a.example/x", "http://b.example/") == "http://a.example/x")
    #expect(
      first("#EXTM3U", "#EXTINF:-1,Radio", "", " https://a.example/live ", "b")
        == "https://a.example/live")
    #expect(
      first("[Playlist]", "NumberOfEntries=2", "File2=http://b.example/", "file1=http://a.example/")
        == "http://a.example/")
    #expect(
      first(
        "[playlist]", "File1=", "Title2=b", "File2=http://b.example/", "File3=http://c.example/")
        == "http://b.example/")
  }

  @Test func aListWithoutAddressesHasNone() {
    #expect(first("") == nil)
    #expect(first("#EXTM3U", "# nothing") == nil)
    #expect(first("[playlist]", "Title1=Radio", "File1=") == nil)
    #expect(first("[playlist]", "File=http://a.example/", "Filex=http://a.example/") == nil)
  }
}
