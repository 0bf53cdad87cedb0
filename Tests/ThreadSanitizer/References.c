// Shows the thread sanitizer how Swift counts references.
//
// An array that two threads share is copied before it is changed, unless the other thread has released
// it: the runtime finds that out by an atomic counter. The runtime is not built with the sanitizer, which
// would therefore see the change and not the counting, and report a race. These functions stand between
// our code and the runtime's: a release happens before whoever finds that he holds the only reference.

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

void __wrap_swift_release(void *object) {
  if (object) __tsan_release(object);
  __real_swift_release(object);
}

void __wrap_swift_release_n(void *object, uint32_t count) {
  if (object) __tsan_release(object);
  __real_swift_release_n(object, count);
}

void __wrap_swift_bridgeObjectRelease(void *object) {
  if (object) __tsan_release(object);
  __real_swift_bridgeObjectRelease(object);
}

void __wrap_swift_bridgeObjectRelease_n(void *object, int count) {
  if (object) __tsan_release(object);
  __real_swift_bridgeObjectRelease_n(object, count);
}

bool __wrap_swift_isUniquelyReferenced_nonNull_native(const void *object) {
  bool is_unique = __real_swift_isUniquelyReferenced_nonNull_native(object);
  if (is_unique) __tsan_acquire((void *)object);
  return is_unique;
}

bool __wrap_swift_isUniquelyReferenced_native(const void *object) {
  bool is_unique = __real_swift_isUniquelyReferenced_native(object);
  if (is_unique && object) __tsan_acquire((void *)object);
  return is_unique;
}

// A look at the devices that takes long when a studio ends is left alone, and so are the threads that it
// would wait for, if the program ends meanwhile. That is no race.
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) { return "thread:DeviceWatch\n"; }
