// A small interface to PipeWire's client library, which is loaded at run time.
//
//   library   aacorn_pw_symbols            the functions to look up
//   session   aacorn_pw_open … _close      a loop thread and a context
//             aacorn_pw_connect            callbacks report the server's objects
//   stream    aacorn_pw_stream_open        a callback delivers or requests samples
//
// Functions of a session may be called from any thread except the callback threads, and by one
// thread at a time. A session's callbacks run on its loop thread; a stream's `process` and `fill`
// run on PipeWire's data thread, which has real-time priority where the system grants it.

#ifndef AACORN_CPIPEWIRE_H
#define AACORN_CPIPEWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Declarations.h"

// ---- Library

/// X(result, name, parameters) for each function; its symbol is `pw_` and the name.
#define AACORN_PW_FUNCTIONS(X) \
  X(void, init, (int *argc, char **argv[])) \
  X(const char *, get_library_version, (void)) \
  X(void, log_set_level, (int level)) \
  X(void *, thread_loop_new, (const char *name, const struct aacorn_spa_dict *props)) \
  X(void *, thread_loop_get_loop, (void *loop)) \
  X(int, thread_loop_start, (void *loop)) \
  X(void, thread_loop_stop, (void *loop)) \
  X(void, thread_loop_lock, (void *loop)) \
  X(void, thread_loop_unlock, (void *loop)) \
  X(void, thread_loop_destroy, (void *loop)) \
  X(void *, properties_new_dict, (const struct aacorn_spa_dict *dict)) \
  X(void *, context_new, (void *loop, void *properties, size_t user_data_size)) \
  X(void, context_destroy, (void *context)) \
  X(void *, context_connect, (void *context, void *properties, size_t user_data_size)) \
  X(void *, context_load_module, \
    (void *context, const char *name, const char *arguments, void *properties)) \
  X(int, core_disconnect, (void *core)) \
  X(void, proxy_destroy, (void *proxy)) \
  X(void *, stream_new, (void *core, const char *name, void *properties)) \
  X(void, stream_destroy, (void *stream)) \
  X(void, stream_add_listener, \
    (void *stream, struct aacorn_spa_hook *listener, \
     const struct aacorn_pw_events_of_stream *events, void *data)) \
  X(int, stream_connect, \
    (void *stream, int direction, uint32_t target, int flags, \
     const struct aacorn_spa_pod **params, uint32_t n_params)) \
  X(uint32_t, stream_get_node_id, (void *stream)) \
  X(int, stream_get_time_n, (void *stream, struct aacorn_pw_time *time, size_t size)) \
  X(struct aacorn_pw_buffer *, stream_dequeue_buffer, (void *stream)) \
  X(int, stream_queue_buffer, (void *stream, struct aacorn_pw_buffer *buffer))

/// The library's functions.
struct aacorn_pw_library {
#define AACORN_PW_MEMBER(result, name, parameters) result(*name) parameters;
  AACORN_PW_FUNCTIONS(AACORN_PW_MEMBER)
#undef AACORN_PW_MEMBER
};

/// The symbols of the functions, in the order of the table; a space follows each.
const char *aacorn_pw_symbols(void);

/// Returns the message for an error number of the functions below.
const char *aacorn_pw_error_text(int error);

// ---- Session

typedef struct aacorn_pw_session aacorn_pw_session;

/// Names and values that the server has for an object; valid in a callback only.
typedef struct aacorn_pw_properties aacorn_pw_properties;

/// The value of a property, or NULL.
const char *aacorn_pw_property(const aacorn_pw_properties *properties, const char *name);

typedef struct aacorn_pw_session_events {
  /// A node exists, or has further or changed properties.
  void (*node)(void *user, uint32_t id, const aacorn_pw_properties *properties);
  /// The channels that an audio node prefers.
  void (*channels)(void *user, uint32_t node, uint32_t count);
  /// A link exists, from one node's output to another's input.
  void (*link)(void *user, uint32_t id, const aacorn_pw_properties *properties);
  /// A node, a link or another object was removed.
  void (*removed)(void *user, uint32_t id);
  /// A common setting or a default has a value, or no longer has one.
  void (*setting)(void *user, const char *key, const char *value);
  /// Everything that existed at the connection has been reported.
  void (*complete)(void *user);
  /// The connection is broken; only `aacorn_pw_disconnect` may be called now.
  void (*broken)(void *user, const char *reason);
} aacorn_pw_session_events;

/// Starts a loop thread with a context of a library; on failure NULL, with the reason in `errno`.
aacorn_pw_session *aacorn_pw_open(
  const struct aacorn_pw_library *library, const aacorn_pw_session_events *events, void *user);

/// Connects to a server: `remote` is a socket's path, or NULL for the default socket.
///
/// Returns 0 or an error number, without waiting for the server's response.
int aacorn_pw_connect(
  aacorn_pw_session *session, const char *remote, const char *application_name);

/// Ends the connection, if any, and all callbacks. Close streams first.
void aacorn_pw_disconnect(aacorn_pw_session *session);

/// Disconnects, ends the loop thread and frees the session.
void aacorn_pw_close(aacorn_pw_session *session);

/// Loads a PipeWire module into the session's context for the session's lifetime.
///
/// Returns 0 or an error number.
int aacorn_pw_load_module(aacorn_pw_session *session, const char *name, const char *arguments);

// ---- Stream

typedef struct aacorn_pw_stream aacorn_pw_stream;

/// Stream states, as PipeWire numbers them.
enum aacorn_pw_stream_state {
  AACORN_PW_STREAM_STATE_ERROR = -1,
  AACORN_PW_STREAM_STATE_UNCONNECTED = 0,
  AACORN_PW_STREAM_STATE_CONNECTING = 1,
  AACORN_PW_STREAM_STATE_PAUSED = 2,
  AACORN_PW_STREAM_STATE_STREAMING = 3,
};

typedef struct aacorn_pw_stream_request {
  /// The program's name in mixers.
  const char *application_name;
  /// Whether the stream plays; otherwise it captures.
  bool is_playback;
  /// The name or serial number of the only node to use; NULL follows the default.
  const char *target;
  /// Whether the stream captures the output of a sink.
  bool is_monitor;
  /// Frames per second; 0 leaves that to the server.
  uint32_t sample_rate;
  uint32_t channel_count;
  /// The position of each channel, in SPA's numbers.
  const uint32_t *positions;
  /// The requested duration of a block.
  uint32_t block_milliseconds;
} aacorn_pw_stream_request;

/// Interleaved single-precision samples, valid in the callback only.
typedef struct aacorn_pw_block {
  const void *samples;
  size_t frame_count;
  uint32_t channel_count;
  uint32_t sample_rate;
  /// CLOCK_MONOTONIC at the first frame, in nanoseconds.
  int64_t time;
  /// Whether `time` comes from the graph's clock.
  bool is_time_reliable;
  /// Frames that the graph processed without this stream.
  uint64_t missed_frame_count;
  /// Frames that the device lost.
  uint64_t overrun_frame_count;
} aacorn_pw_block;

/// Space for interleaved single-precision samples, valid in the callback only.
typedef struct aacorn_pw_space {
  float *samples;
  size_t frame_count;
  uint32_t channel_count;
  /// CLOCK_MONOTONIC when the first frame sounds, in nanoseconds; 0 if unknown.
  int64_t time;
} aacorn_pw_space;

typedef struct aacorn_pw_stream_events {
  /// Receives captured samples. Runs on the data thread: must neither wait nor allocate.
  void (*process)(void *user, const aacorn_pw_block *block);
  /// Fills all of the space with samples to play. Runs on the data thread, too.
  void (*fill)(void *user, const aacorn_pw_space *space);
  void (*state)(void *user, int state, const char *error);
} aacorn_pw_stream_events;

/// Opens a stream in a connected session; on failure NULL, with the reason in `errno`.
aacorn_pw_stream *aacorn_pw_stream_open(
  aacorn_pw_session *session, const aacorn_pw_stream_request *request,
  const aacorn_pw_stream_events *events, void *user);

/// Closes a stream and ends its callbacks. Before that, it may deliver a last block on this thread.
void aacorn_pw_stream_close(aacorn_pw_stream *stream);

/// The server's number for the stream's node; UINT32_MAX as long as it has none.
uint32_t aacorn_pw_stream_node(aacorn_pw_stream *stream);

/// Whether the data thread has real-time priority: 1 or 0, or -1 before the first samples.
int aacorn_pw_stream_is_realtime(aacorn_pw_stream *stream);

// ---- Gaps, by the graph's clock

/// The graph clock's reading in a cycle; it advances whether or not a stream keeps up.
typedef struct aacorn_pw_tick {
  /// The number of the clock.
  uint32_t clock;
  /// Whether the clock is running and has not just been set.
  bool is_steady;
  /// A tick lasts `numerator` / `denominator` seconds.
  uint32_t numerator;
  uint32_t denominator;
  /// Ticks counted, and ticks in a cycle.
  uint64_t position;
  uint64_t duration;
  /// Ticks that the device has lost since its start.
  uint64_t overruns;
} aacorn_pw_tick;

/// The last cycle that had samples; initialize it with zeros.
typedef struct aacorn_pw_timeline {
  bool is_valid;
  aacorn_pw_tick last;
} aacorn_pw_timeline;

/// The gap between the last samples and the current samples, in the stream's frames.
typedef struct aacorn_pw_gap {
  /// Frames of cycles that passed without samples.
  uint64_t missed;
  /// Frames that the device lost.
  uint64_t overrun;
  /// Frames of a cycle with the same clock position as the last one. The last samples were older
  /// than that position, because the clock had advanced before they were examined.
  uint64_t repeated;
  /// Whether the samples are the first ones of a clock. A gap before them is unknown then.
  bool is_start;
} aacorn_pw_gap;

/// Advances to the cycle of the next samples.
aacorn_pw_gap aacorn_pw_advance(
  aacorn_pw_timeline *timeline, const aacorn_pw_tick *tick, uint32_t sample_rate);

// ---- Formats, as PipeWire's POD objects

/// The most channels a stream can have.
enum { AACORN_PW_CHANNEL_LIMIT = 64 };

/// Enough bytes for `aacorn_pw_write_format`.
enum { AACORN_PW_FORMAT_SIZE = 512 };

/// Writes a format offer to `pod`, which is aligned to 8, and returns its size.
size_t aacorn_pw_write_format(
  void *pod, uint32_t sample_rate, uint32_t channel_count, const uint32_t *positions);

/// The members of a format; 0 if the format does not specify one.
typedef struct aacorn_pw_format {
  uint32_t sample_format;
  uint32_t sample_rate;
  uint32_t channel_count;
} aacorn_pw_format;

/// Reads a raw audio format from `size` bytes; false if it is not one. A choice counts as its
/// preferred value.
bool aacorn_pw_read_format(const void *pod, size_t size, aacorn_pw_format *format);

/// The sample format of streams: single precision in the machine's byte order.
uint32_t aacorn_pw_sample_format(void);

#endif
