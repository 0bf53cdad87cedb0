#define _GNU_SOURCE

#include "CSimulation.h"

#include <dlfcn.h>
#include <spawn.h>
#include <stdatomic.h>
#include <unistd.h>

// Swift's runtime calls this hook in place of its thread pool.

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);

extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);

static simulation_enqueue take;

static SWIFT_CALL void enqueue(void *job, enqueue_original original) {
  if (!take(job)) original(job);
}

void simulation_take_jobs(simulation_enqueue function) {
  take = function;
  swift_task_enqueueGlobal_hook = enqueue;
}

static atomic_int starting;

// Replaces the function of the C library, for the whole program.
int posix_spawn(
    pid_t *restrict process, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const variables[restrict]) {
  __typeof__(posix_spawn) *original = dlsym(RTLD_NEXT, "posix_spawn");
  starting += 1;
  int code = original(process, path, actions, attributes, arguments, variables);
  starting -= 1;
  return code;
}

_Bool simulation_wait_for_processes(void) {
  if (starting == 0) return 0;
  while (starting > 0) usleep(100);
  return 1;
}
