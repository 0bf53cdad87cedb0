#include "CAacornSpeexDSP.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static aacorn_speexdsp_functions table;
static aacorn_speexdsp_loading result = AACORN_SPEEXDSP_NO_LIBRARY;
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

aacorn_speexdsp_loading aacorn_speexdsp_load(
    const char *file, aacorn_speexdsp_functions *functions, char *why, size_t size) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *words = dlerror();
    snprintf(why, size, "%s", words ? words : "it cannot be loaded");
    return AACORN_SPEEXDSP_NO_LIBRARY;
  }
  /* POSIX's dlsym returns functions as object pointers, which C itself cannot convert. */
#define AACORN_SPEEXDSP_LOOK_UP(type, name, parameters)        \
  *(void **)&functions->name = dlsym(library, "speex_" #name); \
  if (!functions->name) {                                      \
    snprintf(why, size, "it has no function speex_%s", #name); \
    dlclose(library);                                          \
    return AACORN_SPEEXDSP_NO_FUNCTION;                        \
  }
  AACORN_SPEEXDSP_FUNCTIONS(AACORN_SPEEXDSP_LOOK_UP)
#undef AACORN_SPEEXDSP_LOOK_UP
  return AACORN_SPEEXDSP_LOADED;
}

static void load(void) {
  result = aacorn_speexdsp_load("libspeexdsp.so.1", &table, reason, sizeof reason);
}

const aacorn_speexdsp_functions *aacorn_speexdsp(void) {
  pthread_once(&once, load);
  return result == AACORN_SPEEXDSP_LOADED ? &table : NULL;
}

aacorn_speexdsp_loading aacorn_speexdsp_result(void) { return result; }

const char *aacorn_speexdsp_reason(void) { return reason; }

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
