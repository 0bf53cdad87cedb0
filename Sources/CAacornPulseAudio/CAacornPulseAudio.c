#include "CAacornPulseAudio.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef __APPLE__
static const char library_name[] = "libpulse.0.dylib";
#else
static const char library_name[] = "libpulse.so.0";
#endif

static aacorn_pulse_functions functions;
static aacorn_pulse_load_result result = AACORN_PULSE_LIBRARY_MISSING;
static char failure[256] = "";

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (function == NULL && failure[0] == '\0') {
    snprintf(failure, sizeof failure, "%s", name);
  }
  return function;
}

static void load(void) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    snprintf(failure, sizeof failure, "%s", reason != NULL ? reason : library_name);
    return;
  }
  /* The library is never closed: it may have left threads and handlers behind. */
  void *function;
  /* A copy, since ISO C cannot convert an object pointer to a function pointer. */
#define AACORN_PULSE_FIND(type, name, parameters) \
  function = find(library, "pa_" #name); \
  memcpy(&functions.name, &function, sizeof function);
  AACORN_PULSE_FUNCTIONS(AACORN_PULSE_FIND)
#undef AACORN_PULSE_FIND
  result = failure[0] == '\0' ? AACORN_PULSE_LOADED : AACORN_PULSE_FUNCTION_MISSING;
}

aacorn_pulse_load_result aacorn_pulse_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return result;
}

const aacorn_pulse_functions *aacorn_pulse_get_functions(void) {
  return aacorn_pulse_load() == AACORN_PULSE_LOADED ? &functions : NULL;
}

const char *aacorn_pulse_load_failure(void) {
  aacorn_pulse_load();
  return failure;
}
