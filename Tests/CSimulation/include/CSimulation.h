#ifndef CSIMULATION_H
#define CSIMULATION_H

// Runs a job of Swift's concurrency; returns whether the job was taken.
typedef _Bool (*simulation_enqueue)(void *job);

// Offers each job that has no executor, such as that of `Task {}`, to `enqueue`.
void simulation_take_jobs(simulation_enqueue enqueue);

// Waits until no process is starting; returns whether any was.
//
// A new process has copies of all descriptors of this one until it executes its program. Until then, a closed socket
// or a lock on a closed file stays open.
_Bool simulation_wait_for_processes(void);

#endif
