/*
 * Compares what CAacornALSA declares with alsa-lib's own header files. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornALSA/include Tests/CAacornALSAHeaderCheck/check.c
 */
#include <alsa/asoundlib.h>

#include "../HeaderCheck.h"
#include "CAacornALSA.h"

#define SAME_FUNCTION(result, name, parameters) \
  SAME_TYPE(__typeof__(((aacorn_alsa_functions *)0)->name), __typeof__(&snd_##name));
AACORN_ALSA_FUNCTIONS(SAME_FUNCTION)

SAME_VALUES(AACORN_ALSA_, SND_PCM_,
    STREAM_PLAYBACK, STREAM_CAPTURE, NONBLOCK, ACCESS_RW_INTERLEAVED, STATE_OPEN, STATE_SETUP,
    STATE_PREPARED, STATE_RUNNING, STATE_XRUN, STATE_DRAINING, STATE_PAUSED, STATE_SUSPENDED,
    STATE_DISCONNECTED, TYPE_HW, TYPE_DSNOOP, TYPE_IOPLUG, TSTAMP_ENABLE, TSTAMP_TYPE_MONOTONIC,
    FORMAT_S16, FORMAT_S24, FORMAT_S32, FORMAT_FLOAT, FORMAT_S24_3LE);
