#ifndef CMUTANTS_H
#define CMUTANTS_H

#include <stdbool.h>
#include <stdint.h>

// The switch in mutated code. The number of the active mutant is a constant for the compiler: it never changes after
// the start. So a loop reads it once, and the functions have no side effect that an optimizer must preserve.
#define MUTANT_SWITCH static inline __attribute__((const, always_inline, swift_attr("@_noAllocation")))

// 0 for the original code, −1 to record the mutants that a process reaches.
extern const int32_t aacorn_mutant;
// A byte for each mutant; nonzero if a process has reached it.
extern const uint8_t *const aacorn_reached;
__attribute__((const, cold)) bool aacorn_reach(int32_t number);

// Whether a mutant is active.
MUTANT_SWITCH bool aacorn_mutated(int32_t number) {
  if (__builtin_expect(aacorn_mutant < 0, 0)) return aacorn_reached[number] ? false : aacorn_reach(number);
  return aacorn_mutant == number;
}

// The value, or its negation if a mutant is active.
MUTANT_SWITCH bool aacorn_negated(int32_t number, bool value) { return aacorn_mutated(number) != value; }

#endif
