/*
 * Compares what CAacornSpeexDSP declares with libspeexdsp's own header files. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornSpeexDSP/include \
 *     Tests/CAacornSpeexDSPHeaderCheck/check.c
 */
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>

#include "CAacornSpeexDSP.h"

#define SAME_FUNCTION(result, name, parameters)                                             \
  _Static_assert(                                                                           \
      __builtin_types_compatible_p(                                                         \
          __typeof__(&speex_##name), __typeof__(((aacorn_speexdsp_functions *)0)->name)),   \
      "speex_" #name " has another type");
AACORN_SPEEXDSP_FUNCTIONS(SAME_FUNCTION)

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #theirs " has another value")
SAME(AACORN_SPEEXDSP_SET_DENOISE, SPEEX_PREPROCESS_SET_DENOISE);
SAME(AACORN_SPEEXDSP_SET_AGC, SPEEX_PREPROCESS_SET_AGC);
SAME(AACORN_SPEEXDSP_SET_DEREVERB, SPEEX_PREPROCESS_SET_DEREVERB);
SAME(AACORN_SPEEXDSP_SET_NOISE_SUPPRESS, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS);
SAME(AACORN_SPEEXDSP_SET_ECHO_SUPPRESS, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS);
SAME(AACORN_SPEEXDSP_SET_ECHO_SUPPRESS_ACTIVE, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS_ACTIVE);
SAME(AACORN_SPEEXDSP_SET_ECHO_STATE, SPEEX_PREPROCESS_SET_ECHO_STATE);
SAME(AACORN_SPEEXDSP_ECHO_SET_SAMPLING_RATE, SPEEX_ECHO_SET_SAMPLING_RATE);
