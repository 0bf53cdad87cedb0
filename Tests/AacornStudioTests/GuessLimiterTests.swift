import AacornNetwork
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

@Suite("Wrong tokens") struct GuessLimiterTests {
  private static let second: Int64 = 1_000_000_000

  private static func request(_ neighborhood: UInt64) -> HTTPRequest {
    var request = HTTPRequest(remoteAddress: "192.168.1.\(neighborhood)")
    request.neighborhood = neighborhood
    return request
  }

  @Test func repeatedGuessCountsOnce() {
    let limiter = GuessLimiter { Issue.record("reported: \($0)") }
    for number in 0..<100 {
      limiter.recordWrong("the token of yesterday", in: Self.request(1), now: Int64(number))
    }
    #expect(!limiter.isExhausted(for: Self.request(1), now: 100))
  }

  @Test func repeatedGuessesOfFourClientsCountOnce() {
    let limiter = GuessLimiter { Issue.record("reported: \($0)") }
    for number in 0..<100 {
      limiter.recordWrong("old token \(number % 4)", in: Self.request(1), now: 0)
    }
    #expect(!limiter.isExhausted(for: Self.request(1), now: 0))
  }

  @Test func neighborhoodsHaveSeparateBudgets() {
    let limiter = GuessLimiter()
    for number in 0..<GuessLimiter.burst {
      #expect(!limiter.isExhausted(for: Self.request(1), now: 0))
      limiter.recordWrong("\(number)", in: Self.request(1), now: 0)
    }
    #expect(limiter.isExhausted(for: Self.request(1), now: 0))
    #expect(!limiter.isExhausted(for: Self.request(2), now: 0))
    // One more guess is allowed after each interval.
    #expect(limiter.isExhausted(for: Self.request(1), now: GuessLimiter.interval - 1))
    #expect(!limiter.isExhausted(for: Self.request(1), now: GuessLimiter.interval))
    limiter.recordWrong("another", in: Self.request(1), now: GuessLimiter.interval)
    #expect(limiter.isExhausted(for: Self.request(1), now: GuessLimiter.interval))
  }

  @Test func manyNeighborhoodsShareABudget() {
    let reports = Lock<[String]>([])
    let limiter = GuessLimiter { message in reports.withLock { $0.append(message) } }
    for number in 1...1000 {
      limiter.recordWrong("\(number)", in: Self.request(UInt64(number)), now: 0)
    }
    // The first neighborhoods have their own budget; a new one is slowed by the others.
    #expect(!limiter.isExhausted(for: Self.request(1), now: 0))
    #expect(limiter.isExhausted(for: Self.request(1001), now: 0))
    #expect(reports.withLock { $0.count } == 1)
    // Later, new neighborhoods replace the old ones.
    let later = 100 * Self.second
    limiter.recordWrong("x", in: Self.request(1002), now: later)
    #expect(!limiter.isExhausted(for: Self.request(1002), now: later))
  }

  @Test func burstsAreReportedWithTheirCount() {
    let reports = Lock<[String]>([])
    let limiter = GuessLimiter { message in reports.withLock { $0.append(message) } }
    for number in 0..<5000 {
      limiter.recordWrong("\(number)", in: Self.request(7), now: Int64(number) * Self.second / 4)
    }
    // 1250 seconds with a report every 600 seconds.
    let counts = reports.withLock { $0 }.compactMap { message in
      message.split(separator: " ").compactMap { Int($0) }.first
    }
    #expect(counts.count == 3 && counts[0] < 20 && counts[1] == 2400 && counts[2] == 2400)
    #expect(reports.withLock { $0 }.allSatisfy { $0.contains("192.168.1.7") })
  }
}

/// A client that guesses the token, and the owner of the studio.
@Suite("Guessing the token", .simulated(seeds: 4), .needsSimulation)
struct TokenGuessingTests {
  private let token = "correct horse battery"

  @Test func guessesAreSlowedExceptForTheOwner() throws {
    let folder = try StudioFolderRig()
    let reports = Lock<[String]>([])
    let studio = try StudioServer(
      StudioConfiguration(folder: folder.path, access: .token(token)), systems: [],
      reportIncident: { message in reports.withLock { $0.append(message) } })
    defer { studio.stop() }
    func login(_ token: String) throws -> StudioClient.Answer {
      try studioAnswer(port: studio.port, "/api/login", form: "token=\(token)")
    }
    let welcome = try login("correct%20horse%20battery")
    #expect(welcome.status == 200)
    let cookie = try #require(welcome.headers["set-cookie"]?.split(separator: ";").first)
    let owner = ["Cookie: \(cookie)"]

    // Each status for wrong tokens in headers, in the address and in the form, for a minute.
    var statuses: [Int: Int] = [:]
    let start = System.seconds
    var number = 0
    while System.seconds - start < 60 {
      number += 1
      let status =
        switch number % 3 {
        case 0: try login("guess\(number)").status
        case 1: try studioAnswer(port: studio.port, "/?token=guess\(number)").status
        default:
          try studioAnswer(
            port: studio.port, "/api/state", headers: ["Authorization: Bearer guess\(number)"]
          ).status
        }
      statuses[status, default: 0] += 1
      if number % 20 == 0 {
        expectDuration(0...1) {
          #expect(
            (try? studioAnswer(port: studio.port, "/api/state", headers: owner))?.status == 200)
        }
      }
      System.sleep(milliseconds: 100)
    }
    // The initial budget, and one guess per interval.
    let allowed = GuessLimiter.burst + 60 * 1_000_000_000 / Int(GuessLimiter.interval)
    #expect((statuses[401] ?? 0) <= allowed + 1, "\(statuses)")
    #expect(statuses.keys.sorted() == [401, 429], "\(statuses)")
    // While the budget is used up, the right token is not compared either.
    repeat {
      number += 1
      System.sleep(milliseconds: 100)
    } while try login("guess\(number)").status != 401
    let early = try login("correct%20horse%20battery")
    #expect(early.status == 429 && early.headers["retry-after"] == "4")
    #expect(early.error.contains("Too many wrong tokens"))
    #expect(eventually { reports.withLock { $0.count } == 1 })
    #expect(reports.withLock { $0[0] }.contains("wrong tokens or codes"))
    let state = try studioAnswer(port: studio.port, "/api/state", headers: owner).json
    #expect((state["messages"] as? [[String: Any]])?.count == 1)
    System.sleep(milliseconds: 5000)
    #expect(try login("correct%20horse%20battery").status == 200)
  }

  @Test func randomTokenIsAcceptedDuringGuesses() throws {
    let folder = try StudioFolderRig()
    let studio = try StudioServer(in: folder.path)
    defer { studio.stop() }
    let statuses = try (0..<40).map { number in
      try studioAnswer(port: studio.port, "/?code=guess\(number)").status
    }
    #expect(statuses.prefix(GuessLimiter.burst - 1).allSatisfy { $0 == 401 })
    #expect(statuses.contains(429) && Set(statuses) == [401, 429], "\(statuses)")
    #expect(try studioAnswer(studio, "/api/state").status == 200)
    let path = "/" + (studio.makeOneTimeURLs()[0].split(separator: "/").last ?? "")
    #expect(try studioAnswer(port: studio.port, path).status == 303)
  }
}

/// Clients that send their uploads slowly, and a page.
@Suite("Slow uploads", .simulated(seeds: 3), .needsSimulation)
struct SlowUploadTests {
  @Test func smallRequestsAreAnsweredWithinASecond() throws {
    let folder = try StudioFolderRig()
    let studio = try StudioServer(in: folder.path)
    defer { studio.stop() }
    let begun = try studioAnswer(studio, "/api/uploads", form: "name=a.wav")
    let id = try #require(begun.json["id"] as? String)
    let slow = try (0..<40).map { _ in
      let client = try StudioClient(studio)
      client.ask(
        "/api/uploads/\(id)?at=0", method: "PUT",
        headers: ["Content-Length: \(StudioServer.uploadLimit)"])
      return client
    }
    for _ in 0..<50 {
      for client in slow { client.send([1]) }
      try expectDuration(0...1) {
        let answer = try studioAnswer(studio, "/api/gain", form: "gain=-3")
        #expect(answer.status == 200, "\(answer.text)")
      }
      System.sleep(milliseconds: 500)
    }
  }
}
