// The data thread of a playback: from a function that has samples to PipeWire's buffers.

#include "Session.h"

/// The time at which the first frame of the next buffer sounds; 0 if the graph's clock is unknown.
///
///     cycle's start (now) ──queued──buffered──delay──► sounds
///
///     queued, buffered: frames of the stream, the latter in the resampler
///     delay: ticks of the graph's clock
static int64_t sounding_time(
  aacorn_pw_stream *stream, const struct aacorn_spa_io_clock *clock, uint32_t sample_rate) {
  if (clock != NULL && (clock->flags & AACORN_SPA_IO_CLOCK_FLAG_FREEWHEEL) != 0) return 0;
  struct aacorn_pw_time time = {0};
  if (stream->library->stream_get_time_n(stream->stream, &time, sizeof time) < 0) return 0;
  if (time.now <= 0) return 0;
  // A cycle may request several buffers, but the library reports only the time of the first one.
  if (time.now == stream->cycle_time) return stream->next_time;
  stream->cycle_time = time.now;
  double delay = (double)(int64_t)(time.queued + time.buffered) / sample_rate;
  if (time.rate.denom > 0) delay += (double)time.delay * time.rate.num / time.rate.denom;
  return time.now + (int64_t)(delay * 1e9);
}

/// The number of frames to write to a buffer: the library's request, or else one cycle, limited by
/// the buffer's memory.
static size_t frame_count(
  const struct aacorn_pw_buffer *buffer, const struct aacorn_spa_io_clock *clock,
  uint32_t channel_count, uint32_t sample_rate) {
  const struct aacorn_spa_buffer *content = buffer->buffer;
  if (content->n_datas == 0) return 0;
  const struct aacorn_spa_data *data = content->datas;
  if (data->data == NULL || data->chunk == NULL) return 0;
  size_t space = data->maxsize / (sizeof(float) * channel_count);
  size_t wanted = buffer->requested;
  if (wanted == 0 && clock != NULL && clock->rate.denom > 0) {
    double seconds = (double)clock->duration * clock->rate.num / clock->rate.denom;
    wanted = (size_t)(seconds * sample_rate + 0.5);
  }
  return wanted > 0 && wanted < space ? wanted : space;
}

void aacorn_pw_play(aacorn_pw_stream *stream) {
  uint64_t format = atomic_load(&stream->format);
  uint32_t sample_rate = (uint32_t)(format >> 32);
  uint32_t channel_count = (uint32_t)format;
  struct aacorn_pw_buffer *buffer = stream->library->stream_dequeue_buffer(stream->stream);
  if (buffer == NULL) return;
  const struct aacorn_spa_io_clock *clock = atomic_load(&stream->clock);
  size_t count = 0;
  if (format != 0) count = frame_count(buffer, clock, channel_count, sample_rate);
  if (count > 0) {
    struct aacorn_spa_data *data = buffer->buffer->datas;
    aacorn_pw_space space = {
      .samples = data->data,
      .frame_count = count,
      .channel_count = channel_count,
      .time = sounding_time(stream, clock, sample_rate),
    };
    stream->events.fill(stream->user, &space);
    if (space.time != 0)
      stream->next_time = space.time + (int64_t)((double)count / sample_rate * 1e9);
    data->chunk->offset = 0;
    data->chunk->stride = (int32_t)(sizeof(float) * channel_count);
    data->chunk->size = (uint32_t)(sizeof(float) * channel_count * count);
  } else if (buffer->buffer->n_datas > 0 && buffer->buffer->datas->chunk != NULL) {
    buffer->buffer->datas->chunk->size = 0;
  }
  buffer->size = count;
  stream->library->stream_queue_buffer(stream->stream, buffer);
}
