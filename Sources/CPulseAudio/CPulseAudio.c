#include "CPulseAudio.h"
