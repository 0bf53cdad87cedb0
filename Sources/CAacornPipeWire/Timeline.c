#include "CAacornPipeWire.h"

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
