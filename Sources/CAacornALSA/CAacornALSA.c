#include "CAacornALSA.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char complaint[256];

enum { most_descriptors = 64 };

static int wait_for_device(
    const aacorn_alsa_functions *functions, aacorn_alsa_pcm *pcm, int wake, int milliseconds) {
  struct pollfd entries[1 + most_descriptors];
  entries[0].fd = wake;
  entries[0].events = POLLIN;
  entries[0].revents = 0;
  int count = 0;
  if (pcm) {
    count = functions->pcm_poll_descriptors_count(pcm);
    if (count < 0 || count > most_descriptors) return -EINVAL;
    count = functions->pcm_poll_descriptors(pcm, entries + 1, (unsigned)count);
    if (count < 0) return count;
  }
  int ready = poll(entries, (nfds_t)(count + 1), milliseconds);
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  int answer = entries[0].revents ? AACORN_ALSA_WOKEN : 0;
  if (count == 0 || ready == 0) return answer;
  /* Only the plug-in can translate events of the descriptors into events of the device. */
  unsigned short events = 0;
  int error = functions->pcm_poll_descriptors_revents(pcm, entries + 1, (unsigned)count, &events);
  if (error < 0) return error;
  if (events & (POLLIN | POLLOUT | POLLERR | POLLPRI)) answer |= AACORN_ALSA_READY;
  if (events & (POLLHUP | POLLNVAL)) answer |= AACORN_ALSA_GONE;
  return answer;
}

const char *aacorn_alsa_symbols(void) {
#define AACORN_ALSA_SYMBOL(type, name, parameters) "snd_" #name " "
  return AACORN_ALSA_FUNCTIONS(AACORN_ALSA_SYMBOL);
#undef AACORN_ALSA_SYMBOL
}

/*
 * Stores only the first of several messages: it has the cause. The other messages are from the
 * callers of the function that failed.
 */
static void keep_complaint(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error;
  if (complaint[0]) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(complaint, sizeof complaint, format, arguments);
  va_end(arguments);
}

void aacorn_alsa_prepare(aacorn_alsa_functions *functions) {
  functions->wait = wait_for_device;
  functions->lib_error_set_handler(keep_complaint);
}

void aacorn_alsa_forget_complaint(void) { complaint[0] = 0; }

const char *aacorn_alsa_complaint(void) { return complaint; }

unsigned aacorn_alsa_channel_positions(
    const aacorn_alsa_functions *functions, aacorn_alsa_pcm *pcm, unsigned *positions,
    unsigned space) {
  /* The map: the channel count, then each channel's position, with flags in the upper 16 bits. */
  unsigned *map = (unsigned *)functions->pcm_get_chmap(pcm);
  if (!map) return 0;
  unsigned count = map[0];
  for (unsigned i = 0; i < count && i < space; i++) positions[i] = map[1 + i] & 0xFFFF;
  free(map);
  return count;
}

int64_t aacorn_alsa_status_time(
    const aacorn_alsa_functions *functions, const aacorn_alsa_status *status) {
  struct timespec time = {0, 0};
  functions->pcm_status_get_htstamp(status, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void aacorn_alsa_free(char *text) { free(text); }

#ifndef ESTRPIPE
#define ESTRPIPE EPIPE /* Only Linux has this error, and alsa-lib. */
#endif
#ifndef EBADFD
#define EBADFD EBADF
#endif

aacorn_alsa_cause aacorn_alsa_cause_of(long error) {
  if (error == -EAGAIN || error == -EINTR) return AACORN_ALSA_AGAIN;
  if (error == -EPIPE) return AACORN_ALSA_XRUN;
  if (error == -ESTRPIPE) return AACORN_ALSA_ASLEEP;
  if (error == -ENOENT || error == -ENODEV || error == -ENXIO) return AACORN_ALSA_ABSENT;
  if (error == -EBUSY) return AACORN_ALSA_BUSY;
  if (error == -EACCES || error == -EPERM) return AACORN_ALSA_FORBIDDEN;
  return AACORN_ALSA_OUT_OF_ORDER;
}

int aacorn_alsa_state_error(unsigned state) {
  switch (state) {
    case AACORN_ALSA_STATE_OPEN:
    case AACORN_ALSA_STATE_SETUP: return -EBADFD;
    case AACORN_ALSA_STATE_XRUN: return -EPIPE;
    case AACORN_ALSA_STATE_SUSPENDED: return -ESTRPIPE;
    case AACORN_ALSA_STATE_DISCONNECTED: return -ENODEV;
    default: return 0;
  }
}
