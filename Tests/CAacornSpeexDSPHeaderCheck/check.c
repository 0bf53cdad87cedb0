/*
 * Compares what CAacornSpeexDSP declares with libspeexdsp's own header files. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornSpeexDSP/include \
 *     Tests/CAacornSpeexDSPHeaderCheck/check.c
 */
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>

#include "../HeaderCheck.h"
#include "CAacornSpeexDSP.h"

#define SAME_FUNCTION(result, name, parameters) \
  SAME_TYPE(__typeof__(((aacorn_speexdsp_functions *)0)->name), __typeof__(&speex_##name));
AACORN_SPEEXDSP_FUNCTIONS(SAME_FUNCTION)

SAME_VALUES(AACORN_SPEEXDSP_, SPEEX_PREPROCESS_,
    SET_DENOISE, SET_AGC, SET_DEREVERB, SET_NOISE_SUPPRESS, SET_ECHO_SUPPRESS,
    SET_ECHO_SUPPRESS_ACTIVE, SET_ECHO_STATE);
SAME_VALUE(AACORN_SPEEXDSP_ECHO_SET_SAMPLING_RATE, SPEEX_ECHO_SET_SAMPLING_RATE);
