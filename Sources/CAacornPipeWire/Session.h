// The members of a session and of its streams. Stream.c opens and closes a stream; Capture.c and
// Playback.c contain the code of the data thread.

#ifndef AACORN_CPIPEWIRE_SESSION_H
#define AACORN_CPIPEWIRE_SESSION_H

#include <stdatomic.h>

#include "CAacornPipeWire.h"

// ---- Session

struct aacorn_pw_session {
  const struct aacorn_pw_library *library;
  aacorn_pw_session_events events;
  void *user;
  void *thread_loop;
  void *context;
  /// The connection; NULL if there is none.
  void *core;
  void *registry;
  struct aacorn_spa_hook core_hook;
  struct aacorn_spa_hook registry_hook;
  /// The objects that need more details than the registry reports.
  struct aacorn_pw_bound *bound;
  int sequence;
  int rounds_left;
};

/// Removes a listener if it is in a list.
static inline void aacorn_pw_unhook(struct aacorn_spa_hook *hook) {
  if (hook->link.prev != NULL) {
    hook->link.prev->next = hook->link.next;
    hook->link.next->prev = hook->link.prev;
  }
  if (hook->removed != NULL) hook->removed(hook);
  *hook = (struct aacorn_spa_hook){0};
}

// ---- Stream

/// The longest block that can be held back, in frames: PipeWire's longest cycle.
enum { HELD_LIMIT = 8192 };

struct aacorn_pw_stream {
  aacorn_pw_session *session;
  const struct aacorn_pw_library *library;
  aacorn_pw_stream_events events;
  void *user;
  void *stream;
  struct aacorn_spa_hook hook;
  bool is_playback;
  /// Rate and channels in one word, so that the data thread never sees half a change.
  _Atomic uint64_t format;
  /// The graph's clock in shared memory, which can disappear: see `on_io_changed`.
  _Atomic(const struct aacorn_spa_io_clock *) clock;
  atomic_bool is_processing;
  atomic_int is_realtime;

  // Capture, data thread only.
  aacorn_pw_timeline timeline;
  /// A block after a gap, held until the next one shows whether the gap is real.
  aacorn_pw_block held;
  bool is_holding;
  float *held_samples;  // NULL in a playback
  uint32_t channel_limit;

  // Playback, data thread only.
  /// The start of the last cycle that requested samples, and the time at which its next frame
  /// sounds.
  int64_t cycle_time;
  int64_t next_time;
};

/// Delivers the captured samples of a cycle.
void aacorn_pw_capture(aacorn_pw_stream *stream);

/// Delivers the held block, and subtracts the frames of its gap that were not lost.
void aacorn_pw_release(aacorn_pw_stream *stream, uint64_t repeated);

/// Requests the samples of a cycle, and fills a buffer with them.
void aacorn_pw_play(aacorn_pw_stream *stream);

#endif
