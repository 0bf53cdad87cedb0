#include "Session.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

// ---- Data thread

static void on_process(void *data) {
  aacorn_pw_stream *stream = data;
  atomic_store(&stream->is_processing, true);
  if (atomic_load_explicit(&stream->is_realtime, memory_order_relaxed) < 0) {
    struct sched_param parameters;
    int policy = SCHED_OTHER;
    pthread_getschedparam(pthread_self(), &policy, &parameters);
    atomic_store(&stream->is_realtime, policy != SCHED_OTHER);
  }
  if (stream->is_playback) aacorn_pw_play(stream);
  else aacorn_pw_capture(stream);
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

static const char *name(const aacorn_pw_stream_request *request) {
  return request->is_playback ? "playback" : "capture";
}

static void *make_properties(
  const struct aacorn_pw_library *library, const aacorn_pw_stream_request *request) {
  char latency[32], rate[32];
  struct aacorn_spa_dict_item items[16];
  struct aacorn_spa_dict dict = {0, 0, items};
#define ADD(key, value) items[dict.n_items++] = (struct aacorn_spa_dict_item){key, value}
  ADD("media.type", "Audio");
  ADD("media.category", request->is_playback ? "Playback" : "Capture");
  ADD("media.role", request->is_playback ? "Music" : "Production");
  ADD("media.name", name(request));
  ADD("node.name", request->application_name);
  ADD("application.name", request->application_name);
  // The session manager must not replace the chosen node by the node of an earlier run.
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
  return library->properties_new_dict(&dict);
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
  stream->library = session->library;
  stream->events = *events;
  stream->user = user;
  stream->is_playback = request->is_playback;
  atomic_store(&stream->is_realtime, -1);
  stream->channel_limit = request->channel_count;
  if (!request->is_playback) {
    stream->held_samples = calloc((size_t)HELD_LIMIT * request->channel_count, sizeof(float));
    if (stream->held_samples == NULL) {
      free(stream);
      return NULL;
    }
  }

  const struct aacorn_pw_library *library = session->library;
  int flags = AACORN_PW_STREAM_FLAG_AUTOCONNECT | AACORN_PW_STREAM_FLAG_MAP_BUFFERS |
              AACORN_PW_STREAM_FLAG_RT_PROCESS;
  if (request->target != NULL) flags |= AACORN_PW_STREAM_FLAG_DONT_RECONNECT;
  _Alignas(8) char offer[AACORN_PW_FORMAT_SIZE];
  aacorn_pw_write_format(
    offer, request->sample_rate, request->channel_count, request->positions);
  const struct aacorn_spa_pod *offers[] = {(const struct aacorn_spa_pod *)offer};

  library->thread_loop_lock(session->thread_loop);
  int result = -EIO;
  errno = 0;
  stream->stream =
    library->stream_new(session->core, name(request), make_properties(library, request));
  if (stream->stream == NULL) {
    if (errno != 0) result = -errno;
  } else {
    library->stream_add_listener(stream->stream, &stream->hook, &stream_events, stream);
    result = library->stream_connect(
      stream->stream, request->is_playback ? AACORN_PW_DIRECTION_OUTPUT : AACORN_PW_DIRECTION_INPUT,
      UINT32_MAX, flags, offers, 1);
    if (result < 0) {
      aacorn_pw_unhook(&stream->hook);
      library->stream_destroy(stream->stream);
    }
  }
  library->thread_loop_unlock(session->thread_loop);
  if (result < 0) {
    free(stream->held_samples);
    free(stream);
    errno = -result;
    return NULL;
  }
  return stream;
}

void aacorn_pw_stream_close(aacorn_pw_stream *stream) {
  aacorn_pw_session *session = stream->session;
  session->library->thread_loop_lock(session->thread_loop);
  // Destroying the stream waits for the data thread to leave it.
  session->library->stream_destroy(stream->stream);
  session->library->thread_loop_unlock(session->thread_loop);
  aacorn_pw_release(stream, 0);
  free(stream->held_samples);
  free(stream);
}

uint32_t aacorn_pw_stream_node(aacorn_pw_stream *stream) {
  aacorn_pw_session *session = stream->session;
  session->library->thread_loop_lock(session->thread_loop);
  uint32_t id = session->library->stream_get_node_id(stream->stream);
  session->library->thread_loop_unlock(session->thread_loop);
  return id;
}

int aacorn_pw_stream_is_realtime(aacorn_pw_stream *stream) {
  return atomic_load(&stream->is_realtime);
}
