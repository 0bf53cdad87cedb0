// Shows the thread sanitizer how Swift counts references.
//
// A thread that changes an array first asks the runtime whether it has the only reference, and copies the array
// otherwise. The runtime counts references atomically, but it is not built with the sanitizer. So the sanitizer
// would report a race between the change and an earlier access by a thread that has released the array. The
// linker redirects our calls of the runtime to these functions. They declare that a release happens before a
// successful test for the only reference.

#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

void __real_swift_release(void *object);
void __real_swift_release_n(void *object, uint32_t count);
void __real_swift_bridgeObjectRelease(void *object);
void __real_swift_bridgeObjectRelease_n(void *object, int count);
bool __real_swift_isUniquelyReferenced_nonNull_native(const void *object);
bool __real_swift_isUniquelyReferenced_native(const void *object);

// A reference may also be null, a small string, or another value with high bits set.
static bool is_object(const void *reference) {
  return (uintptr_t)reference - 1 < ((uintptr_t)1 << 47) - 1;
}

void __wrap_swift_release(void *object) {
  if (is_object(object)) __tsan_release(object);
  __real_swift_release(object);
}

void __wrap_swift_release_n(void *object, uint32_t count) {
  if (is_object(object)) __tsan_release(object);
  __real_swift_release_n(object, count);
}

void __wrap_swift_bridgeObjectRelease(void *object) {
  if (is_object(object)) __tsan_release(object);
  __real_swift_bridgeObjectRelease(object);
}

void __wrap_swift_bridgeObjectRelease_n(void *object, int count) {
  if (is_object(object)) __tsan_release(object);
  __real_swift_bridgeObjectRelease_n(object, count);
}

bool __wrap_swift_isUniquelyReferenced_nonNull_native(const void *object) {
  bool is_unique = __real_swift_isUniquelyReferenced_nonNull_native(object);
  if (is_unique && is_object(object)) __tsan_acquire((void *)object);
  return is_unique;
}

bool __wrap_swift_isUniquelyReferenced_native(const void *object) {
  bool is_unique = __real_swift_isUniquelyReferenced_native(object);
  if (is_unique && is_object(object)) __tsan_acquire((void *)object);
  return is_unique;
}

// A studio does not wait for a slow scan of devices when it ends, and the scan's threads may still run when
// the program ends. That is not a race.
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) { return "thread:DeviceWatch\n"; }
