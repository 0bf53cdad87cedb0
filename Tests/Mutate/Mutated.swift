// Scripts/mutate adds this file to each mutated module.

/// Returns whether a mutant is the chosen one; Chosen.swift has the function.
@_noAllocation @_silgen_name("aacorn_mutated") func mutated(_ number: Int) -> Bool

func mutatedAnd(_ number: Int, _ left: Bool, _ right: @autoclosure () -> Bool) -> Bool {
  mutated(number) ? left || right() : left && right()
}

func mutatedOr(_ number: Int, _ left: Bool, _ right: @autoclosure () -> Bool) -> Bool {
  mutated(number) ? left && right() : left || right()
}
