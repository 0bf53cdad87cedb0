#ifndef CSIMULATION_H
#define CSIMULATION_H

#include <stdint.h>

// Runs a job of Swift's concurrency after a delay; returns whether the job was taken.
typedef _Bool (*simulation_enqueue)(void *job, int64_t nanoseconds);

// Offers each job that has no executor, such as that of `Task {}`, and each sleep of a task to `enqueue`.
void simulation_take_jobs(simulation_enqueue enqueue);

#endif
