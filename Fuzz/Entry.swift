import AacornCommands
import Glibc

private nonisolated(unsafe) var target = FuzzTarget.adts

/// Called by libFuzzer once, before the first input.
@c(LLVMFuzzerInitialize)
func initializeFuzzer(
  _ argumentCount: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer
) -> Int32 {
  // The program contains the command, which make-seeds.py uses.
  if unsafe getenv("AACORN_FUZZ_COMMAND") != nil { RootCommand.runProcess() }
  let name = unsafe getenv("AACORN_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
  guard let chosen = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
    print("AACORN_FUZZ_TARGET must be one of: \(names)")
    exit(2)
  }
  unsafe target = chosen
  return 0
}

/// Called by libFuzzer for every input.
@c(LLVMFuzzerTestOneInput)
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
