#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// Returns whether this platform can count allocations: only with glibc.
int allocation_counter_works(void);

/// Returns the number of calls of the malloc family by all threads since the start of the program.
long allocation_count(void);

#endif
