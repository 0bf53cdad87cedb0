import AacornSystem
import Testing

@testable import AacornNetwork

@Suite struct HTTPSocketLinksTests {
  @Test func openLinksAreFoundAfterOneHasClosed() throws {
    let wakePipe = try #require(System.makePipe())
    let listener = try #require(System.makePipe())
    let pipes = try (0..<4).map { _ in try #require(System.makePipe()) }
    let links = SocketLinks(wake: wakePipe.reading, listener: listener.reading)
    let all = pipes.map { links.add($0.reading) }
    defer {
      for link in all { link.close() }
      for end in pipes.map(\.writing) + [wakePipe, listener].flatMap({ [$0.reading, $0.writing] }) {
        try? System.close(end)
      }
    }
    func ready(isAccepting: Bool = true) -> (links: [Int?], hasClient: Bool) {
      let (ready, hasClient) = links.wait(isAccepting: isAccepting, milliseconds: 0)
      return (ready.map { link, _ in all.firstIndex { $0 === link } }, hasClient)
    }
    for pipe in pipes { System.wake(pipe.writing) }
    // A link that does not wait for bytes is not ready.
    for index in [0, 2, 3] { all[index].receive() }
    #expect(ready().links == [0, 2, 3])
    // The last link takes the place of the closed one.
    all[0].close()
    #expect(Set(ready().links) == [2, 3])
    all[3].close()
    all[1].receive()
    #expect(Set(ready().links) == [1, 2])
    #expect(ready().hasClient == false)
    System.wake(listener.writing)
    #expect(ready(isAccepting: false).hasClient == false)
    #expect(ready().hasClient)
  }
}
