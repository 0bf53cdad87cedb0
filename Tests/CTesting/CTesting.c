#include <stdlib.h>

// Runs 8 tests at a time, like Scripts/run-tests.
//
// Otherwise `swift test` starts thousands of tests and reports the first result after the last test: the report waits
// in the same queue as the tests.
__attribute__((constructor)) static void limit_parallel_tests(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
