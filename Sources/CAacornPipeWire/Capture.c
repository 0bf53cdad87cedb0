// The data thread of a capture: from PipeWire's buffers to blocks with times and gaps.

#include <string.h>

#include "Session.h"

// ---- Gaps between cycles

/// Converts `count` ticks of a clock to frames of the stream.
static uint64_t frames(uint64_t count, const aacorn_pw_tick *tick, uint32_t sample_rate) {
  if (tick->numerator == 1 && tick->denominator == sample_rate) return count;
  return (uint64_t)((double)count * tick->numerator / tick->denominator * sample_rate + 0.5);
}

aacorn_pw_gap aacorn_pw_advance(
  aacorn_pw_timeline *line, const aacorn_pw_tick *tick, uint32_t sample_rate) {
  aacorn_pw_gap gap = {0};
  const aacorn_pw_tick *last = &line->last;
  bool is_steady = tick->is_steady && tick->numerator > 0 && tick->denominator > 0;
  bool continues = line->is_valid && last->clock == tick->clock &&
    last->numerator == tick->numerator && last->denominator == tick->denominator;
  gap.is_start = is_steady && !continues;
  if (is_steady && continues) {
    // Some versions count a cycle at its start and others at its end; as long as cycles are equally
    // long, that makes no difference.
    uint64_t duration = last->duration > tick->duration ? last->duration : tick->duration;
    uint64_t expected = last->position + duration;
    if (tick->position > expected)
      gap.missed = frames(tick->position - expected, tick, sample_rate);
    if (tick->position == last->position) gap.repeated = frames(tick->duration, tick, sample_rate);
    if (tick->overruns > last->overruns)
      gap.overrun = frames(tick->overruns - last->overruns, tick, sample_rate);
  }
  line->is_valid = is_steady;
  line->last = *tick;
  return gap;
}

// ---- Cycles

enum { BUFFER_LIMIT = 64 };

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

/// The time at which the first frame of this cycle was captured.
///
///     captured ──delay──► cycle's start (now)          delay: in ticks of the graph's clock
///               ──buffered──►                          buffered: frames in the resampler
static int64_t capture_time(
  aacorn_pw_stream *stream, const struct aacorn_spa_io_clock *clock, uint32_t sample_rate) {
  struct aacorn_pw_time time = {0};
  double delay = 0;
  if (stream->library->stream_get_time_n(stream->stream, &time, sizeof time) >= 0) {
    if (time.rate.denom > 0) delay = (double)time.delay * time.rate.num / time.rate.denom;
    delay += (double)time.buffered / sample_rate;
  }
  return (int64_t)clock->nsec - (int64_t)(delay * 1e9);
}

void aacorn_pw_release(aacorn_pw_stream *stream, uint64_t repeated) {
  if (!stream->is_holding) return;
  aacorn_pw_block *block = &stream->held;
  block->missed_frame_count -=
    repeated < block->missed_frame_count ? repeated : block->missed_frame_count;
  block->time -= (int64_t)((double)repeated / block->sample_rate * 1e9);
  stream->is_holding = false;
  stream->events.process(stream->user, block);
}

/// Delivers the samples of a buffer, or holds them until the next cycle shows their time.
static void deliver(
  aacorn_pw_stream *stream, const struct aacorn_pw_buffer *buffer, aacorn_pw_block block,
  bool is_uncertain) {
  const struct aacorn_spa_data *data = buffer->buffer->datas;
  uint32_t offset = data->chunk->offset < data->maxsize ? data->chunk->offset : data->maxsize;
  block.samples = (const char *)data->data + offset;
  size_t frame_size = block.channel_count * sizeof(float);
  if (stream->is_holding) {
    // The cycle has several buffers, and the first one is held.
    aacorn_pw_block *held = &stream->held;
    if (held->frame_count + block.frame_count <= HELD_LIMIT) {
      memcpy(
        (char *)stream->held_samples + held->frame_count * frame_size, block.samples,
        block.frame_count * frame_size);
      held->frame_count += block.frame_count;
      return;
    }
    aacorn_pw_release(stream, 0);
  }
  if (is_uncertain && block.frame_count <= HELD_LIMIT &&
      block.channel_count <= stream->channel_limit) {
    memcpy(stream->held_samples, block.samples, block.frame_count * frame_size);
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

void aacorn_pw_capture(aacorn_pw_stream *stream) {
  uint64_t format = atomic_load(&stream->format);
  uint32_t sample_rate = (uint32_t)(format >> 32);
  uint32_t channel_count = (uint32_t)format;

  struct aacorn_pw_buffer *buffers[BUFFER_LIMIT];
  size_t buffer_count = 0, waiting = 0;
  while (buffer_count < BUFFER_LIMIT) {
    struct aacorn_pw_buffer *buffer = stream->library->stream_dequeue_buffer(stream->stream);
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
    aacorn_pw_release(stream, gap.repeated);
    for (size_t index = 0; index < buffer_count; index++) {
      block.frame_count = frame_count(buffers[index], channel_count);
      if (block.frame_count == 0) continue;
      deliver(stream, buffers[index], block, block.missed_frame_count > 0 || gap.is_start);
      gap.is_start = false;
      block.time += (int64_t)((double)block.frame_count / sample_rate * 1e9);
      block.missed_frame_count = block.overrun_frame_count = 0;
    }
  }
  for (size_t index = 0; index < buffer_count; index++)
    stream->library->stream_queue_buffer(stream->stream, buffers[index]);
}
