#include "CAacornSpeexDSP.h"

#include <stdlib.h>

const char *aacorn_speexdsp_symbols(void) {
#define AACORN_SPEEXDSP_SYMBOL(type, name, parameters) "speex_" #name " "
  return AACORN_SPEEXDSP_FUNCTIONS(AACORN_SPEEXDSP_SYMBOL);
#undef AACORN_SPEEXDSP_SYMBOL
}

struct aacorn_speexdsp_echo {
  const aacorn_speexdsp_functions *functions;
  struct SpeexEchoState_ *state;
};

aacorn_speexdsp_echo *aacorn_speexdsp_echo_make(
    const aacorn_speexdsp_functions *functions, int frame_count, int filter_length,
    int microphone_count, int loudspeaker_count, int sample_rate) {
  aacorn_speexdsp_echo *echo = calloc(1, sizeof *echo);
  if (!echo) return NULL;
  echo->functions = functions;
  echo->state = functions->echo_state_init_mc(
      frame_count, filter_length, microphone_count, loudspeaker_count);
  if (!echo->state) {
    free(echo);
    return NULL;
  }
  functions->echo_ctl(echo->state, AACORN_SPEEXDSP_ECHO_SET_SAMPLING_RATE, &sample_rate);
  return echo;
}

void aacorn_speexdsp_echo_cancel(
    aacorn_speexdsp_echo *echo, const int16_t *recorded, const int16_t *played, int16_t *clean) {
  echo->functions->echo_cancellation(echo->state, recorded, played, clean);
}

void aacorn_speexdsp_echo_reset(aacorn_speexdsp_echo *echo) {
  echo->functions->echo_state_reset(echo->state);
}

void aacorn_speexdsp_echo_destroy(aacorn_speexdsp_echo *echo) {
  echo->functions->echo_state_destroy(echo->state);
  free(echo);
}

struct aacorn_speexdsp_denoiser {
  const aacorn_speexdsp_functions *functions;
  struct SpeexPreprocessState_ *state;
};

static void set(aacorn_speexdsp_denoiser *denoiser, int request, int32_t value) {
  denoiser->functions->preprocess_ctl(denoiser->state, request, &value);
}

aacorn_speexdsp_denoiser *aacorn_speexdsp_denoiser_make(
    const aacorn_speexdsp_functions *functions, int frame_count, int sample_rate) {
  aacorn_speexdsp_denoiser *denoiser = calloc(1, sizeof *denoiser);
  if (!denoiser) return NULL;
  denoiser->functions = functions;
  denoiser->state = functions->preprocess_state_init(frame_count, sample_rate);
  if (!denoiser->state) {
    free(denoiser);
    return NULL;
  }
  set(denoiser, AACORN_SPEEXDSP_SET_DENOISE, 1);
  set(denoiser, AACORN_SPEEXDSP_SET_AGC, 0);
  // Make no request to disable voice detection: it is off by default, and the request would print
  // to standard error.
  set(denoiser, AACORN_SPEEXDSP_SET_DEREVERB, 0);
  return denoiser;
}

void aacorn_speexdsp_denoiser_set_depth(aacorn_speexdsp_denoiser *denoiser, int depth) {
  set(denoiser, AACORN_SPEEXDSP_SET_NOISE_SUPPRESS, -depth);
}

void aacorn_speexdsp_denoiser_set_echo(
    aacorn_speexdsp_denoiser *denoiser, aacorn_speexdsp_echo *echo, int depth, int voiced_depth) {
  set(denoiser, AACORN_SPEEXDSP_SET_ECHO_SUPPRESS, -depth);
  set(denoiser, AACORN_SPEEXDSP_SET_ECHO_SUPPRESS_ACTIVE, -voiced_depth);
  denoiser->functions->preprocess_ctl(
      denoiser->state, AACORN_SPEEXDSP_SET_ECHO_STATE, echo ? echo->state : NULL);
}

void aacorn_speexdsp_denoiser_run(aacorn_speexdsp_denoiser *denoiser, int16_t *samples) {
  denoiser->functions->preprocess_run(denoiser->state, samples);
}

void aacorn_speexdsp_denoiser_destroy(aacorn_speexdsp_denoiser *denoiser) {
  denoiser->functions->preprocess_state_destroy(denoiser->state);
  free(denoiser);
}
