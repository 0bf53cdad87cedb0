#include <errno.h>
#include <string.h>

#include "CAacornPipeWire.h"

const char *aacorn_pw_symbols(void) {
#define AACORN_PW_SYMBOL(type, name, parameters) "pw_" #name " "
  return AACORN_PW_FUNCTIONS(AACORN_PW_SYMBOL);
#undef AACORN_PW_SYMBOL
}

const char *aacorn_pw_error_text(int error) {
  // The library reports a missing socket as "host is down".
  if (error == EHOSTDOWN || error == ENOENT || error == ECONNREFUSED)
    return "no program listens at its socket";
  return strerror(error);
}
