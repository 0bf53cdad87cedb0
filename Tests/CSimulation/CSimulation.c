// Swift's runtime calls these hooks in place of its thread pool.

#include "CSimulation.h"

#include <time.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);
typedef SWIFT_CALL void (*delay_original)(uint64_t delay, void *job);
typedef SWIFT_CALL void (*deadline_original)(
    int64_t seconds, int64_t nanoseconds, int64_t tolerance_seconds, int64_t tolerance_nanoseconds, int clock,
    void *job);

extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);
extern SWIFT_CALL void (*swift_task_enqueueGlobalWithDelay_hook)(uint64_t delay, void *job, delay_original original);
extern SWIFT_CALL void (*swift_task_enqueueGlobalWithDeadline_hook)(
    int64_t seconds, int64_t nanoseconds, int64_t tolerance_seconds, int64_t tolerance_nanoseconds, int clock,
    void *job, deadline_original original);

static simulation_enqueue take;

static SWIFT_CALL void enqueue(void *job, enqueue_original original) {
  if (!take(job, 0)) original(job);
}

static SWIFT_CALL void enqueue_after(uint64_t delay, void *job, delay_original original) {
  if (!take(job, (int64_t)delay)) original(delay, job);
}

static SWIFT_CALL void enqueue_at(
    int64_t seconds, int64_t nanoseconds, int64_t tolerance_seconds, int64_t tolerance_nanoseconds, int clock,
    void *job, deadline_original original) {
  // The runtime's number of the clock that includes the sleep of the machine is 1.
  struct timespec now;
  clock_gettime(clock == 1 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, &now);
  int64_t delay = (seconds - now.tv_sec) * 1000000000 + nanoseconds - now.tv_nsec;
  // A whole number of milliseconds does not depend on how long the caller took to get here.
  delay = delay <= 0 ? 0 : (delay + 999999) / 1000000 * 1000000;
  if (!take(job, delay)) {
    original(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job);
  }
}

void simulation_take_jobs(simulation_enqueue function) {
  take = function;
  swift_task_enqueueGlobal_hook = enqueue;
  swift_task_enqueueGlobalWithDelay_hook = enqueue_after;
  swift_task_enqueueGlobalWithDeadline_hook = enqueue_at;
}
