import AacornNetwork
import AacornStreaming
import AacornSystem
import Testing

@testable import AacornCommands

/// The sources of passwords and keys, and their removal from all output.
@Suite struct StreamCredentialsTests {
  private let folder = TemporaryFolder()

  /// Writes a credentials file with these permissions.
  private func file(_ text: String, mode: Int = 0o600) throws -> String {
    let path = try folder.write(text, to: "keys")
    folder.setPermissions(mode, of: "keys")
    return path
  }

  private func plan(_ arguments: [String]) throws -> LivePlan {
    try LivePlan(
      arguments, environment: ["AACORN_ICECAST_PASSWORD": "ice-env", "AACORN_RTMP_KEY": "rtmp-env"])
  }

  private func address(_ text: String) throws -> ServerURL {
    try #require(ServerURL(text))
  }

  @Test func serverEntryPrecedesGeneralEntryAndEnvironment() throws {
    let path = try file(
      """
      # passwords
      icecast-password = general
      ; keys
      rtmp-key=k=1 2

      [Radio.example]
      icecast-password = host
      [radio.example:8000]
      icecast-password =   port \t
      [radio.example:8000/live]
      icecast-password = mount
      icecast-user = dj
      [[::1]:8000]
      icecast-password = six
      """)
    let credentials = try Credentials(file: path) { name in
      ["AACORN_ICECAST_PASSWORD": "environment", "AACORN_ICECAST_USER": "me"][name]
    }
    func password(_ text: String) throws -> String? {
      credentials.value(.icecastPassword, for: try address(text))?.text
    }
    #expect(try password("icecast://other/a") == "general")
    #expect(try password("icecast://radio.example/a") == "host")
    #expect(try password("icecast://RADIO.example:8000/a") == "port")
    #expect(try password("icecast://radio.example:8000/live") == "mount")
    #expect(try password("icecast://[::1]:8000/live") == "six")
    let key = credentials.value(.rtmpKey, for: try address("rtmp://other/app"))
    #expect(key?.text == "k=1 2")
    let mount = try address("icecast://radio.example:8000/live")
    #expect(credentials.value(.icecastUser, for: mount)?.text == "dj")
    #expect(credentials.value(.icecastUser, for: try address("icecast://x/y"))?.text == "me")
    let none = try Credentials(file: nil) { $0 == "AACORN_RTMP_KEY" ? "" : nil }
    #expect(none.value(.rtmpKey, for: try address("rtmp://x/y")) == nil)
    let environment = try Credentials(file: nil) { $0 == "AACORN_RTMP_KEY" ? "secret" : nil }
    #expect(environment.value(.rtmpKey, for: try address("rtmp://x/y"))?.text == "secret")
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o660])
  func aFileThatOthersMayReadIsRefused(mode: Int) throws {
    let path = try file("rtmp-key = topsecret", mode: mode)
    let error = #expect(throws: UsageError.self) {
      try Credentials(file: path) { _ in nil }
    }
    #expect(error?.text.contains("chmod 600 \(path)") == true)
    #expect(error?.text.contains("topsecret") == false)
  }

  @Test func serviceManagerCredentialsMayBeGroupReadable() throws {
    let path = try file("rtmp-key = topsecret", mode: 0o440)
    let credentials = try Credentials(file: path) { name in
      name == "CREDENTIALS_DIRECTORY" ? folder.path : nil
    }
    #expect(credentials.value(.rtmpKey, for: try address("rtmp://h/a"))?.text == "topsecret")
    #expect(throws: UsageError.self) {
      try Credentials(file: try file("rtmp-key = topsecret", mode: 0o444)) { name in
        name == "CREDENTIALS_DIRECTORY" ? folder.path : nil
      }
    }
  }

  @Test(arguments: ["topsecret", "rtmp-kex = topsecret", "rtmp-key =", "=topsecret", "[x"])
  func invalidLineErrorOmitsContent(text: String) throws {
    let path = try file("# one\n" + text)
    let error = #expect(throws: UsageError.self) { try Credentials(file: path) { _ in nil } }
    #expect(error?.text.hasPrefix("Line 2 ") == true)
    #expect(error?.text.contains("topsecret") == false)
    #expect(throws: UsageError.self) { try Credentials(file: folder.path("no")) { _ in nil } }
    #expect(throws: UsageError.self) { try Credentials(file: folder.path) { _ in nil } }
  }

  @Test func credentialsInAddressTakePrecedence() throws {
    let file = try file("icecast-password = ice-file\nrtmp-key = rtmp-file")
    let own = try plan([
      "--credentials", file, "--icecast", "icecast://me:ice%21own@h/a", "--rtmp",
      "rtmp://h/app/rtmp-own?x=1",
    ])
    #expect(own.warnings.count == 2)
    #expect(own.redactor.clean("ice!own ice%21own rtmp-own rtmp-own?x=1") == "••• ••• ••• •••")
    let other = try plan([
      "--credentials", file, "--icecast", "icecast://me@h/a", "--rtmp", "rtmp://h/app/",
    ])
    #expect(other.warnings.isEmpty)
    let from = try plan(["--icecast", "icecast://h/a", "--rtmp", "rtmp://h/app"])
    var seen: [String] = []
    for output in own.outputs + other.outputs + from.outputs {
      switch output {
      case .server(.icecast(let configuration)):
        seen.append(configuration.user + ":" + configuration.password)
      case .server(.rtmp(let configuration)):
        seen.append(configuration.application + "/" + configuration.streamKey)
      case .hls, .save: Issue.record("The option was not given.")
      }
    }
    #expect(
      seen == [
        "me:ice!own", "app/rtmp-own?x=1", "me:ice-file", "app/rtmp-file", "source:ice-env",
        "app/rtmp-env",
      ])
  }

  @Test(arguments: [
    ("icecast://h:8000/a", nil, "icecast://h:8000/a"),
    ("icecast://source@h:8000/a", nil, "icecast://h:8000/a"),
    (
      "icecast://source:pa:s@s@h:8000/a", "icecast://source:xxxxxx@h:8000/a", "icecast://h:8000/a"
    ),
    ("rtmp://H/app/k/ey?a=/b", "rtmp://H/app/k/xxxxxxx", "rtmp://h/app/k"),
    ("rtmp://h/app", nil, "rtmp://h/app"),
    ("rtmp://h/app/", nil, "rtmp://h/app/"),
    ("rtmp://h/app?user=u", "rtmp://h/app?xxxxxx", "rtmp://h/app"),
    ("rtmps://u:pw@[::1]:1/a/k", "rtmps://u:xx@[::1]:1/a/x", "rtmps://[::1]:1/a"),
    ("http://u:pw@proxy:3128", "http://u:xx@proxy:3128", "http://proxy:3128"),
    ("icecast://h/a/b?token=t", "icecast://h/a/b?xxxxxxx", "icecast://h/a/b"),
    ("icecast://u:p/w@h:1/a", "icecast://u:xxx@h:1/a", "icecast://h:1/a"),
    // Secrets are also hidden in addresses with an unknown scheme.
    ("rtmpt://h/app/key", "rtmpt://h/app/xxx", "rtmpt://h/app"),
    ("srt://h:9000?passphrase=pw", "srt://h:9000?xxxxxxxxxxxxx", "srt://h:9000"),
    ("new://u:pw@h/a/key?b=c", "new://u:xx@h/a/xxxxxxx", "new://h/a"),
  ])
  func displayedAddressesHaveNoSecrets(
    text: String, masked: String?, shown: String
  ) throws {
    let address = try address(text)
    #expect(address.masked == masked)
    #expect(address.shown == shown)
    #expect(address.secrets.isEmpty == (masked == nil))
  }

  @Test func theProxysPasswordIsHiddenWithOrWithoutAScheme() throws {
    for (text, masked) in [
      ("user:p@ss@proxy:3128", "user:xxxx@proxy:3128"),
      ("http://user:pass@proxy", "http://user:xxxx@proxy"),
      ("socks5h://u:pass@[::1]:1", "socks5h://u:xxxx@[::1]:1"),
    ] {
      #expect(ServerURL(proxy: text)?.text == text)
      #expect(ServerURL(proxy: text)?.masked == masked)
      let plan = try plan(["--icecast", "icecast://h:8000/a", "--proxy", text])
      #expect(plan.warnings.count == 1)
      #expect(plan.warnings[0].contains("omit --proxy and set https_proxy"))
      let password = try #require(ServerURL(proxy: text)?.password?.text)
      #expect(!plan.redactor.clean("the proxy says “\(password)”").contains(password))
    }
    #expect(ServerURL(proxy: "proxy:3128")?.masked == nil)
    #expect(try plan(["--icecast", "icecast://h:8000/a", "--proxy", "proxy:1"]).warnings.isEmpty)
  }

  @Test func aNamedPipeIsRefusedRatherThanWaitedFor() throws {
    folder.makePipe("pipe")
    #expect(throws: UsageError.self) {
      try Credentials(file: folder.path("pipe")) { _ in nil }
    }
  }

  @Test func invalidServerURLIsNil() {
    for text in ["", "://", "://h", "h:8000/a", "icecast:/h", "icecast://", "icecast:///a"] {
      #expect(ServerURL(text) == nil, "\(text)")
    }
  }

  @Test func secretsAreHiddenInDescriptions() {
    let secret = Secret("topsecret")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", "\([secret])", String(reflecting: ["x": secret]), dumped] {
      #expect(!text.contains("topsecret"))
    }
    #expect(Redactor([secret]).clean("key topsecret, topsecret.") == "key •••, •••.")
    // The longer secret is replaced first, or its end would remain.
    #expect(Redactor([Secret("abcd"), Secret("abcdef")]).clean("abcdef") == "•••")
    #expect(Redactor([Secret("a")]).clean("a banana") == "a banana")
  }
}
