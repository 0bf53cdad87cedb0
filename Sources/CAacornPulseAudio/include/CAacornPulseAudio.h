#ifndef AACORN_PULSE_H
#define AACORN_PULSE_H

/*
 * The part of libpulse that Aacorn uses, declared here and looked up in the library at run time, so
 * that its headers are not needed, and the library only to capture or play with it.
 *
 * Names have their own prefix; only the library's opaque structures keep their names. So a file can
 * include this header and <pulse/pulseaudio.h>, and Tests/CAacornPulseAudioHeaderCheck/check.c
 * compares the two.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#ifdef __clang__
#define AACORN_PULSE_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define AACORN_PULSE_NONNULL
#endif

struct pa_context;
struct pa_mainloop;
struct pa_mainloop_api;
struct pa_operation;
struct pa_proplist;
struct pa_spawn_api;
struct pa_stream;

enum { AACORN_PULSE_CHANNELS_MAX = 32 };
#define AACORN_PULSE_INVALID_INDEX UINT32_MAX

typedef enum aacorn_pulse_context_state {
  AACORN_PULSE_CONTEXT_UNCONNECTED,
  AACORN_PULSE_CONTEXT_CONNECTING,
  AACORN_PULSE_CONTEXT_AUTHORIZING,
  AACORN_PULSE_CONTEXT_SETTING_NAME,
  AACORN_PULSE_CONTEXT_READY,
  AACORN_PULSE_CONTEXT_FAILED,
  AACORN_PULSE_CONTEXT_TERMINATED
} aacorn_pulse_context_state;

typedef enum aacorn_pulse_stream_state {
  AACORN_PULSE_STREAM_UNCONNECTED,
  AACORN_PULSE_STREAM_CREATING,
  AACORN_PULSE_STREAM_READY,
  AACORN_PULSE_STREAM_FAILED,
  AACORN_PULSE_STREAM_TERMINATED
} aacorn_pulse_stream_state;

typedef enum aacorn_pulse_operation_state {
  AACORN_PULSE_OPERATION_RUNNING,
  AACORN_PULSE_OPERATION_DONE,
  AACORN_PULSE_OPERATION_CANCELLED
} aacorn_pulse_operation_state;

typedef enum aacorn_pulse_context_flags {
  AACORN_PULSE_CONTEXT_NOFLAGS = 0,
  AACORN_PULSE_CONTEXT_NOAUTOSPAWN = 1
} aacorn_pulse_context_flags;

typedef enum aacorn_pulse_stream_flags {
  AACORN_PULSE_STREAM_START_CORKED = 0x1,
  AACORN_PULSE_STREAM_AUTO_TIMING_UPDATE = 0x8,
  AACORN_PULSE_STREAM_DONT_MOVE = 0x200,
  AACORN_PULSE_STREAM_ADJUST_LATENCY = 0x2000
} aacorn_pulse_stream_flags;

typedef enum aacorn_pulse_seek_mode {
  AACORN_PULSE_SEEK_RELATIVE = 0
} aacorn_pulse_seek_mode;

typedef enum aacorn_pulse_error {
  AACORN_PULSE_OK = 0,
  AACORN_PULSE_ERROR_ACCESS = 1,
  AACORN_PULSE_ERROR_INVALID = 3,
  AACORN_PULSE_ERROR_NO_ENTITY = 5,
  AACORN_PULSE_ERROR_TIMEOUT = 8,
  AACORN_PULSE_ERROR_BUSY = 26
} aacorn_pulse_error;

typedef enum aacorn_pulse_subscription_mask {
  AACORN_PULSE_SUBSCRIPTION_MASK_SINK = 0x1,
  AACORN_PULSE_SUBSCRIPTION_MASK_SOURCE = 0x2,
  AACORN_PULSE_SUBSCRIPTION_MASK_SERVER = 0x80
} aacorn_pulse_subscription_mask;

typedef enum aacorn_pulse_subscription_event {
  AACORN_PULSE_SUBSCRIPTION_EVENT_SINK = 0x0,
  AACORN_PULSE_SUBSCRIPTION_EVENT_SOURCE = 0x1,
  AACORN_PULSE_SUBSCRIPTION_EVENT_SERVER = 0x7,
  AACORN_PULSE_SUBSCRIPTION_EVENT_FACILITY_MASK = 0xF,
  AACORN_PULSE_SUBSCRIPTION_EVENT_NEW = 0x0,
  AACORN_PULSE_SUBSCRIPTION_EVENT_CHANGE = 0x10,
  AACORN_PULSE_SUBSCRIPTION_EVENT_REMOVE = 0x20,
  AACORN_PULSE_SUBSCRIPTION_EVENT_TYPE_MASK = 0x30
} aacorn_pulse_subscription_event;

typedef enum aacorn_pulse_sample_format {
  AACORN_PULSE_SAMPLE_S16LE = 3,
  AACORN_PULSE_SAMPLE_S16BE = 4,
  AACORN_PULSE_SAMPLE_FLOAT32LE = 5,
  AACORN_PULSE_SAMPLE_FLOAT32BE = 6,
  AACORN_PULSE_SAMPLE_S32LE = 7,
  AACORN_PULSE_SAMPLE_S32BE = 8,
  AACORN_PULSE_SAMPLE_S24LE = 9,
  AACORN_PULSE_SAMPLE_INVALID = -1
} aacorn_pulse_sample_format;

/* The positions that have their own bit in WAVE files, in no particular order. */
typedef enum aacorn_pulse_channel_position {
  AACORN_PULSE_CHANNEL_INVALID = -1,
  AACORN_PULSE_CHANNEL_MONO = 0,
  AACORN_PULSE_CHANNEL_FRONT_LEFT = 1,
  AACORN_PULSE_CHANNEL_FRONT_RIGHT = 2,
  AACORN_PULSE_CHANNEL_FRONT_CENTER = 3,
  AACORN_PULSE_CHANNEL_REAR_CENTER = 4,
  AACORN_PULSE_CHANNEL_REAR_LEFT = 5,
  AACORN_PULSE_CHANNEL_REAR_RIGHT = 6,
  AACORN_PULSE_CHANNEL_LFE = 7,
  AACORN_PULSE_CHANNEL_FRONT_LEFT_OF_CENTER = 8,
  AACORN_PULSE_CHANNEL_FRONT_RIGHT_OF_CENTER = 9,
  AACORN_PULSE_CHANNEL_SIDE_LEFT = 10,
  AACORN_PULSE_CHANNEL_SIDE_RIGHT = 11,
  AACORN_PULSE_CHANNEL_TOP_CENTER = 44,
  AACORN_PULSE_CHANNEL_TOP_FRONT_LEFT = 45,
  AACORN_PULSE_CHANNEL_TOP_FRONT_RIGHT = 46,
  AACORN_PULSE_CHANNEL_TOP_FRONT_CENTER = 47,
  AACORN_PULSE_CHANNEL_TOP_REAR_LEFT = 48,
  AACORN_PULSE_CHANNEL_TOP_REAR_RIGHT = 49,
  AACORN_PULSE_CHANNEL_TOP_REAR_CENTER = 50
} aacorn_pulse_channel_position;

typedef enum aacorn_pulse_channel_map_def {
  AACORN_PULSE_CHANNEL_MAP_WAVEEX = 3
} aacorn_pulse_channel_map_def;

typedef struct aacorn_pulse_sample_spec {
  aacorn_pulse_sample_format format;
  uint32_t rate;
  uint8_t channels;
} aacorn_pulse_sample_spec;

typedef struct aacorn_pulse_channel_map {
  uint8_t channels;
  aacorn_pulse_channel_position map[AACORN_PULSE_CHANNELS_MAX];
} aacorn_pulse_channel_map;

typedef struct aacorn_pulse_cvolume {
  uint8_t channels;
  uint32_t values[AACORN_PULSE_CHANNELS_MAX];
} aacorn_pulse_cvolume;

typedef struct aacorn_pulse_buffer_attr {
  uint32_t maxlength;
  uint32_t tlength;
  uint32_t prebuf;
  uint32_t minreq;
  uint32_t fragsize;
} aacorn_pulse_buffer_attr;

/* Newer versions may add fields at the end: harmless, as only the library creates these structs. */

typedef struct aacorn_pulse_timing_info {
  struct timeval timestamp;
  int synchronized_clocks;
  uint64_t sink_usec;
  uint64_t source_usec;
  uint64_t transport_usec;
  int playing;
  int write_index_corrupt;
  int64_t write_index;
  int read_index_corrupt;
  int64_t read_index;
} aacorn_pulse_timing_info;

/* The time of the report by the wall clock, in nanoseconds. */
static inline int64_t
aacorn_pulse_report_time(const aacorn_pulse_timing_info *AACORN_PULSE_NONNULL info) {
  return (int64_t)info->timestamp.tv_sec * 1000000000 + (int64_t)info->timestamp.tv_usec * 1000;
}

typedef struct aacorn_pulse_server_info {
  const char *user_name;
  const char *host_name;
  const char *server_version;
  const char *server_name;
  aacorn_pulse_sample_spec sample_spec;
  const char *default_sink_name;
  const char *default_source_name;
} aacorn_pulse_server_info;

typedef struct aacorn_pulse_port_info {
  const char *name;
  const char *description;
} aacorn_pulse_port_info;

/* A source or a sink, which the library describes by structures of the same layout. */
typedef struct aacorn_pulse_device_info {
  const char *name;
  uint32_t index;
  const char *description;
  aacorn_pulse_sample_spec sample_spec;
  aacorn_pulse_channel_map channel_map;
  uint32_t owner_module;
  aacorn_pulse_cvolume volume;
  int mute;
  /* The sink that a source monitors, or the source that monitors a sink. */
  uint32_t monitor;
  const char *monitor_name;
  uint64_t latency;
  const char *driver;
  int flags;
  struct pa_proplist *proplist;
  uint64_t configured_latency;
  uint32_t base_volume;
  int state;
  uint32_t n_volume_steps;
  uint32_t card;
  uint32_t n_ports;
  aacorn_pulse_port_info **ports;
  aacorn_pulse_port_info *active_port;
} aacorn_pulse_device_info;

typedef aacorn_pulse_device_info aacorn_pulse_source_info;
typedef aacorn_pulse_device_info aacorn_pulse_sink_info;

/* The library's callbacks, always on the thread that runs its loop: F(name, parameters). */
#define AACORN_PULSE_CALLBACKS(F) \
  F(context_success, (struct pa_context *context, int success, void *userdata)) \
  F(context_index, (struct pa_context *context, uint32_t index, void *userdata)) \
  F(context_event, \
    (struct pa_context *context, aacorn_pulse_subscription_event event, uint32_t index, \
      void *userdata)) \
  F(server_info_callback, \
    (struct pa_context *context, const aacorn_pulse_server_info *info, void *userdata)) \
  F(source_info_callback, \
    (struct pa_context *context, const aacorn_pulse_source_info *info, int end, void *userdata)) \
  F(sink_info_callback, \
    (struct pa_context *context, const aacorn_pulse_sink_info *info, int end, void *userdata)) \
  F(stream_free, (void *data)) \
  F(stream_notify, (struct pa_stream *stream, void *userdata)) \
  F(stream_request, (struct pa_stream *stream, size_t size, void *userdata)) \
  F(stream_success, (struct pa_stream *stream, int success, void *userdata))

#define AACORN_PULSE_CALLBACK(name, parameters) typedef void (*aacorn_pulse_##name) parameters;
AACORN_PULSE_CALLBACKS(AACORN_PULSE_CALLBACK)
#undef AACORN_PULSE_CALLBACK

/* All functions that Aacorn uses: F(result, name without "pa_", parameters). */
#define AACORN_PULSE_FUNCTIONS(F) \
  F(const char *, strerror, (int error)) \
  F(struct pa_mainloop *, mainloop_new, (void)) \
  F(void, mainloop_free, (struct pa_mainloop * loop)) \
  F(struct pa_mainloop_api *, mainloop_get_api, (struct pa_mainloop * loop)) \
  F(int, mainloop_prepare, (struct pa_mainloop * loop, int microseconds)) \
  F(int, mainloop_poll, (struct pa_mainloop * loop)) \
  F(int, mainloop_dispatch, (struct pa_mainloop * loop)) \
  F(void, mainloop_wakeup, (struct pa_mainloop * loop)) \
  F(struct pa_context *, context_new, (struct pa_mainloop_api * api, const char *name)) \
  F(void, context_unref, (struct pa_context * context)) \
  F(int, context_errno, (const struct pa_context *context)) \
  F(aacorn_pulse_context_state, context_get_state, (const struct pa_context *context)) \
  F(int, context_connect, \
    (struct pa_context * context, const char *server, aacorn_pulse_context_flags flags, \
     const struct pa_spawn_api *api)) \
  F(void, context_disconnect, (struct pa_context * context)) \
  F(void, context_set_subscribe_callback, \
    (struct pa_context * context, aacorn_pulse_context_event callback, void *userdata)) \
  F(struct pa_operation *, context_subscribe, \
    (struct pa_context * context, aacorn_pulse_subscription_mask mask, \
     aacorn_pulse_context_success callback, void *userdata)) \
  F(struct pa_operation *, context_get_server_info, \
    (struct pa_context * context, aacorn_pulse_server_info_callback callback, void *userdata)) \
  F(struct pa_operation *, context_get_source_info_list, \
    (struct pa_context * context, aacorn_pulse_source_info_callback callback, void *userdata)) \
  F(struct pa_operation *, context_get_source_info_by_name, \
    (struct pa_context * context, const char *name, aacorn_pulse_source_info_callback callback, \
     void *userdata)) \
  F(struct pa_operation *, context_get_source_info_by_index, \
    (struct pa_context * context, uint32_t index, aacorn_pulse_source_info_callback callback, \
     void *userdata)) \
  F(struct pa_operation *, context_get_sink_info_list, \
    (struct pa_context * context, aacorn_pulse_sink_info_callback callback, void *userdata)) \
  F(struct pa_operation *, context_get_sink_info_by_name, \
    (struct pa_context * context, const char *name, aacorn_pulse_sink_info_callback callback, \
     void *userdata)) \
  F(struct pa_operation *, context_get_sink_info_by_index, \
    (struct pa_context * context, uint32_t index, aacorn_pulse_sink_info_callback callback, \
     void *userdata)) \
  F(struct pa_operation *, context_set_source_volume_by_name, \
    (struct pa_context * context, const char *name, const aacorn_pulse_cvolume *volume, \
     aacorn_pulse_context_success callback, void *userdata)) \
  F(struct pa_operation *, context_load_module, \
    (struct pa_context * context, const char *name, const char *arguments, \
     aacorn_pulse_context_index callback, void *userdata)) \
  F(struct pa_operation *, context_unload_module, \
    (struct pa_context * context, uint32_t index, aacorn_pulse_context_success callback, \
     void *userdata)) \
  F(aacorn_pulse_operation_state, operation_get_state, (const struct pa_operation *operation)) \
  F(void, operation_cancel, (struct pa_operation * operation)) \
  F(void, operation_unref, (struct pa_operation * operation)) \
  F(const char *, proplist_gets, (const struct pa_proplist *list, const char *key)) \
  F(aacorn_pulse_channel_map *, channel_map_init_extend, \
    (aacorn_pulse_channel_map * map, unsigned channels, aacorn_pulse_channel_map_def standard)) \
  F(struct pa_stream *, stream_new, \
    (struct pa_context * context, const char *name, const aacorn_pulse_sample_spec *spec, \
     const aacorn_pulse_channel_map *map)) \
  F(void, stream_unref, (struct pa_stream * stream)) \
  F(aacorn_pulse_stream_state, stream_get_state, (const struct pa_stream *stream)) \
  F(uint32_t, stream_get_device_index, (const struct pa_stream *stream)) \
  F(int, stream_is_suspended, (const struct pa_stream *stream)) \
  F(int, stream_connect_record, \
    (struct pa_stream * stream, const char *device, const aacorn_pulse_buffer_attr *attributes, \
     aacorn_pulse_stream_flags flags)) \
  F(int, stream_connect_playback, \
    (struct pa_stream * stream, const char *device, const aacorn_pulse_buffer_attr *attributes, \
     aacorn_pulse_stream_flags flags, const aacorn_pulse_cvolume *volume, \
     struct pa_stream *leader)) \
  F(int, stream_disconnect, (struct pa_stream * stream)) \
  F(int, stream_peek, (struct pa_stream * stream, const void **data, size_t *size)) \
  F(int, stream_drop, (struct pa_stream * stream)) \
  F(size_t, stream_readable_size, (const struct pa_stream *stream)) \
  F(int, stream_begin_write, (struct pa_stream * stream, void **data, size_t *size)) \
  F(int, stream_write, \
    (struct pa_stream * stream, const void *data, size_t size, aacorn_pulse_stream_free release, \
     int64_t offset, aacorn_pulse_seek_mode seek)) \
  F(size_t, stream_writable_size, (const struct pa_stream *stream)) \
  F(struct pa_operation *, stream_cork, \
    (struct pa_stream * stream, int cork, aacorn_pulse_stream_success callback, void *userdata)) \
  F(struct pa_operation *, stream_update_timing_info, \
    (struct pa_stream * stream, aacorn_pulse_stream_success callback, void *userdata)) \
  F(const aacorn_pulse_timing_info *, stream_get_timing_info, (struct pa_stream * stream)) \
  F(void, stream_set_read_callback, \
    (struct pa_stream * stream, aacorn_pulse_stream_request callback, void *userdata)) \
  F(void, stream_set_write_callback, \
    (struct pa_stream * stream, aacorn_pulse_stream_request callback, void *userdata)) \
  F(void, stream_set_underflow_callback, \
    (struct pa_stream * stream, aacorn_pulse_stream_notify callback, void *userdata)) \
  F(void, stream_set_moved_callback, \
    (struct pa_stream * stream, aacorn_pulse_stream_notify callback, void *userdata)) \
  F(void, stream_set_suspended_callback, \
    (struct pa_stream * stream, aacorn_pulse_stream_notify callback, void *userdata)) \
  F(void, stream_set_latency_update_callback, \
    (struct pa_stream * stream, aacorn_pulse_stream_notify callback, void *userdata))

/* The functions of the loaded library. */
typedef struct aacorn_pulse_functions {
#define AACORN_PULSE_FIELD(result, name, parameters) result(*AACORN_PULSE_NONNULL name) parameters;
  AACORN_PULSE_FUNCTIONS(AACORN_PULSE_FIELD)
#undef AACORN_PULSE_FIELD
} aacorn_pulse_functions;

/* The symbols of the functions, in the order of the table; a space follows each. */
const char *AACORN_PULSE_NONNULL aacorn_pulse_symbols(void);

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif
