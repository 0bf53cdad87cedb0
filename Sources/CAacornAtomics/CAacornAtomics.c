// All is in the header, so that it is compiled into the Swift code that calls it.
#include "CAacornAtomics.h"
