// PipeWire's client library, found at run time, behind the few calls that capture needs.
//
//   library   aacorn_pw_load               dlopen, once
//   session   aacorn_pw_open … _close      a loop thread and a context
//             aacorn_pw_connect            the server's objects come in through callbacks
//   stream    aacorn_pw_stream_open        samples come in through a callback
//
// Functions of a session may be called from any thread but the ones that callbacks come on, and
// by one thread at a time. Callbacks of a session come on its loop thread; a stream's `process`
// comes on PipeWire's data thread, which has real-time priority where the system grants it.

#ifndef AACORN_CPIPEWIRE_H
#define AACORN_CPIPEWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Library

enum aacorn_pw_load_result {
  AACORN_PW_LOADED = 0,
  /// No such library.
  AACORN_PW_MISSING = 1,
  /// A function is missing in it.
  AACORN_PW_UNSUITABLE = 2,
};

/// Loads the library, the first time, and says how that went.
int aacorn_pw_load(void);

/// Tries another file than the usual one, without keeping it.
int aacorn_pw_try(const char *file);

/// What an error number of the functions below means, in words.
const char *aacorn_pw_words(int error);

/// The library's version such as "1.0.5"; NULL unless it is loaded.
const char *aacorn_pw_version(void);

// ---- Session

typedef struct aacorn_pw_session aacorn_pw_session;

/// Names and values that the server knows of an object; valid in a callback only.
typedef struct aacorn_pw_properties aacorn_pw_properties;

/// The value of a property, or NULL.
const char *aacorn_pw_property(const aacorn_pw_properties *properties, const char *name);

typedef struct aacorn_pw_session_events {
  /// A node is there, or more is known of it.
  void (*node)(void *user, uint32_t id, const aacorn_pw_properties *properties);
  /// The channels that an audio node prefers.
  void (*channels)(void *user, uint32_t node, uint32_t count);
  /// A link is there, from one node's output to another one's input.
  void (*link)(void *user, uint32_t id, const aacorn_pw_properties *properties);
  /// A node, a link or something else is gone.
  void (*removed)(void *user, uint32_t id);
  /// A common setting or a default has a value, or none any more.
  void (*setting)(void *user, const char *key, const char *value);
  /// All that was there at the connection has been told.
  void (*complete)(void *user);
  /// The connection is broken; only `aacorn_pw_disconnect` makes sense now.
  void (*broken)(void *user, const char *reason);
} aacorn_pw_session_events;

/// Starts a loop thread with a context; NULL if that cannot be, with the reason in `errno`.
aacorn_pw_session *aacorn_pw_open(const aacorn_pw_session_events *events, void *user);

/// Connects to a server: `remote` is a socket's path, or NULL for the usual one.
///
/// Returns 0 or an error number. It does not wait for the server's answer.
int aacorn_pw_connect(
  aacorn_pw_session *session, const char *remote, const char *application_name);

/// Ends the connection, if there is one; no callback comes after it. Streams are closed before.
void aacorn_pw_disconnect(aacorn_pw_session *session);

/// Ends everything and frees the session.
void aacorn_pw_close(aacorn_pw_session *session);

/// Loads a module of PipeWire into the session's context, for as long as the session lives.
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
  /// What mixers show.
  const char *application_name;
  /// A node's name or serial number, from which alone sound is wanted; NULL follows the default.
  const char *target;
  /// Whether what a sink plays is wanted.
  bool is_monitor;
  /// Frames a second; 0 leaves that to the server.
  uint32_t sample_rate;
  uint32_t channel_count;
  /// As many as channels, SPA's numbers.
  const uint32_t *positions;
  /// How long a block should last.
  uint32_t block_milliseconds;
} aacorn_pw_stream_request;

/// Interleaved samples in single precision, valid in the callback only.
typedef struct aacorn_pw_block {
  const void *samples;
  size_t frame_count;
  uint32_t channel_count;
  uint32_t sample_rate;
  /// CLOCK_MONOTONIC at the first frame, in nanoseconds.
  int64_t time;
  /// Whether `time` comes from the graph's clock.
  bool is_time_reliable;
  /// Frames that the graph went on by without this stream.
  uint64_t missed_frame_count;
  /// Frames that the device lost.
  uint64_t overrun_frame_count;
} aacorn_pw_block;

typedef struct aacorn_pw_stream_events {
  /// On the data thread: neither wait nor allocate.
  void (*process)(void *user, const aacorn_pw_block *block);
  void (*state)(void *user, int state, const char *error);
} aacorn_pw_stream_events;

/// Opens a stream in a connected session; NULL if that cannot be, with the reason in `errno`.
aacorn_pw_stream *aacorn_pw_stream_open(
  aacorn_pw_session *session, const aacorn_pw_stream_request *request,
  const aacorn_pw_stream_events *events, void *user);

/// Closes a stream; no callback comes after it, perhaps a last block comes before, on this thread.
void aacorn_pw_stream_close(aacorn_pw_stream *stream);

/// The server's number of the stream's node; UINT32_MAX as long as it has none.
uint32_t aacorn_pw_stream_node(aacorn_pw_stream *stream);

/// Whether the data thread has real-time priority: 1 or 0, -1 before the first samples.
int aacorn_pw_stream_is_realtime(aacorn_pw_stream *stream);

// ---- Gaps, by the graph's clock

/// Where the clock of the graph stands in a cycle; it counts on whether or not a stream keeps up.
typedef struct aacorn_pw_tick {
  /// Which clock it is.
  uint32_t clock;
  /// Whether the clock counts and has not just been set.
  bool is_steady;
  /// A tick lasts so many parts of a second.
  uint32_t numerator;
  uint32_t denominator;
  /// Ticks counted, and ticks in a cycle.
  uint64_t position;
  uint64_t duration;
  /// Ticks that the device has lost since its start.
  uint64_t overruns;
} aacorn_pw_tick;

/// The cycle that samples came in last; begins as zeros.
typedef struct aacorn_pw_timeline {
  bool is_valid;
  aacorn_pw_tick last;
} aacorn_pw_timeline;

/// What happened between the last samples and these, in frames of the stream.
typedef struct aacorn_pw_gap {
  /// Cycles that went by without samples.
  uint64_t missed;
  /// What the device lost.
  uint64_t overrun;
  /// Samples of another cycle at the same time: the last ones were older than the clock said, for
  /// it had gone on before they were looked at.
  uint64_t repeated;
} aacorn_pw_gap;

/// Goes on to the cycle of the next samples.
aacorn_pw_gap aacorn_pw_advance(
  aacorn_pw_timeline *timeline, const aacorn_pw_tick *tick, uint32_t sample_rate);

// ---- Formats, as PipeWire's POD objects

/// The most channels of a stream.
enum { AACORN_PW_CHANNEL_LIMIT = 64 };

/// Bytes that suffice for `aacorn_pw_write_format`.
enum { AACORN_PW_FORMAT_SIZE = 512 };

/// Writes the offer of a format to `pod`, which is aligned to 8; returns its size.
size_t aacorn_pw_write_format(
  void *pod, uint32_t sample_rate, uint32_t channel_count, const uint32_t *positions);

/// What a format says; 0 for what it leaves open.
typedef struct aacorn_pw_format {
  uint32_t sample_format;
  uint32_t sample_rate;
  uint32_t channel_count;
} aacorn_pw_format;

/// Reads a format of raw audio from `size` bytes; false if it is none. A choice counts as its
/// preferred value.
bool aacorn_pw_read_format(const void *pod, size_t size, aacorn_pw_format *format);

/// The sample format that streams use: single precision in the machine's byte order.
uint32_t aacorn_pw_sample_format(void);

#endif
