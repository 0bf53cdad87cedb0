#ifndef AACORN_CALSA_H
#define AACORN_CALSA_H

/*
 * The part of alsa-lib that Aacorn uses, declared here and looked up in libasound.so.2 at run time,
 * so that neither its header files nor the library are needed to build or start.
 *
 * All names are Aacorn's own; the structs are shared with the library only by their tags. A test
 * compares everything below with <alsa/asoundlib.h> where that is installed.
 */

#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct pollfd;
typedef struct _snd_pcm aacorn_alsa_pcm;
typedef struct _snd_pcm_hw_params aacorn_alsa_hw_params;
typedef struct _snd_pcm_sw_params aacorn_alsa_sw_params;
typedef struct _snd_pcm_status aacorn_alsa_status;
typedef struct _snd_pcm_info aacorn_alsa_pcm_info;
typedef struct _snd_ctl aacorn_alsa_ctl;
typedef struct _snd_ctl_card_info aacorn_alsa_card_info;
typedef struct _snd_config aacorn_alsa_config;
typedef struct snd_pcm_chmap aacorn_alsa_channel_map;
typedef void (*aacorn_alsa_error_handler)(
    const char *file, int line, const char *function, int error, const char *format, ...);

/* alsa-lib's enumerations, which are unsigned unless they have a negative member. */
enum { AACORN_ALSA_STREAM_PLAYBACK = 0, AACORN_ALSA_STREAM_CAPTURE = 1 };
enum { AACORN_ALSA_NONBLOCK = 1 };
enum { AACORN_ALSA_ACCESS_RW_INTERLEAVED = 3 };
enum {
  AACORN_ALSA_STATE_OPEN = 0,
  AACORN_ALSA_STATE_SETUP = 1,
  AACORN_ALSA_STATE_PREPARED = 2,
  AACORN_ALSA_STATE_RUNNING = 3,
  AACORN_ALSA_STATE_XRUN = 4,
  AACORN_ALSA_STATE_DRAINING = 5,
  AACORN_ALSA_STATE_PAUSED = 6,
  AACORN_ALSA_STATE_SUSPENDED = 7,
  AACORN_ALSA_STATE_DISCONNECTED = 8
};
enum {
  AACORN_ALSA_TYPE_HW = 0,
  AACORN_ALSA_TYPE_DSNOOP = 24,
  AACORN_ALSA_TYPE_IOPLUG = 28
};
enum { AACORN_ALSA_TSTAMP_ENABLE = 1, AACORN_ALSA_TSTAMP_TYPE_MONOTONIC = 1 };

/* Formats in the machine's byte order, except the packed one, which is little-endian. */
enum {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  AACORN_ALSA_FORMAT_S16 = 3,
  AACORN_ALSA_FORMAT_S24 = 7,
  AACORN_ALSA_FORMAT_S32 = 11,
  AACORN_ALSA_FORMAT_FLOAT = 15,
#else
  AACORN_ALSA_FORMAT_S16 = 2,
  AACORN_ALSA_FORMAT_S24 = 6,
  AACORN_ALSA_FORMAT_S32 = 10,
  AACORN_ALSA_FORMAT_FLOAT = 14,
#endif
  AACORN_ALSA_FORMAT_S24_3LE = 32
};

/*
 * X(result, name, parameters) for each function; its symbol is `snd_` and the name.
 * The widths are alsa-lib's: snd_pcm_uframes_t is an unsigned long, snd_pcm_sframes_t a long.
 */
#define AACORN_ALSA_FUNCTIONS(X)                                                                  \
  X(const char *, strerror, (int error))                                                          \
  X(int, lib_error_set_handler, (aacorn_alsa_error_handler handler))                              \
  X(int, config_update_free_global, (void))                                                       \
  X(int, config_update_ref, (aacorn_alsa_config * *top))                                          \
  X(void, config_unref, (aacorn_alsa_config * top))                                               \
  X(int, config_search, (aacorn_alsa_config * top, const char *key, aacorn_alsa_config **found))  \
  X(int, config_get_string, (const aacorn_alsa_config *entry, const char **text))                 \
  X(int, device_name_hint, (int card, const char *interface, void ***hints))                      \
  X(int, device_name_free_hint, (void **hints))                                                   \
  X(char *, device_name_get_hint, (const void *hint, const char *key))                            \
  X(int, card_next, (int *card))                                                                  \
  X(int, ctl_open, (aacorn_alsa_ctl * *ctl, const char *name, int mode))                          \
  X(int, ctl_close, (aacorn_alsa_ctl * ctl))                                                      \
  X(int, ctl_card_info, (aacorn_alsa_ctl * ctl, aacorn_alsa_card_info * info))                    \
  X(int, ctl_card_info_malloc, (aacorn_alsa_card_info * *info))                                   \
  X(void, ctl_card_info_free, (aacorn_alsa_card_info * info))                                     \
  X(const char *, ctl_card_info_get_id, (const aacorn_alsa_card_info *info))                      \
  X(const char *, ctl_card_info_get_name, (const aacorn_alsa_card_info *info))                    \
  X(int, ctl_pcm_next_device, (aacorn_alsa_ctl * ctl, int *device))                               \
  X(int, ctl_pcm_info, (aacorn_alsa_ctl * ctl, aacorn_alsa_pcm_info * info))                      \
  X(int, pcm_info, (aacorn_alsa_pcm * pcm, aacorn_alsa_pcm_info * info))                          \
  X(int, pcm_info_malloc, (aacorn_alsa_pcm_info * *info))                                         \
  X(void, pcm_info_free, (aacorn_alsa_pcm_info * info))                                           \
  X(void, pcm_info_set_device, (aacorn_alsa_pcm_info * info, unsigned device))                    \
  X(void, pcm_info_set_subdevice, (aacorn_alsa_pcm_info * info, unsigned subdevice))              \
  X(void, pcm_info_set_stream, (aacorn_alsa_pcm_info * info, unsigned stream))                    \
  X(const char *, pcm_info_get_name, (const aacorn_alsa_pcm_info *info))                          \
  X(int, pcm_open, (aacorn_alsa_pcm * *pcm, const char *name, unsigned stream, int mode))         \
  X(int, pcm_close, (aacorn_alsa_pcm * pcm))                                                      \
  X(unsigned, pcm_type, (aacorn_alsa_pcm * pcm))                                                  \
  X(unsigned, pcm_state, (aacorn_alsa_pcm * pcm))                                                 \
  X(int, pcm_poll_descriptors_count, (aacorn_alsa_pcm * pcm))                                     \
  X(int, pcm_poll_descriptors,                                                                    \
    (aacorn_alsa_pcm * pcm, struct pollfd * entries, unsigned space))                             \
  X(int, pcm_poll_descriptors_revents,                                                            \
    (aacorn_alsa_pcm * pcm, struct pollfd * entries, unsigned count, unsigned short *events))     \
  X(int, pcm_hw_params_malloc, (aacorn_alsa_hw_params * *params))                                 \
  X(void, pcm_hw_params_free, (aacorn_alsa_hw_params * params))                                   \
  X(int, pcm_hw_params_any, (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params))              \
  X(int, pcm_hw_params_set_rate_resample,                                                         \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, unsigned is_on))                      \
  X(int, pcm_hw_params_set_access,                                                                \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, unsigned access))                     \
  X(int, pcm_hw_params_test_format,                                                               \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, int format))                          \
  X(int, pcm_hw_params_set_format,                                                                \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, int format))                          \
  X(int, pcm_hw_params_get_sbits, (const aacorn_alsa_hw_params *params))                          \
  X(int, pcm_hw_params_get_channels_min,                                                          \
    (const aacorn_alsa_hw_params *params, unsigned *count))                                       \
  X(int, pcm_hw_params_get_channels_max,                                                          \
    (const aacorn_alsa_hw_params *params, unsigned *count))                                       \
  X(int, pcm_hw_params_test_channels,                                                             \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, unsigned count))                      \
  X(int, pcm_hw_params_set_channels,                                                              \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, unsigned count))                      \
  X(int, pcm_hw_params_set_rate_near,                                                             \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, unsigned *rate, int *direction))      \
  X(int, pcm_hw_params_set_period_size_near,                                                      \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, unsigned long *frames,                \
     int *direction))                                                                             \
  X(int, pcm_hw_params_set_buffer_size_near,                                                      \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params, unsigned long *frames))               \
  X(int, pcm_hw_params_get_period_size,                                                           \
    (const aacorn_alsa_hw_params *params, unsigned long *frames, int *direction))                 \
  X(int, pcm_hw_params_get_buffer_size,                                                           \
    (const aacorn_alsa_hw_params *params, unsigned long *frames))                                 \
  X(int, pcm_hw_params, (aacorn_alsa_pcm * pcm, aacorn_alsa_hw_params * params))                  \
  X(aacorn_alsa_channel_map *, pcm_get_chmap, (aacorn_alsa_pcm * pcm))                            \
  X(int, pcm_sw_params_malloc, (aacorn_alsa_sw_params * *params))                                 \
  X(void, pcm_sw_params_free, (aacorn_alsa_sw_params * params))                                   \
  X(int, pcm_sw_params_current, (aacorn_alsa_pcm * pcm, aacorn_alsa_sw_params * params))          \
  X(int, pcm_sw_params_set_avail_min,                                                             \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_sw_params * params, unsigned long frames))                \
  X(int, pcm_sw_params_set_tstamp_mode,                                                           \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_sw_params * params, unsigned mode))                       \
  X(int, pcm_sw_params_set_tstamp_type,                                                           \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_sw_params * params, unsigned type))                       \
  X(int, pcm_sw_params_set_start_threshold,                                                       \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_sw_params * params, unsigned long frames))                \
  X(int, pcm_sw_params_set_stop_threshold,                                                        \
    (aacorn_alsa_pcm * pcm, aacorn_alsa_sw_params * params, unsigned long frames))                \
  X(int, pcm_sw_params_get_boundary,                                                              \
    (const aacorn_alsa_sw_params *params, unsigned long *frames))                                 \
  X(int, pcm_sw_params, (aacorn_alsa_pcm * pcm, aacorn_alsa_sw_params * params))                  \
  X(int, pcm_prepare, (aacorn_alsa_pcm * pcm))                                                    \
  X(int, pcm_start, (aacorn_alsa_pcm * pcm))                                                      \
  X(int, pcm_resume, (aacorn_alsa_pcm * pcm))                                                     \
  X(long, pcm_avail, (aacorn_alsa_pcm * pcm))                                                     \
  X(long, pcm_forward, (aacorn_alsa_pcm * pcm, unsigned long frames))                             \
  X(long, pcm_readi, (aacorn_alsa_pcm * pcm, void *bytes, unsigned long frames))                  \
  X(long, pcm_writei, (aacorn_alsa_pcm * pcm, const void *bytes, unsigned long frames))           \
  X(int, pcm_status, (aacorn_alsa_pcm * pcm, aacorn_alsa_status * status))                        \
  X(int, pcm_status_malloc, (aacorn_alsa_status * *status))                                       \
  X(void, pcm_status_free, (aacorn_alsa_status * status))                                         \
  X(void, pcm_status_get_htstamp, (const aacorn_alsa_status *status, struct timespec *time))      \
  X(unsigned long, pcm_status_get_avail, (const aacorn_alsa_status *status))                      \
  X(long, pcm_status_get_delay, (const aacorn_alsa_status *status))

enum {
  AACORN_ALSA_WOKEN = 1, /* `wake` can be read */
  AACORN_ALSA_READY = 2, /* the device has an event */
  AACORN_ALSA_GONE = 4   /* the device was disconnected */
};

/* The functions of a library that was found, or of a simulated card. */
typedef struct aacorn_alsa_functions {
#define AACORN_ALSA_MEMBER(result, name, parameters) result(*name) parameters;
  AACORN_ALSA_FUNCTIONS(AACORN_ALSA_MEMBER)
#undef AACORN_ALSA_MEMBER
  /*
   * Waits until `wake` can be read or the device has samples, space or an error; if pcm is NULL, only
   * until `wake` can be read. Returns a sum of the values above, 0 on timeout, or a negative error.
   */
  int (*wait)(
      const struct aacorn_alsa_functions *functions, aacorn_alsa_pcm *pcm, int wake,
      int milliseconds);
} aacorn_alsa_functions;

/* The symbols of the functions, in the order of the table; a space follows each. */
const char *aacorn_alsa_symbols(void);

/*
 * Prepares a library whose functions were looked up: sets `wait`, and makes the library store the
 * messages that it would print to standard error for `aacorn_alsa_complaint`.
 */
void aacorn_alsa_prepare(aacorn_alsa_functions *functions);

/* Clears the message that `aacorn_alsa_complaint` returns. */
void aacorn_alsa_forget_complaint(void);
/* The library's first message on this thread since it was last cleared; "" if there was none. */
const char *aacorn_alsa_complaint(void);

/* The time of a status in nanoseconds, on the clock selected for the device. */
int64_t aacorn_alsa_status_time(
    const aacorn_alsa_functions *functions, const aacorn_alsa_status *status);

/*
 * Stores the position of each channel of a configured device, in alsa-lib's numbers, up to the size
 * of the array. Returns the number of channels that the device reports, or 0 if it reports none.
 */
unsigned aacorn_alsa_channel_positions(
    const aacorn_alsa_functions *functions, aacorn_alsa_pcm *pcm, unsigned *positions,
    unsigned space);

/* Frees a text that the library allocated for the caller. */
void aacorn_alsa_free(char *text);

/* The causes of the library's negative results. */
typedef enum {
  AACORN_ALSA_AGAIN,       /* no samples or space yet */
  AACORN_ALSA_XRUN,        /* the device has stopped: its buffer was full, or empty in playback */
  AACORN_ALSA_ASLEEP,      /* the device was suspended */
  AACORN_ALSA_ABSENT,      /* the device does not exist or was disconnected */
  AACORN_ALSA_BUSY,        /* another program uses the device */
  AACORN_ALSA_FORBIDDEN,   /* permission denied */
  AACORN_ALSA_OUT_OF_ORDER /* any other error */
} aacorn_alsa_cause;

aacorn_alsa_cause aacorn_alsa_cause_of(long error);

/* Checks the state of a device: 0 if it can be used, or the error that its calls would return. */
int aacorn_alsa_state_error(unsigned state);

#endif
