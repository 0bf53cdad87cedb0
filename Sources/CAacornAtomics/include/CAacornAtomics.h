#ifndef CAACORN_ATOMICS_H
#define CAACORN_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

// Atomic operations on 64 bits that threads share, in aligned memory of the caller. Functions named
// relaxed do not order other accesses. Of the other functions, loads acquire, stores release, and
// changes do both.

// Declares to Swift that a function neither allocates nor locks, which Swift cannot detect.
#define AACORN_ATOMIC static inline __attribute__((swift_attr("@_noAllocation")))

AACORN_ATOMIC int64_t aacorn_atomic_load(const int64_t *cell) {
  return __atomic_load_n(cell, __ATOMIC_ACQUIRE);
}

AACORN_ATOMIC int64_t aacorn_atomic_load_relaxed(const int64_t *cell) {
  return __atomic_load_n(cell, __ATOMIC_RELAXED);
}

AACORN_ATOMIC void aacorn_atomic_store(int64_t *cell, int64_t value) {
  __atomic_store_n(cell, value, __ATOMIC_RELEASE);
}

AACORN_ATOMIC void aacorn_atomic_store_relaxed(int64_t *cell, int64_t value) {
  __atomic_store_n(cell, value, __ATOMIC_RELAXED);
}

// The following functions return the previous value.

AACORN_ATOMIC int64_t aacorn_atomic_exchange(int64_t *cell, int64_t value) {
  return __atomic_exchange_n(cell, value, __ATOMIC_ACQ_REL);
}

AACORN_ATOMIC int64_t aacorn_atomic_add(int64_t *cell, int64_t value) {
  return __atomic_fetch_add(cell, value, __ATOMIC_ACQ_REL);
}

AACORN_ATOMIC int64_t aacorn_atomic_or(int64_t *cell, int64_t value) {
  return __atomic_fetch_or(cell, value, __ATOMIC_ACQ_REL);
}

// Stores `wanted` if the value is `expected`. Returns whether it has stored it.
AACORN_ATOMIC bool aacorn_atomic_replace(int64_t *cell, int64_t expected, int64_t wanted) {
  return __atomic_compare_exchange_n(
      cell, &expected, wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// The simulated thread that this thread is, if a test simulates the system; null otherwise.
extern _Thread_local void *aacorn_simulated_thread_pointer;
// Whether the process has simulated threads. In a loaded library, the first access to a thread-local variable may
// allocate, which an audio thread must not do. So only processes with simulations access it.
extern bool aacorn_has_simulated_threads;

static inline void *aacorn_simulated_thread(void) {
  if (!__atomic_load_n(&aacorn_has_simulated_threads, __ATOMIC_RELAXED)) return 0;
  return aacorn_simulated_thread_pointer;
}

static inline void aacorn_set_simulated_thread(void *thread) {
  __atomic_store_n(&aacorn_has_simulated_threads, true, __ATOMIC_RELAXED);
  aacorn_simulated_thread_pointer = thread;
}

// Whether the processor has instructions for SHA-256.
bool aacorn_has_sha256(void);
// Digests blocks of 64 bytes with these instructions, which must exist. `state` has 8 words, `constants` 64.
void aacorn_sha256(uint32_t *state, const uint32_t *constants, const uint8_t *bytes, int64_t block_count);

#if defined(__linux__)
// Calls of the system that its headers hide from Swift. The new descriptors are nonblocking and closed on exec, so that
// no program inherits them, even one that another thread starts at the same time.
int aacorn_accept(int listener, void *address, unsigned *size);
int aacorn_pipe(int ends[2]);
// Renames a file in one step, and fails with EEXIST if the new name exists.
int aacorn_rename_new(const char *path, const char *new_path);
// Extended attributes of files; negative if the file has none, or its disk does not store them.
int64_t aacorn_attribute(const char *path, const char *name, void *value, int64_t size);
int aacorn_set_attribute(const char *path, const char *name, const void *value, int64_t size);
// Sets the name of the calling thread, of at most 15 bytes.
void aacorn_set_thread_name(const char *name);
#endif

#endif
