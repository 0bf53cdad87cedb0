#ifndef CSIMULATION_H
#define CSIMULATION_H

// Runs a job of Swift's concurrency; returns whether the job was taken.
typedef _Bool (*simulation_enqueue)(void *job);

// Offers each job that has no executor, such as that of `Task {}`, to `enqueue`.
void simulation_take_jobs(simulation_enqueue enqueue);

#endif
