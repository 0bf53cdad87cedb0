/*
 * A device for tests: an ALSA plug-in that counts frames by the monotonic clock and fails on demand. Captured
 * samples contain the number of their frame, so that a test detects every gap. Played samples must be numbered
 * in the same way, from 1 on; the device checks whether a frame is missing.
 *
 *   16 bits:  channel 0, 2, …  frame & 0x7FFF      channel 1, 3, …  (frame >> 15) & 0x7FFF
 *   others:   (frame * channels + channel) & 0x7FFFFF, in the upper 24 bits of 32
 *
 * Frame 0 is captured or played when the device with that `id` is started for the first time in a process;
 * reopening does not reset it. Each fault happens once in a process:
 *
 *   xrun        the device stops with EPIPE; after a restart, a capture skips `lost` frames
 *   disconnect  the device is missing for `away` milliseconds, also when it is opened
 *   suspend     the device is suspended for `away` milliseconds, and must then be resumed
 *   sleep       the device is suspended and must be prepared, because it cannot resume
 *   error       every read or write fails with `code` for `away` milliseconds
 *   stall       no more frames are transferred, without any error, until the device is reopened
 *   hang        the next call takes `away` milliseconds; frames beyond the buffer are overwritten,
 *               as by a sound card
 *   short       every write accepts at most `lost` frames
 */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef enum { NONE, XRUN, DISCONNECT, SUSPEND, SLEEP, ERROR, STALL, HANG, SHORT } fault_kind;

static const char *const fault_names[] = {
    "none", "xrun", "disconnect", "suspend", "sleep", "error", "stall", "hang", "short"};

/* The state that remains after a device is closed. */
typedef struct {
  char id[64];
  int64_t start; /* the time of frame 0 in nanoseconds of the monotonic clock; 0 = not started */
  int64_t until; /* end of the fault, on that clock */
  int has_failed;
  long calls; /* calls of the functions below by the library */
  long opened;          /* the number of open handles */
  int64_t last_service; /* of a running device, on that clock; 0 = none since its start */
  int64_t unseen;       /* pauses over 20 ms with unread frames, in nanoseconds */
  int64_t longest_rest; /* the maximum time between two services, or of `unseen` */
  int64_t last_played;  /* the last played number; 0 = none */
  long played;          /* frames with a number */
  long silent;          /* frames without a number, after the first numbered frame */
  long breaks;          /* the number of discontinuities */
  long wrong;           /* frames with inconsistent channels */
} history;

static history histories[256];
static int history_count;
static pthread_mutex_t histories_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
  snd_pcm_ioplug_t io;
  history *past;
  long rate, channels, at, lost, away, code, latency, max_buffer;
  snd_pcm_format_t format;
  fault_kind fault;
  snd_pcm_uframes_t avail_min;
  int64_t base;     /* the frame at position 0 of the stream */
  int64_t position; /* the last reported position */
  int is_in_xrun, is_stalled, is_playing;
  int was_short;     /* the last write was incomplete */
  char direction[9]; /* the supported direction: "capture" or "playback"; "" is both */
  char map[64]; /* the channel positions, such as FL-FR-FC; "" if unspecified */
} device;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static history *past_of(const char *id) {
  history *found = NULL;
  pthread_mutex_lock(&histories_lock);
  for (int i = 0; i < history_count && !found; i++) {
    if (strcmp(histories[i].id, id) == 0) found = &histories[i];
  }
  if (!found && history_count < 256) {
    found = &histories[history_count++];
    strncpy(found->id, id, sizeof found->id - 1);
  }
  pthread_mutex_unlock(&histories_lock);
  return found;
}

/* Functions for the tests. */
long aacornfault_call_count(const char *id) { return past_of(id)->calls; }
long aacornfault_has_failed(const char *id) { return past_of(id)->has_failed; }
long aacornfault_open_count(const char *id) { return past_of(id)->opened; }
int64_t aacornfault_longest_rest(const char *id) { return past_of(id)->longest_rest; }
int64_t aacornfault_start_time(const char *id) { return past_of(id)->start; }
long aacornfault_played_count(const char *id) { return past_of(id)->played; }
long aacornfault_silent_count(const char *id) { return past_of(id)->silent; }
long aacornfault_break_count(const char *id) { return past_of(id)->breaks; }
long aacornfault_wrong_count(const char *id) { return past_of(id)->wrong; }

/* Records when the device was last serviced. A service much later than the wakeups, every two milliseconds,
   means that the caller could not run or that the device hung. The time accumulates until samples are read or
   written; a timely call that transfers no samples does not reset it. */
static void record_service(device *d) {
  history *past = d->past;
  int64_t time = now(), rest = past->last_service ? time - past->last_service : 0;
  if (rest > past->longest_rest) past->longest_rest = rest;
  if (rest > 20000000) past->unseen += rest;
  if (past->unseen > past->longest_rest) past->longest_rest = past->unseen;
  past->last_service = time;
}

static void reset_service(device *d) {
  d->past->last_service = now();
  d->past->unseen = 0;
}

/* Returns the number of frames captured or played from frame 0 to a time. */
static int64_t total_at(const device *d, int64_t time) {
  return (time - d->past->start) / 1000 * d->rate / 1000000;
}

static int64_t total(const device *d) { return total_at(d, now()); }

/* Returns the captured frames that cannot be read yet; in playback the latency follows the buffer. */
static int64_t unread(const device *d) { return d->is_playing ? 0 : d->latency; }

static int is_failing(const device *d) { return now() < d->past->until; }

static void fail(device *d) {
  if (d->past->has_failed || d->fault == NONE || total(d) < d->at) return;
  d->past->has_failed = 1;
  d->past->until = now() + d->away * 1000000;
  switch (d->fault) {
    case XRUN: d->is_in_xrun = 1; break;
    case DISCONNECT: snd_pcm_ioplug_set_state(&d->io, SND_PCM_STATE_DISCONNECTED); break;
    case SUSPEND:
    case SLEEP: snd_pcm_ioplug_set_state(&d->io, SND_PCM_STATE_SUSPENDED); break;
    case STALL: d->is_stalled = 1; break;
    case HANG: usleep((useconds_t)d->away * 1000); break;
    default: break;
  }
}

/* Advances the position in the stream, and applies faults. */
static int64_t advance(device *d) {
  if (d->io.state != SND_PCM_STATE_RUNNING) return d->position;
  fail(d);
  record_service(d);
  if (d->is_stalled || d->io.state != SND_PCM_STATE_RUNNING) return d->position;
  int64_t position = total(d) - unread(d) - d->base;
  if (position > d->position) d->position = position;
  return d->position;
}

static snd_pcm_sframes_t fault_pointer(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->past->calls++;
  int64_t position = advance(d);
  /* No frame remains to be played. */
  if (d->is_playing && position > (int64_t)io->appl_ptr) return -EPIPE;
  return d->is_in_xrun ? -EPIPE : (snd_pcm_sframes_t)position;
}

static int fault_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
  device *d = io->private_data;
  d->past->calls++;
  int64_t ahead = advance(d) - (int64_t)io->appl_ptr;
  *delay = (snd_pcm_sframes_t)(d->is_playing ? -ahead : ahead) + d->latency;
  return 0;
}

static int fault_start(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->past->calls++;
  int64_t time = now();
  if (d->past->start == 0) d->past->start = time;
  reset_service(d);
  d->base = total_at(d, time) + (d->is_in_xrun && !d->is_playing ? d->lost : 0);
  d->is_in_xrun = 0;
  d->position = 0;
  return 0;
}

static int fault_stop(snd_pcm_ioplug_t *io) {
  (void)io;
  return 0;
}

static int fault_prepare(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->past->calls++;
  d->position = 0;
  /* A capture starts immediately, and then skips the lost frames. */
  if (d->is_playing) d->is_in_xrun = 0;
  return 0;
}

static int fault_resume(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->past->calls++;
  if (is_failing(d)) return -EAGAIN;
  if (d->fault == SLEEP) return -ENOSYS;
  /* Nothing was captured or played in between: the stream continues at its position. */
  d->base = total(d) - unread(d) - d->position;
  reset_service(d);
  return snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
}

static void put(const device *d, char *place, int64_t frame, unsigned channel) {
  uint32_t wide = (uint32_t)(frame * d->io.channels + channel) & 0x7FFFFF;
  switch (d->format) {
    case SND_PCM_FORMAT_S16: {
      int16_t value = (int16_t)((channel % 2 ? frame >> 15 : frame) & 0x7FFF);
      memcpy(place, &value, 2);
      break;
    }
    case SND_PCM_FORMAT_S24_3LE:
      for (int i = 0; i < 3; i++) place[i] = (char)(wide >> (8 * i));
      break;
    case SND_PCM_FORMAT_S24: memcpy(place, &wide, 4); break;
    case SND_PCM_FORMAT_FLOAT: {
      float value = (float)wide / 8388608;
      memcpy(place, &value, 4);
      break;
    }
    default: {
      uint32_t value = wide << 8;
      memcpy(place, &value, 4);
    }
  }
}

/* Returns the number in a frame's first channels. */
static int64_t number_of(const device *d, const char *first, const char *second) {
  switch (d->format) {
    case SND_PCM_FORMAT_S16: {
      int16_t low, high = 0;
      memcpy(&low, first, 2);
      if (second) memcpy(&high, second, 2);
      return (int64_t)high << 15 | low;
    }
    case SND_PCM_FORMAT_S24_3LE:
      return ((uint8_t)first[0] | (uint8_t)first[1] << 8 | (uint8_t)first[2] << 16) /
             d->io.channels;
    case SND_PCM_FORMAT_FLOAT: {
      float value;
      memcpy(&value, first, 4);
      return (int64_t)(value * 8388608) / d->io.channels;
    }
    default: {
      uint32_t value;
      memcpy(&value, first, 4);
      return (value >> (d->format == SND_PCM_FORMAT_S24 ? 0 : 8)) / d->io.channels;
    }
  }
}

static char *address_of(
    const snd_pcm_channel_area_t *areas, unsigned channel, snd_pcm_uframes_t frame) {
  return (char *)areas[channel].addr + (areas[channel].first + areas[channel].step * frame) / 8;
}

/* Checks a played frame. */
static void check_played(device *d, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t frame) {
  history *past = d->past;
  int64_t number = number_of(
      d, address_of(areas, 0, frame), d->io.channels > 1 ? address_of(areas, 1, frame) : NULL);
  if (number == 0) {
    if (past->last_played > 0) past->silent++;
    return;
  }
  size_t size = (size_t)snd_pcm_format_physical_width(d->format) / 8;
  for (unsigned c = 0; c < d->io.channels; c++) {
    char expected[4] = {0};
    put(d, expected, number, c);
    if (memcmp(expected, address_of(areas, c, frame), size) == 0) continue;
    past->wrong++;
    break;
  }
  if (past->last_played > 0 && number != past->last_played + 1) past->breaks++;
  past->last_played = number;
  past->played++;
}

static snd_pcm_sframes_t fault_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    snd_pcm_uframes_t size) {
  device *d = io->private_data;
  d->past->calls++;
  if (d->fault == ERROR && d->past->has_failed && is_failing(d)) return -d->code;
  if (d->is_playing) {
    /* The library would request the remaining frames immediately. */
    if (d->was_short) {
      d->was_short = 0;
      return -EAGAIN;
    }
    if (d->fault == SHORT && size > (snd_pcm_uframes_t)d->lost) {
      size = (snd_pcm_uframes_t)d->lost;
      d->was_short = 1;
    }
    for (snd_pcm_uframes_t i = 0; i < size; i++) check_played(d, areas, offset + i);
    d->past->unseen = 0;
    return (snd_pcm_sframes_t)size;
  }
  int64_t size_of_ring = (int64_t)io->buffer_size;
  int64_t newest = advance(d);
  for (snd_pcm_uframes_t i = 0; i < size; i++) {
    int64_t position = (int64_t)(io->appl_ptr + i);
    /* A frame that has left the ring reads as the frame that replaced it. */
    while (position < newest - size_of_ring) position += size_of_ring;
    for (unsigned c = 0; c < io->channels; c++) {
      put(d, address_of(areas, c, offset + i), d->base + position, c);
    }
  }
  int64_t left = (newest - (int64_t)(io->appl_ptr + size)) * 1000000000 / d->rate;
  if (d->past->unseen > left) d->past->unseen = left > 0 ? left : 0;
  return (snd_pcm_sframes_t)size;
}

static int fault_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  device *d = io->private_data;
  return snd_pcm_sw_params_get_avail_min(params, &d->avail_min);
}

static int fault_revents(
    snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned count, unsigned short *revents) {
  device *d = io->private_data;
  d->past->calls++;
  (void)count;
  *revents = 0;
  unsigned short ready = d->is_playing ? POLLOUT : POLLIN;
  int64_t position = advance(d);
  if (io->state != SND_PCM_STATE_RUNNING || d->is_in_xrun) {
    /* The timer stays unchanged, so the device wakes its reader repeatedly. */
    *revents = ready | POLLERR;
    return 0;
  }
  if (d->fault == ERROR && is_failing(d)) {
    *revents = ready;
    return 0;
  }
  uint64_t ticks;
  ssize_t ignored = read(entries[0].fd, &ticks, sizeof ticks);
  (void)ignored;
  int64_t available = position - (int64_t)io->appl_ptr;
  if (d->is_playing) available += (int64_t)io->buffer_size;
  if (available >= (int64_t)d->avail_min) *revents = ready;
  return 0;
}

static int fault_close(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->past->opened--;
  close(io->poll_fd);
  free(d);
  return 0;
}

static snd_pcm_chmap_t *fault_channel_map(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  char text[64];
  strcpy(text, d->map);
  for (char *c = text; *c; c++) {
    if (*c == '-') *c = ' ';
  }
  return *text ? snd_pcm_chmap_parse_string(text) : NULL;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = fault_start,
    .stop = fault_stop,
    .pointer = fault_pointer,
    .transfer = fault_transfer,
    .close = fault_close,
    .sw_params = fault_sw_params,
    .prepare = fault_prepare,
    .resume = fault_resume,
    .poll_revents = fault_revents,
    .delay = fault_delay,
    .get_chmap = fault_channel_map,
};

static int limit(device *d) {
  unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  unsigned format[] = {(unsigned)d->format};
  unsigned frame = (unsigned)(snd_pcm_format_physical_width(d->format) / 8 * d->channels);
  snd_pcm_ioplug_t *io = &d->io;
  int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (error >= 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  if (error >= 0) {
    error = snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_CHANNELS, (unsigned)d->channels, (unsigned)d->channels);
  }
  if (error >= 0) {
    error = snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_RATE, (unsigned)d->rate, (unsigned)d->rate);
  }
  if (error >= 0) {
    error = snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 16 * frame, 48000 * frame);
  }
  if (error >= 0) {
    error = snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 32 * frame, (unsigned)d->max_buffer * frame);
  }
  return error;
}

static int set(device *d, const char *key, const char *text, char *id) {
  struct {
    const char *key;
    long *value;
  } numbers[] = {{"rate", &d->rate},       {"channels", &d->channels}, {"at", &d->at},
                 {"lost", &d->lost},       {"away", &d->away},         {"code", &d->code},
                 {"latency", &d->latency}, {"buffer", &d->max_buffer}};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (strcmp(key, numbers[i].key) == 0) return *numbers[i].value = atol(text), 0;
  }
  if (strcmp(key, "id") == 0) return strncpy(id, text, 63), 0;
  if (strcmp(key, "direction") == 0) return strncpy(d->direction, text, 8), 0;
  if (strcmp(key, "map") == 0) return strncpy(d->map, strcmp(text, "none") ? text : "", 63), 0;
  if (strcmp(key, "format") == 0) {
    d->format = snd_pcm_format_value(text);
    return d->format == SND_PCM_FORMAT_UNKNOWN ? -EINVAL : 0;
  }
  if (strcmp(key, "fault") == 0) {
    for (unsigned i = 0; i < sizeof fault_names / sizeof *fault_names; i++) {
      if (strcmp(text, fault_names[i]) == 0) return d->fault = (fault_kind)i, 0;
    }
  }
  return -EINVAL;
}

static int open_timer(device *d) {
  struct itimerspec tick = {{0, 2000000}, {0, 2000000}};
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (timer < 0) return -errno;
  timerfd_settime(timer, 0, &tick, NULL);
  d->io.poll_fd = timer;
  d->io.poll_events = POLLIN;
  return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(aacornfault) {
  (void)root;
  device *d = calloc(1, sizeof *d);
  if (!d) return -ENOMEM;
  char id[64] = "";
  d->rate = 48000;
  d->channels = 2;
  d->format = SND_PCM_FORMAT_S32;
  d->max_buffer = 48000;
  d->avail_min = 1;
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(i);
    const char *key;
    char *text = NULL;
    if (snd_config_get_id(entry, &key) < 0) continue;
    if (!strcmp(key, "type") || !strcmp(key, "comment") || !strcmp(key, "hint")) continue;
    int error = snd_config_get_ascii(entry, &text);
    if (error >= 0) error = set(d, key, text, id);
    free(text);
    if (error < 0) {
      SNDERR("Wrong value of %s", key);
      free(d);
      return error;
    }
  }
  d->is_playing = stream == SND_PCM_STREAM_PLAYBACK;
  if (*d->direction && strcmp(d->direction, d->is_playing ? "playback" : "capture")) {
    free(d);
    return -EINVAL;
  }
  d->past = past_of(id);
  if (d->past) d->past->calls++;
  if (!d->past || (d->fault == DISCONNECT && is_failing(d))) {
    free(d);
    return -ENODEV;
  }
  int error = open_timer(d);
  if (error < 0) {
    free(d);
    return error;
  }
  d->io.version = SND_PCM_IOPLUG_VERSION;
  d->io.name = "Aacorn's device that fails";
  d->io.callback = &callbacks;
  d->io.private_data = d;
  d->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | SND_PCM_IOPLUG_FLAG_MONOTONIC;
  error = snd_pcm_ioplug_create(&d->io, name, stream, mode);
  if (error < 0) {
    close(d->io.poll_fd);
    free(d);
    return error;
  }
  d->past->opened++;
  error = limit(d);
  if (error < 0) {
    snd_pcm_ioplug_delete(&d->io);
    return error;
  }
  *pcmp = d->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(aacornfault);
