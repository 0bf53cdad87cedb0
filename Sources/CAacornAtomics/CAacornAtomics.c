// The header contains all functions, so that they are inlined into the Swift code that calls them.
#include "CAacornAtomics.h"

_Thread_local void *aacorn_simulated_thread_pointer;
bool aacorn_has_simulated_threads;
