import AacornSystem
import Testing

@testable import AacornNetwork

/// Decisions about states and errors of Apple's Network framework, which do not need the framework.
@Suite struct NetworkFrameworkTests {
  private func error(_ fault: NetworkFault) -> NetworkError {
    NetworkError(
      fault, at: NetworkEndpoint(host: "192.168.1.7", port: 8000), within: .milliseconds(200))
  }

  @Test func deniedLocalNetworkIsReported() {
    let denied = error(.localNetworkDenied)
    #expect(denied.kind == .unreachable)
    #expect(
      denied.message
        == "This app may not connect to 192.168.1.7:8000, which is in the local network. Allow it in "
        + "the system's settings: Privacy, Local Network.")
    #expect(denied.fault == .connecting("this app may not use the local network"))
  }

  @Test func silenceIsReportedWithTheTimeLimit() {
    #expect(error(.silent) == .noAnswer("192.168.1.7:8000", .milliseconds(200)))
    #expect(error(.silent).fault == .silent)
  }

  @Test func latePermissionIsAwaited() {
    let faults: [NetworkFault] = [
      .unknownName, .unreachable, .noNetwork, .localNetworkDenied, .silent, .noEncryption, .broken,
    ]
    #expect(faults.filter(\.isAwaited) == [.noNetwork, .localNetworkDenied])
  }

  @Test func lostListenerIsRecreatedAtSamePort() {
    final class Listener {}
    let (first, second) = (Listener(), Listener())
    var state = ListenerState<Listener>()
    var ports: [Int?] = []
    state.listener = first
    // The server has not started.
    ports.append(state.remove(first))
    state.port = 8080
    // A second report about the same listener has no effect, also on its successor.
    ports += [state.remove(first), state.remove(first)]
    state.listener = second
    ports += [state.remove(first), state.remove(second)]
    state.listener = first
    // The server has been stopped.
    state.isFinished = true
    ports.append(state.remove(first))
    #expect(ports == [nil, 8080, nil, nil, 8080, nil])
  }
}
