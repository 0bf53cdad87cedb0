// A stub of Apple's sys/types.h for Scripts/check-apple, for headers of this package that include it.
#pragma once
#include "../Darwin.h"
