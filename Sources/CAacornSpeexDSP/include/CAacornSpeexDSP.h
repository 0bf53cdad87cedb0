#ifndef AACORN_CSPEEXDSP_H
#define AACORN_CSPEEXDSP_H

/*
 * The part of libspeexdsp that Aacorn uses, declared here and looked up in libspeexdsp.so.1 at run
 * time, so that neither its header files nor the library are needed to build or start.
 *
 * All names are Aacorn's own; the structs are shared with the library only by their tags. A test
 * compares everything below with <speex/speex_preprocess.h> and <speex/speex_echo.h> where those
 * are installed.
 */

#include <stddef.h>
#include <stdint.h>

struct SpeexPreprocessState_;
struct SpeexEchoState_;

/* Requests to a preprocessor (SPEEX_PREPROCESS_…) and to an echo canceller (SPEEX_ECHO_…). */
enum {
  AACORN_SPEEXDSP_SET_DENOISE = 0,
  AACORN_SPEEXDSP_SET_AGC = 2,
  AACORN_SPEEXDSP_SET_DEREVERB = 8,
  AACORN_SPEEXDSP_SET_NOISE_SUPPRESS = 18,
  AACORN_SPEEXDSP_SET_ECHO_SUPPRESS = 20,
  AACORN_SPEEXDSP_SET_ECHO_SUPPRESS_ACTIVE = 22,
  AACORN_SPEEXDSP_SET_ECHO_STATE = 24
};
enum { AACORN_SPEEXDSP_ECHO_SET_SAMPLING_RATE = 24 };

/* X(result, name, parameters) for each function; its symbol is `speex_` and the name. */
#define AACORN_SPEEXDSP_FUNCTIONS(X)                                                             \
  X(struct SpeexPreprocessState_ *, preprocess_state_init, (int frame_count, int sample_rate))   \
  X(void, preprocess_state_destroy, (struct SpeexPreprocessState_ * state))                      \
  X(int, preprocess_run, (struct SpeexPreprocessState_ * state, int16_t *samples))               \
  X(int, preprocess_ctl, (struct SpeexPreprocessState_ * state, int request, void *value))       \
  X(struct SpeexEchoState_ *, echo_state_init_mc,                                                \
    (int frame_count, int filter_length, int microphone_count, int loudspeaker_count))           \
  X(void, echo_state_destroy, (struct SpeexEchoState_ * state))                                  \
  X(void, echo_state_reset, (struct SpeexEchoState_ * state))                                    \
  X(void, echo_cancellation,                                                                     \
    (struct SpeexEchoState_ * state, const int16_t *recorded, const int16_t *played,             \
     int16_t *result))                                                                           \
  X(int, echo_ctl, (struct SpeexEchoState_ * state, int request, void *value))

/* The functions of a library that was found. */
typedef struct {
#define AACORN_SPEEXDSP_MEMBER(result, name, parameters) result(*name) parameters;
  AACORN_SPEEXDSP_FUNCTIONS(AACORN_SPEEXDSP_MEMBER)
#undef AACORN_SPEEXDSP_MEMBER
} aacorn_speexdsp_functions;

/* The symbols of the functions, in the order of the table; a space follows each. */
const char *aacorn_speexdsp_symbols(void);

/*
 * An echo canceller, for use by one thread at a time. Blocks have `frame_count` frames, of 10 to
 * 20 ms, and interleaved samples of 16 bits; the filter reaches back `filter_length` frames.
 */
typedef struct aacorn_speexdsp_echo aacorn_speexdsp_echo;

/* Creates an echo canceller; returns NULL if out of memory. */
aacorn_speexdsp_echo *aacorn_speexdsp_echo_make(
    const aacorn_speexdsp_functions *functions, int frame_count, int filter_length,
    int microphone_count, int loudspeaker_count, int sample_rate);

/*
 * Removes the echo of the played block from the recorded block, without a delay. The result has one
 * channel for each microphone, in separate memory.
 */
void aacorn_speexdsp_echo_cancel(
    aacorn_speexdsp_echo *echo, const int16_t *recorded, const int16_t *played, int16_t *result);

/* Resets the adaptive filter. */
void aacorn_speexdsp_echo_reset(aacorn_speexdsp_echo *echo);
void aacorn_speexdsp_echo_destroy(aacorn_speexdsp_echo *echo);

/*
 * A denoiser of steady noise in one channel, for use by one thread at a time. Blocks have
 * `frame_count` samples of 16 bits, of 10 to 20 ms. The output is delayed by one block.
 */
typedef struct aacorn_speexdsp_denoiser aacorn_speexdsp_denoiser;

/* Creates a denoiser without automatic gain control; returns NULL if out of memory. */
aacorn_speexdsp_denoiser *aacorn_speexdsp_denoiser_make(
    const aacorn_speexdsp_functions *functions, int frame_count, int sample_rate);

/* Sets the maximum attenuation of noise in dB: 0 or more. */
void aacorn_speexdsp_denoiser_set_depth(aacorn_speexdsp_denoiser *denoiser, int depth);

/*
 * Also attenuates the remaining echo of an echo canceller, by at most the first number of dB, and
 * by the second number during speech. The canceller must have blocks of the same size. It must
 * outlive the denoiser, or be detached with NULL.
 */
void aacorn_speexdsp_denoiser_set_echo(
    aacorn_speexdsp_denoiser *denoiser, aacorn_speexdsp_echo *echo, int depth, int voiced_depth);

/* Processes a block in place. */
void aacorn_speexdsp_denoiser_run(aacorn_speexdsp_denoiser *denoiser, int16_t *samples);
void aacorn_speexdsp_denoiser_destroy(aacorn_speexdsp_denoiser *denoiser);

#endif
