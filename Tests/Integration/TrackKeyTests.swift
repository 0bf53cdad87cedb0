import Foundation
import Testing

/// Keys that start and stop tracks, typed at a terminal.
@Suite struct TrackKeyTests {
  let folder = WorkFolder()

  /// A script that runs a program at its own terminal, waits for the text of each step, and types
  /// the step's key, if any.
  private static let driver = """
    import os, pty, select, sys, time
    steps = [os.fsencode(step).split(b"=>") for step in sys.argv[1].split("|")]
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        os.execv(sys.argv[2], sys.argv[2:])
    seen, deadline = b"", time.monotonic() + 60
    while True:
        if steps and steps[0][0] in seen:
            os.write(terminal, steps.pop(0)[1])
            seen = b""
            continue
        if not select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
            os.kill(process, 9)
            sys.exit(f"It does not say what {steps} wait for, but: {seen}")
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        sys.stdout.buffer.write(piece)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    """

  @Test(arguments: [["record", "show.m4a"], ["stream", "--save", "show.m4a"]])
  func aKeyStartsAndStopsItsTrack(command: [String]) throws {
    let steps = [
      "Keys that start and stop tracks: 1 “bed”, 2 “end”.=>2", "The track “end” starts.=>2",
      "The track “end” stops.=>1", "The track “bed” stops.=>",
      // The recording contains audio that is worth keeping.
      " kB=>q",
    ]
    let python = try Program.find("python3", package: "python3")
    let outcome = try python.run(
      ["-c", Self.driver, steps.joined(separator: "|"), try Program.aacorn.get().path] + command
        + ["--source", "bed=tone", "--source", "end=speech", "--start-track", "end=key"],
      in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)\(outcome.text)")
    try folder.aacorn("inspect", "show.m4a")
  }
}
