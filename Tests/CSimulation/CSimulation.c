// Swift's runtime calls this hook in place of its thread pool.

#include "CSimulation.h"

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
