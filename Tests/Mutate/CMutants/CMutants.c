#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

// The header declares these variables as constants.
int32_t aacorn_mutant;
uint8_t *aacorn_reached;

bool aacorn_reach(int32_t number) {
  aacorn_reached[number] = 1;
  return false;
}

// Activates the mutant in AACORN_MUTANT. Or maps the file in AACORN_MUTANTS_REACHED, which the processes of a test
// share, and which survives their crash.
__attribute__((constructor)) static void choose(void) {
  const char *number = getenv("AACORN_MUTANT"), *path = getenv("AACORN_MUTANTS_REACHED");
  if (number) aacorn_mutant = atoi(number);
  if (!path) return;
  // The file is shorter; only its bytes are accessed.
  aacorn_reached = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, open(path, O_RDWR | O_CLOEXEC), 0);
  if (aacorn_reached == MAP_FAILED) {
    perror(path);
    abort();
  }
  aacorn_mutant = -1;
}
