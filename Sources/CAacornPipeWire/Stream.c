#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CAacornPipeWire.h"
#include "Library.h"
#include "Session.h"

/// The longest block that can be held back, in frames: PipeWire's longest cycle.
enum { HELD_LIMIT = 8192 };

enum { BUFFER_LIMIT = 64 };

struct aacorn_pw_stream {
  aacorn_pw_session *session;
  aacorn_pw_stream_events events;
  void *user;
  void *stream;
  struct aacorn_spa_hook hook;
  aacorn_pw_timeline timeline;
  /// A block after a gap, held until the next one shows whether the gap is real; data thread only.
  aacorn_pw_block held;
  bool is_holding;
  float *held_samples;
  uint32_t channel_limit;
  /// Rate and channels in one word, so that the data thread never sees half a change.
  _Atomic uint64_t format;
  /// The graph's clock in shared memory, which can disappear: see `on_io_changed`.
  _Atomic(const struct aacorn_spa_io_clock *) clock;
  atomic_bool is_processing;
  atomic_int is_realtime;
};

// ---- Data thread

static aacorn_pw_tick tick(const struct aacorn_spa_io_clock *clock) {
  const uint32_t jumps = AACORN_SPA_IO_CLOCK_FLAG_DISCONT | AACORN_SPA_IO_CLOCK_FLAG_NO_RATE;
  return (aacorn_pw_tick){
    .clock = clock->id,
    .is_steady = (clock->flags & jumps) == 0,
    .numerator = clock->rate.num,
    .denominator = clock->rate.denom,
    .position = clock->position,
    .duration = clock->duration,
    .overruns = clock->xrun,
  };
}

/// When the first frame of this cycle was captured.
///
///     captured ──delay──► cycle's start (now)          delay: in ticks of the graph's clock
///               ──buffered──►                          buffered: frames in the resampler
static int64_t capture_time(
  aacorn_pw_stream *stream, const struct aacorn_spa_io_clock *clock, uint32_t sample_rate) {
  struct aacorn_pw_time time = {0};
  double delay = 0;
  if (aacorn_pw.stream_get_time_n(stream->stream, &time, sizeof time) >= 0) {
    if (time.rate.denom > 0) delay = (double)time.delay * time.rate.num / time.rate.denom;
    delay += (double)time.buffered / sample_rate;
  }
  return (int64_t)clock->nsec - (int64_t)(delay * 1e9);
}

/// Delivers the block that was held back, less the frames of its gap that were not lost.
static void release(aacorn_pw_stream *stream, uint64_t repeated) {
  if (!stream->is_holding) return;
  aacorn_pw_block *block = &stream->held;
  if (repeated > block->missed_frame_count) repeated = block->missed_frame_count;
  block->missed_frame_count -= repeated;
  block->time -= (int64_t)((double)repeated / block->sample_rate * 1e9);
  stream->is_holding = false;
  stream->events.process(stream->user, block);
}

static void deliver(
  aacorn_pw_stream *stream, const struct aacorn_pw_buffer *buffer, aacorn_pw_block block) {
  const struct aacorn_spa_data *data = buffer->buffer->datas;
  uint32_t offset = data->chunk->offset < data->maxsize ? data->chunk->offset : data->maxsize;
  block.samples = (const char *)data->data + offset;
  if (block.missed_frame_count > 0 && block.frame_count <= HELD_LIMIT &&
      block.channel_count <= stream->channel_limit) {
    memcpy(
      stream->held_samples, block.samples,
      block.frame_count * block.channel_count * sizeof(float));
    block.samples = stream->held_samples;
    stream->held = block;
    stream->is_holding = true;
    return;
  }
  stream->events.process(stream->user, &block);
}

/// The number of frames in a buffer, limited by its memory.
static size_t frame_count(const struct aacorn_pw_buffer *buffer, uint32_t channel_count) {
  const struct aacorn_spa_buffer *content = buffer->buffer;
  if (content->n_datas == 0) return 0;
  const struct aacorn_spa_data *data = content->datas;
  if (data->data == NULL || data->chunk == NULL) return 0;
  uint32_t offset = data->chunk->offset < data->maxsize ? data->chunk->offset : data->maxsize;
  uint32_t room = data->maxsize - offset;
  uint32_t size = data->chunk->size < room ? data->chunk->size : room;
  return size / (sizeof(float) * channel_count);
}

static void process(aacorn_pw_stream *stream) {
  if (atomic_load_explicit(&stream->is_realtime, memory_order_relaxed) < 0) {
    struct sched_param parameters;
    int policy = SCHED_OTHER;
    pthread_getschedparam(pthread_self(), &policy, &parameters);
    atomic_store(&stream->is_realtime, policy != SCHED_OTHER);
  }
  uint64_t format = atomic_load(&stream->format);
  uint32_t sample_rate = (uint32_t)(format >> 32);
  uint32_t channel_count = (uint32_t)format;

  struct aacorn_pw_buffer *buffers[BUFFER_LIMIT];
  size_t buffer_count = 0, waiting = 0;
  while (buffer_count < BUFFER_LIMIT) {
    struct aacorn_pw_buffer *buffer = aacorn_pw.stream_dequeue_buffer(stream->stream);
    if (buffer == NULL) break;
    buffers[buffer_count++] = buffer;
    if (format != 0) waiting += frame_count(buffer, channel_count);
  }
  // The cycle's samples are in the last buffer; the others hold older ones.
  if (waiting > 0) {
    size_t newest = frame_count(buffers[buffer_count - 1], channel_count);
    aacorn_pw_block block = {
      .channel_count = channel_count,
      .sample_rate = sample_rate,
    };
    const struct aacorn_spa_io_clock *clock = atomic_load(&stream->clock);
    aacorn_pw_gap gap = {0};
    if (clock != NULL) {
      aacorn_pw_tick now = tick(clock);
      gap = aacorn_pw_advance(&stream->timeline, &now, sample_rate);
      block.missed_frame_count = gap.missed;
      block.overrun_frame_count = gap.overrun;
      block.time = capture_time(stream, clock, sample_rate);
      block.is_time_reliable = (clock->flags & AACORN_SPA_IO_CLOCK_FLAG_FREEWHEEL) == 0;
      uint64_t older = waiting - newest;
      block.missed_frame_count -=
        block.missed_frame_count < older ? block.missed_frame_count : older;
      block.time -= (int64_t)((double)older / sample_rate * 1e9);
    }
    release(stream, gap.repeated);
    for (size_t index = 0; index < buffer_count; index++) {
      block.frame_count = frame_count(buffers[index], channel_count);
      if (block.frame_count == 0) continue;
      deliver(stream, buffers[index], block);
      block.time += (int64_t)((double)block.frame_count / sample_rate * 1e9);
      block.missed_frame_count = block.overrun_frame_count = 0;
    }
  }
  for (size_t index = 0; index < buffer_count; index++)
    aacorn_pw.stream_queue_buffer(stream->stream, buffers[index]);
}

static void on_process(void *data) {
  aacorn_pw_stream *stream = data;
  atomic_store(&stream->is_processing, true);
  process(stream);
  atomic_store(&stream->is_processing, false);
}

// ---- Loop thread

static void on_io_changed(void *data, uint32_t id, void *area, uint32_t size) {
  aacorn_pw_stream *stream = data;
  if (id != AACORN_SPA_IO_Position) return;
  atomic_store(&stream->clock, size >= sizeof(struct aacorn_spa_io_clock) ? area : NULL);
  // The old memory may vanish after this call, so the data thread must be done with it.
  while (atomic_load(&stream->is_processing)) sched_yield();
}

static void on_state_changed(void *data, int old, int state, const char *error) {
  (void)old;
  aacorn_pw_stream *stream = data;
  stream->events.state(stream->user, state, error);
}

static void on_param_changed(void *data, uint32_t id, const struct aacorn_spa_pod *param) {
  aacorn_pw_stream *stream = data;
  if (id != AACORN_SPA_PARAM_Format) return;
  aacorn_pw_format format = {0};
  bool is_usable = param != NULL &&
                   aacorn_pw_read_format(param, sizeof *param + param->size, &format) &&
                   format.sample_format == aacorn_pw_sample_format() && format.sample_rate > 0 &&
                   format.channel_count > 0 && format.channel_count <= AACORN_PW_CHANNEL_LIMIT;
  uint64_t word = is_usable ? (uint64_t)format.sample_rate << 32 | format.channel_count : 0;
  atomic_store(&stream->format, word);
}

static const struct aacorn_pw_events_of_stream stream_events = {
  .version = AACORN_PW_VERSION_STREAM_EVENTS,
  .state_changed = on_state_changed,
  .io_changed = on_io_changed,
  .param_changed = on_param_changed,
  .process = on_process,
};

// ---- Opening and closing

static void *make_properties(const aacorn_pw_stream_request *request) {
  char latency[32], rate[32];
  struct aacorn_spa_dict_item items[16];
  struct aacorn_spa_dict dict = {0, 0, items};
#define ADD(key, value) items[dict.n_items++] = (struct aacorn_spa_dict_item){key, value}
  ADD("media.type", "Audio");
  ADD("media.category", "Capture");
  ADD("media.role", "Production");
  ADD("media.name", "capture");
  ADD("node.name", request->application_name);
  ADD("application.name", request->application_name);
  // What the session manager remembers of earlier runs must not override the choice.
  ADD("state.restore-target", "false");
  uint32_t base = request->sample_rate > 0 ? request->sample_rate : 48000;
  uint64_t block = (uint64_t)base * request->block_milliseconds / 1000;
  snprintf(latency, sizeof latency, "%u/%u", block > 0 ? (unsigned)block : 1u, base);
  ADD("node.latency", latency);
  if (request->sample_rate > 0) {
    snprintf(rate, sizeof rate, "1/%u", request->sample_rate);
    ADD("node.rate", rate);
  }
  if (request->target != NULL) ADD("target.object", request->target);
  if (request->is_monitor) ADD("stream.capture.sink", "true");
#undef ADD
  return aacorn_pw.properties_new_dict(&dict);
}

aacorn_pw_stream *aacorn_pw_stream_open(
  aacorn_pw_session *session, const aacorn_pw_stream_request *request,
  const aacorn_pw_stream_events *events, void *user) {
  if (session->core == NULL || request->channel_count > AACORN_PW_CHANNEL_LIMIT) {
    errno = EINVAL;
    return NULL;
  }
  aacorn_pw_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return NULL;
  stream->session = session;
  stream->events = *events;
  stream->user = user;
  atomic_store(&stream->is_realtime, -1);
  stream->channel_limit = request->channel_count;
  stream->held_samples = calloc((size_t)HELD_LIMIT * request->channel_count, sizeof(float));
  if (stream->held_samples == NULL) {
    free(stream);
    return NULL;
  }

  int flags = AACORN_PW_STREAM_FLAG_AUTOCONNECT | AACORN_PW_STREAM_FLAG_MAP_BUFFERS |
              AACORN_PW_STREAM_FLAG_RT_PROCESS;
  if (request->target != NULL) flags |= AACORN_PW_STREAM_FLAG_DONT_RECONNECT;
  _Alignas(8) char offer[AACORN_PW_FORMAT_SIZE];
  aacorn_pw_write_format(
    offer, request->sample_rate, request->channel_count, request->positions);
  const struct aacorn_spa_pod *offers[] = {(const struct aacorn_spa_pod *)offer};

  aacorn_pw.thread_loop_lock(session->thread_loop);
  int result = -EIO;
  errno = 0;
  stream->stream = aacorn_pw.stream_new(session->core, "capture", make_properties(request));
  if (stream->stream == NULL) {
    if (errno != 0) result = -errno;
  } else {
    aacorn_pw.stream_add_listener(stream->stream, &stream->hook, &stream_events, stream);
    result = aacorn_pw.stream_connect(
      stream->stream, AACORN_PW_DIRECTION_INPUT, UINT32_MAX, flags, offers, 1);
    if (result < 0) {
      aacorn_pw_unhook(&stream->hook);
      aacorn_pw.stream_destroy(stream->stream);
    }
  }
  aacorn_pw.thread_loop_unlock(session->thread_loop);
  if (result < 0) {
    free(stream->held_samples);
    free(stream);
    errno = -result;
    return NULL;
  }
  return stream;
}

void aacorn_pw_stream_close(aacorn_pw_stream *stream) {
  aacorn_pw.thread_loop_lock(stream->session->thread_loop);
  // Destroying the stream waits for the data thread to leave it.
  aacorn_pw.stream_destroy(stream->stream);
  aacorn_pw.thread_loop_unlock(stream->session->thread_loop);
  release(stream, 0);
  free(stream->held_samples);
  free(stream);
}

uint32_t aacorn_pw_stream_node(aacorn_pw_stream *stream) {
  aacorn_pw.thread_loop_lock(stream->session->thread_loop);
  uint32_t id = aacorn_pw.stream_get_node_id(stream->stream);
  aacorn_pw.thread_loop_unlock(stream->session->thread_loop);
  return id;
}

int aacorn_pw_stream_is_realtime(aacorn_pw_stream *stream) {
  return atomic_load(&stream->is_realtime);
}
