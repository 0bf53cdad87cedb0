#include "CAacornPulseAudio.h"

const char *aacorn_pulse_symbols(void) {
#define AACORN_PULSE_SYMBOL(type, name, parameters) "pa_" #name " "
  return AACORN_PULSE_FUNCTIONS(AACORN_PULSE_SYMBOL);
#undef AACORN_PULSE_SYMBOL
}
