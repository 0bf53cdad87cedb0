#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CAacornPipeWire.h"

static struct aacorn_pw_library functions;

static int load_result;

/// Fills the table from a library; an incomplete table must not be used.
static int load(const char *file, struct aacorn_pw_library *library) {
  static const char *const names[] = {
    "pw_init",
    "pw_get_library_version",
    "pw_log_set_level",
    "pw_thread_loop_new",
    "pw_thread_loop_get_loop",
    "pw_thread_loop_start",
    "pw_thread_loop_stop",
    "pw_thread_loop_lock",
    "pw_thread_loop_unlock",
    "pw_thread_loop_destroy",
    "pw_properties_new_dict",
    "pw_context_new",
    "pw_context_destroy",
    "pw_context_connect",
    "pw_context_load_module",
    "pw_core_disconnect",
    "pw_proxy_destroy",
    "pw_stream_new",
    "pw_stream_destroy",
    "pw_stream_add_listener",
    "pw_stream_connect",
    "pw_stream_get_node_id",
    "pw_stream_get_time_n",
    "pw_stream_dequeue_buffer",
    "pw_stream_queue_buffer",
  };
  enum { COUNT = sizeof names / sizeof names[0] };
  _Static_assert(sizeof(struct aacorn_pw_library) == COUNT * sizeof(void *), "a name per function");

  void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return AACORN_PW_MISSING;
  void **addresses = (void **)library;
  for (size_t index = 0; index < COUNT; index++) {
    addresses[index] = dlsym(handle, names[index]);
    if (addresses[index] == NULL) {
      dlclose(handle);
      return AACORN_PW_UNSUITABLE;
    }
  }
  return AACORN_PW_LOADED;
}

static void load_once(void) {
  load_result = load("libpipewire-0.3.so.0", &functions);
  if (load_result != AACORN_PW_LOADED) return;
  functions.init(NULL, NULL);
  // Disable the library's log unless the user has configured it: this program reports errors itself.
  if (getenv("PIPEWIRE_DEBUG") == NULL) functions.log_set_level(0);
}

int aacorn_pw_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return load_result;
}

int aacorn_pw_try(const char *file) {
  struct aacorn_pw_library library;
  return load(file, &library);
}

const struct aacorn_pw_library *aacorn_pw_functions(void) {
  return aacorn_pw_load() == AACORN_PW_LOADED ? &functions : NULL;
}

const char *aacorn_pw_version(void) {
  return aacorn_pw_load() == AACORN_PW_LOADED ? functions.get_library_version() : NULL;
}

const char *aacorn_pw_error_text(int error) {
  // The library reports a missing socket as "host is down".
  if (error == EHOSTDOWN || error == ENOENT || error == ECONNREFUSED)
    return "no program listens at its socket";
  return strerror(error);
}
