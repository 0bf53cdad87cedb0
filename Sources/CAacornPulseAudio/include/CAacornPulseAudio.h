#ifndef CPULSEAUDIO_H
#define CPULSEAUDIO_H

/* What is used of libpulse, declared here so that its headers are not needed, and looked up in the
 * library at run time so that it is not needed either until someone captures with it.
 *
 * Names carry a prefix of their own; only the library's opaque structures keep theirs. So this
 * header can stand beside <pulse/pulseaudio.h>, and Tests/CAacornPulseAudioHeaderCheck/check.c compares
 * the two. */

#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#ifdef __clang__
#define CPULSE_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define CPULSE_NONNULL
#endif

struct pa_context;
struct pa_mainloop;
struct pa_mainloop_api;
struct pa_operation;
struct pa_proplist;
struct pa_spawn_api;
struct pa_stream;

enum { CPULSE_CHANNELS_MAX = 32 };
#define CPULSE_INVALID_INDEX UINT32_MAX

typedef enum cpulse_context_state {
  CPULSE_CONTEXT_UNCONNECTED,
  CPULSE_CONTEXT_CONNECTING,
  CPULSE_CONTEXT_AUTHORIZING,
  CPULSE_CONTEXT_SETTING_NAME,
  CPULSE_CONTEXT_READY,
  CPULSE_CONTEXT_FAILED,
  CPULSE_CONTEXT_TERMINATED
} cpulse_context_state;

typedef enum cpulse_stream_state {
  CPULSE_STREAM_UNCONNECTED,
  CPULSE_STREAM_CREATING,
  CPULSE_STREAM_READY,
  CPULSE_STREAM_FAILED,
  CPULSE_STREAM_TERMINATED
} cpulse_stream_state;

typedef enum cpulse_operation_state {
  CPULSE_OPERATION_RUNNING,
  CPULSE_OPERATION_DONE,
  CPULSE_OPERATION_CANCELLED
} cpulse_operation_state;

typedef enum cpulse_context_flags {
  CPULSE_CONTEXT_NOFLAGS = 0,
  CPULSE_CONTEXT_NOAUTOSPAWN = 1
} cpulse_context_flags;

typedef enum cpulse_stream_flags {
  CPULSE_STREAM_START_CORKED = 0x1,
  CPULSE_STREAM_AUTO_TIMING_UPDATE = 0x8,
  CPULSE_STREAM_DONT_MOVE = 0x200,
  CPULSE_STREAM_ADJUST_LATENCY = 0x2000
} cpulse_stream_flags;

typedef enum cpulse_error {
  CPULSE_OK = 0,
  CPULSE_ERROR_ACCESS = 1,
  CPULSE_ERROR_INVALID = 3,
  CPULSE_ERROR_NO_ENTITY = 5,
  CPULSE_ERROR_TIMEOUT = 8,
  CPULSE_ERROR_BUSY = 26
} cpulse_error;

typedef enum cpulse_subscription_mask {
  CPULSE_SUBSCRIPTION_MASK_SOURCE = 0x2,
  CPULSE_SUBSCRIPTION_MASK_SERVER = 0x80
} cpulse_subscription_mask;

typedef enum cpulse_subscription_event {
  CPULSE_SUBSCRIPTION_EVENT_SOURCE = 0x1,
  CPULSE_SUBSCRIPTION_EVENT_SERVER = 0x7,
  CPULSE_SUBSCRIPTION_EVENT_FACILITY_MASK = 0xF,
  CPULSE_SUBSCRIPTION_EVENT_NEW = 0x0,
  CPULSE_SUBSCRIPTION_EVENT_CHANGE = 0x10,
  CPULSE_SUBSCRIPTION_EVENT_REMOVE = 0x20,
  CPULSE_SUBSCRIPTION_EVENT_TYPE_MASK = 0x30
} cpulse_subscription_event;

typedef enum cpulse_sample_format {
  CPULSE_SAMPLE_S16LE = 3,
  CPULSE_SAMPLE_S16BE = 4,
  CPULSE_SAMPLE_FLOAT32LE = 5,
  CPULSE_SAMPLE_FLOAT32BE = 6,
  CPULSE_SAMPLE_S32LE = 7,
  CPULSE_SAMPLE_S32BE = 8,
  CPULSE_SAMPLE_S24LE = 9,
  CPULSE_SAMPLE_INVALID = -1
} cpulse_sample_format;

/* The places that WAVE files know by a bit of their own, in no particular order. */
typedef enum cpulse_channel_position {
  CPULSE_CHANNEL_INVALID = -1,
  CPULSE_CHANNEL_MONO = 0,
  CPULSE_CHANNEL_FRONT_LEFT = 1,
  CPULSE_CHANNEL_FRONT_RIGHT = 2,
  CPULSE_CHANNEL_FRONT_CENTER = 3,
  CPULSE_CHANNEL_REAR_CENTER = 4,
  CPULSE_CHANNEL_REAR_LEFT = 5,
  CPULSE_CHANNEL_REAR_RIGHT = 6,
  CPULSE_CHANNEL_LFE = 7,
  CPULSE_CHANNEL_FRONT_LEFT_OF_CENTER = 8,
  CPULSE_CHANNEL_FRONT_RIGHT_OF_CENTER = 9,
  CPULSE_CHANNEL_SIDE_LEFT = 10,
  CPULSE_CHANNEL_SIDE_RIGHT = 11,
  CPULSE_CHANNEL_TOP_CENTER = 44,
  CPULSE_CHANNEL_TOP_FRONT_LEFT = 45,
  CPULSE_CHANNEL_TOP_FRONT_RIGHT = 46,
  CPULSE_CHANNEL_TOP_FRONT_CENTER = 47,
  CPULSE_CHANNEL_TOP_REAR_LEFT = 48,
  CPULSE_CHANNEL_TOP_REAR_RIGHT = 49,
  CPULSE_CHANNEL_TOP_REAR_CENTER = 50
} cpulse_channel_position;

typedef enum cpulse_channel_map_def {
  CPULSE_CHANNEL_MAP_WAVEEX = 3
} cpulse_channel_map_def;

typedef struct cpulse_sample_spec {
  cpulse_sample_format format;
  uint32_t rate;
  uint8_t channels;
} cpulse_sample_spec;

typedef struct cpulse_channel_map {
  uint8_t channels;
  cpulse_channel_position map[CPULSE_CHANNELS_MAX];
} cpulse_channel_map;

typedef struct cpulse_cvolume {
  uint8_t channels;
  uint32_t values[CPULSE_CHANNELS_MAX];
} cpulse_cvolume;

typedef struct cpulse_buffer_attr {
  uint32_t maxlength;
  uint32_t tlength;
  uint32_t prebuf;
  uint32_t minreq;
  uint32_t fragsize;
} cpulse_buffer_attr;

/* Newer versions may add fields at the end; the library alone makes these, so that does no harm. */

typedef struct cpulse_timing_info {
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
} cpulse_timing_info;

typedef struct cpulse_server_info {
  const char *user_name;
  const char *host_name;
  const char *server_version;
  const char *server_name;
  cpulse_sample_spec sample_spec;
  const char *default_sink_name;
  const char *default_source_name;
} cpulse_server_info;

typedef struct cpulse_port_info {
  const char *name;
  const char *description;
} cpulse_port_info;

typedef struct cpulse_source_info {
  const char *name;
  uint32_t index;
  const char *description;
  cpulse_sample_spec sample_spec;
  cpulse_channel_map channel_map;
  uint32_t owner_module;
  cpulse_cvolume volume;
  int mute;
  uint32_t monitor_of_sink;
  const char *monitor_of_sink_name;
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
  cpulse_port_info **ports;
  cpulse_port_info *active_port;
} cpulse_source_info;

/* What the library calls back, always on the thread that turns its loop: F(name, parameters). */
#define CPULSE_CALLBACKS(F) \
  F(context_success, (struct pa_context *context, int success, void *userdata)) \
  F(context_index, (struct pa_context *context, uint32_t index, void *userdata)) \
  F(context_event, \
    (struct pa_context *context, cpulse_subscription_event event, uint32_t index, void *userdata)) \
  F(server_info_callback, \
    (struct pa_context *context, const cpulse_server_info *info, void *userdata)) \
  F(source_info_callback, \
    (struct pa_context *context, const cpulse_source_info *info, int end, void *userdata)) \
  F(stream_notify, (struct pa_stream *stream, void *userdata)) \
  F(stream_request, (struct pa_stream *stream, size_t size, void *userdata)) \
  F(stream_success, (struct pa_stream *stream, int success, void *userdata))

#define CPULSE_CALLBACK(name, parameters) typedef void (*cpulse_##name) parameters;
CPULSE_CALLBACKS(CPULSE_CALLBACK)
#undef CPULSE_CALLBACK

/* Every function that is used: F(result, name without "pa_", parameters). */
#define CPULSE_FUNCTIONS(F) \
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
  F(cpulse_context_state, context_get_state, (const struct pa_context *context)) \
  F(int, context_connect, \
    (struct pa_context * context, const char *server, cpulse_context_flags flags, \
     const struct pa_spawn_api *api)) \
  F(void, context_disconnect, (struct pa_context * context)) \
  F(void, context_set_subscribe_callback, \
    (struct pa_context * context, cpulse_context_event callback, void *userdata)) \
  F(struct pa_operation *, context_subscribe, \
    (struct pa_context * context, cpulse_subscription_mask mask, \
     cpulse_context_success callback, void *userdata)) \
  F(struct pa_operation *, context_get_server_info, \
    (struct pa_context * context, cpulse_server_info_callback callback, void *userdata)) \
  F(struct pa_operation *, context_get_source_info_list, \
    (struct pa_context * context, cpulse_source_info_callback callback, void *userdata)) \
  F(struct pa_operation *, context_get_source_info_by_name, \
    (struct pa_context * context, const char *name, cpulse_source_info_callback callback, \
     void *userdata)) \
  F(struct pa_operation *, context_get_source_info_by_index, \
    (struct pa_context * context, uint32_t index, cpulse_source_info_callback callback, \
     void *userdata)) \
  F(struct pa_operation *, context_set_source_volume_by_name, \
    (struct pa_context * context, const char *name, const cpulse_cvolume *volume, \
     cpulse_context_success callback, void *userdata)) \
  F(struct pa_operation *, context_load_module, \
    (struct pa_context * context, const char *name, const char *arguments, \
     cpulse_context_index callback, void *userdata)) \
  F(struct pa_operation *, context_unload_module, \
    (struct pa_context * context, uint32_t index, cpulse_context_success callback, \
     void *userdata)) \
  F(cpulse_operation_state, operation_get_state, (const struct pa_operation *operation)) \
  F(void, operation_cancel, (struct pa_operation * operation)) \
  F(void, operation_unref, (struct pa_operation * operation)) \
  F(const char *, proplist_gets, (const struct pa_proplist *list, const char *key)) \
  F(cpulse_channel_map *, channel_map_init_extend, \
    (cpulse_channel_map * map, unsigned channels, cpulse_channel_map_def standard)) \
  F(struct pa_stream *, stream_new, \
    (struct pa_context * context, const char *name, const cpulse_sample_spec *spec, \
     const cpulse_channel_map *map)) \
  F(void, stream_unref, (struct pa_stream * stream)) \
  F(cpulse_stream_state, stream_get_state, (const struct pa_stream *stream)) \
  F(uint32_t, stream_get_device_index, (const struct pa_stream *stream)) \
  F(int, stream_is_suspended, (const struct pa_stream *stream)) \
  F(int, stream_connect_record, \
    (struct pa_stream * stream, const char *device, const cpulse_buffer_attr *attributes, \
     cpulse_stream_flags flags)) \
  F(int, stream_disconnect, (struct pa_stream * stream)) \
  F(int, stream_peek, (struct pa_stream * stream, const void **data, size_t *size)) \
  F(int, stream_drop, (struct pa_stream * stream)) \
  F(size_t, stream_readable_size, (const struct pa_stream *stream)) \
  F(struct pa_operation *, stream_cork, \
    (struct pa_stream * stream, int cork, cpulse_stream_success callback, void *userdata)) \
  F(struct pa_operation *, stream_update_timing_info, \
    (struct pa_stream * stream, cpulse_stream_success callback, void *userdata)) \
  F(const cpulse_timing_info *, stream_get_timing_info, (struct pa_stream * stream)) \
  F(void, stream_set_read_callback, \
    (struct pa_stream * stream, cpulse_stream_request callback, void *userdata)) \
  F(void, stream_set_moved_callback, \
    (struct pa_stream * stream, cpulse_stream_notify callback, void *userdata)) \
  F(void, stream_set_suspended_callback, \
    (struct pa_stream * stream, cpulse_stream_notify callback, void *userdata)) \
  F(void, stream_set_latency_update_callback, \
    (struct pa_stream * stream, cpulse_stream_notify callback, void *userdata))

/* The functions of the loaded library. */
typedef struct cpulse_functions {
#define CPULSE_FIELD(result, name, parameters) result(*CPULSE_NONNULL name) parameters;
  CPULSE_FUNCTIONS(CPULSE_FIELD)
#undef CPULSE_FIELD
} cpulse_functions;

/* How loading went. */
typedef enum cpulse_load_result {
  CPULSE_LOADED,
  CPULSE_LIBRARY_MISSING,
  CPULSE_FUNCTION_MISSING
} cpulse_load_result;

/* Loads the library at the first call and keeps it for good; from any thread, as often as one
 * likes. */
cpulse_load_result cpulse_load(void);

/* The functions, or NULL if cpulse_load() says something else than CPULSE_LOADED. */
const cpulse_functions *cpulse_get_functions(void);

/* The dynamic loader's words on a missing library, or the name of the first missing function. */
const char *CPULSE_NONNULL cpulse_load_failure(void);

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif
