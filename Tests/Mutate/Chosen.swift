import Glibc

/// The chosen mutant, and the mutants that this process has reached.
///
/// Scripts/mutate appends this file to Tests/Runner.swift, which every program of tests contains.
private enum Chosen {
  /// The number in AACORN_MUTANT; 0 for the original code.
  static let number = getenv("AACORN_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
  /// The memory of the file that AACORN_MUTANTS_REACHED names: one byte for each mutant.
  ///
  /// It is the file itself, so it survives a crash.
  nonisolated(unsafe) static let reached: UnsafeMutablePointer<UInt8>? = {
    guard let path = getenv("AACORN_MUTANTS_REACHED") else { return nil }
    let file = open(path, O_RDWR)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else { fatalError("The file cannot be opened.") }
    let memory = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let memory, memory != MAP_FAILED else { fatalError("The file cannot be mapped.") }
    return memory.assumingMemoryBound(to: UInt8.self)
  }()
}

/// Returns whether a mutant is the chosen one, and records that it was reached.
@_silgen_name("aacorn_mutated")
public func mutated(_ number: Int) -> Bool {
  Chosen.reached?[number] = 1
  return number == Chosen.number
}
