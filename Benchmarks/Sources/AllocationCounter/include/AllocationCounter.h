#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// Whether allocations can be counted here: with glibc only.
int allocation_counter_works(void);

/// Calls of malloc and its relatives by all threads since the program began.
long allocation_count(void);

#endif
