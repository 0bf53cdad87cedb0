// Compares the shim's declarations with PipeWire's real headers, and its formats with the ones
// that PipeWire's own builder makes. Compiling it checks the former, running it the latter:
//
//   cc -std=gnu11 -ISources/CAacornPipeWire -ISources/CAacornPipeWire/include
//     $(pkg-config --cflags libpipewire-0.3) Tests/CAacornPipeWireHeaderCheck/check.c
//     Sources/CAacornPipeWire/Format.c -o check && ./check

#include <pipewire/pipewire.h>
// After the above, on which it relies.
#include <pipewire/extensions/metadata.h>
#include <spa/param/audio/format-utils.h>
#include <stdio.h>
#include <string.h>

#include "../HeaderCheck.h"
#include "CAacornPipeWire.h"
#include "Declarations.h"

#define SAME_SIZE(name) SAME_VALUE(sizeof(struct aacorn_##name), sizeof(struct name))
#define NOT_LARGER(name) \
  _Static_assert(sizeof(struct aacorn_##name) <= sizeof(struct name), "size of " #name)
#define SAME_STRUCT(name, ...) \
  SAME_SIZE(name); \
  SAME_FIELDS(struct aacorn_##name, struct name, __VA_ARGS__)
// For structures that we do not create, which may lack fields at the end.
#define START_OF_STRUCT(name, ...) \
  NOT_LARGER(name); \
  SAME_FIELDS(struct aacorn_##name, struct name, __VA_ARGS__)
#define SAME_TYPE_NAME(name) SAME_VALUE(sizeof AACORN_##name, sizeof name)

SAME_STRUCT(spa_list, next, prev);
SAME_STRUCT(spa_callbacks, funcs, data);
SAME_STRUCT(spa_interface, type, version, cb);
SAME_STRUCT(spa_hook, link, cb, removed, priv);
SAME_STRUCT(spa_dict_item, key, value);
SAME_STRUCT(spa_dict, flags, n_items, items);
SAME_STRUCT(spa_fraction, num, denom);

SAME_STRUCT(spa_pod, size, type);
SAME_STRUCT(spa_pod_prop, key, flags, value);
SAME_STRUCT(spa_pod_object_body, type, id);
SAME_STRUCT(spa_pod_choice_body, child);
SAME_VALUES(AACORN_SPA_, SPA_,
    TYPE_Id, TYPE_Int, TYPE_Array, TYPE_Object, TYPE_Choice, TYPE_OBJECT_Format, PARAM_EnumFormat,
    PARAM_Format, MEDIA_TYPE_audio, MEDIA_SUBTYPE_raw, FORMAT_mediaType, FORMAT_mediaSubtype,
    FORMAT_AUDIO_format, FORMAT_AUDIO_rate, FORMAT_AUDIO_channels, FORMAT_AUDIO_position,
    AUDIO_FORMAT_F32_LE, AUDIO_FORMAT_F32_BE);

SAME_STRUCT(spa_chunk, offset, size, stride);
SAME_STRUCT(spa_data, maxsize, data, chunk);
SAME_STRUCT(spa_buffer, n_datas, datas);
SAME_STRUCT(spa_io_clock, flags, id, nsec, rate, position, duration);
_Static_assert(offsetof(struct spa_io_position, clock) == 0, "the clock comes first");
SAME_VALUES(AACORN_SPA_, SPA_, IO_Position, IO_CLOCK_FLAG_FREEWHEEL);
#ifdef SPA_IO_CLOCK_FLAG_NO_RATE
SAME_VALUES(AACORN_SPA_, SPA_, IO_CLOCK_FLAG_NO_RATE);
#endif
#ifdef SPA_IO_CLOCK_FLAG_DISCONT
SAME_VALUES(AACORN_SPA_, SPA_, IO_CLOCK_FLAG_DISCONT);
#endif
#if PW_CHECK_VERSION(1, 1, 0)
SAME_FIELDS(struct aacorn_spa_io_clock, struct spa_io_clock, xrun);
#elif !PW_CHECK_VERSION(0, 3, 66)
// The fields of newer versions are padding here.
_Static_assert(
  offsetof(struct aacorn_spa_io_clock, target_rate) == offsetof(struct spa_io_clock, padding),
  "start of the padding");
#endif

SAME_TYPE_NAME(PW_TYPE_INTERFACE_Node);
SAME_TYPE_NAME(PW_TYPE_INTERFACE_Link);
SAME_TYPE_NAME(PW_TYPE_INTERFACE_Metadata);
SAME_VALUES(AACORN_PW_, PW_,
    VERSION_REGISTRY, VERSION_NODE, VERSION_METADATA, VERSION_STREAM_EVENTS, ID_CORE,
    NODE_CHANGE_MASK_PROPS, DIRECTION_INPUT, DIRECTION_OUTPUT);

START_OF_STRUCT(pw_core_events, done, error);
START_OF_STRUCT(pw_core_methods, add_listener, sync, get_registry);
SAME_STRUCT(pw_registry_events, global, global_remove);
START_OF_STRUCT(pw_registry_methods, add_listener, bind);
START_OF_STRUCT(pw_node_info, change_mask, props);
SAME_STRUCT(pw_node_events, info, param);
START_OF_STRUCT(pw_node_methods, add_listener, enum_params);
SAME_STRUCT(pw_metadata_events, property);
START_OF_STRUCT(pw_metadata_methods, add_listener);

SAME_VALUES(AACORN_PW_, PW_,
    STREAM_FLAG_AUTOCONNECT, STREAM_FLAG_MAP_BUFFERS, STREAM_FLAG_RT_PROCESS,
    STREAM_FLAG_DONT_RECONNECT, STREAM_STATE_ERROR, STREAM_STATE_UNCONNECTED,
    STREAM_STATE_CONNECTING, STREAM_STATE_PAUSED, STREAM_STATE_STREAMING);
START_OF_STRUCT(pw_buffer, buffer, size, requested);
START_OF_STRUCT(pw_time, now, rate, ticks, delay, queued, buffered, avail_buffers);
SAME_VALUE(sizeof(struct aacorn_pw_events_of_stream), sizeof(struct pw_stream_events));
SAME_FIELDS(struct aacorn_pw_events_of_stream, struct pw_stream_events,
    state_changed, io_changed, param_changed, process);

/// Whether both ways of writing a format give the same bytes, and reading gives it back.
static int compare(uint32_t rate, uint32_t channels) {
  struct spa_audio_info_raw info = SPA_AUDIO_INFO_RAW_INIT(
    .format = SPA_AUDIO_FORMAT_F32, .rate = rate, .channels = channels);
  uint32_t positions[AACORN_PW_CHANNEL_LIMIT];
  for (uint32_t index = 0; index < channels; index++)
    info.position[index] = positions[index] = SPA_AUDIO_CHANNEL_FL + index;
  _Alignas(8) char theirs[1024], mine[AACORN_PW_FORMAT_SIZE];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(theirs, sizeof theirs);
  struct spa_pod *pod = spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info);
  size_t size = aacorn_pw_write_format(mine, rate, channels, positions);
  aacorn_pw_format format;
  int is_same = size == SPA_POD_SIZE(pod) && memcmp(pod, mine, size) == 0 &&
                aacorn_pw_read_format(pod, size, &format) &&
                format.sample_format == SPA_AUDIO_FORMAT_F32 && format.sample_rate == rate &&
                format.channel_count == channels;
  if (!is_same) fprintf(stderr, "formats differ: %u Hz, %u channels\n", rate, channels);
  return is_same;
}

int main(void) {
  int is_same = strcmp(AACORN_PW_TYPE_INTERFACE_Node, PW_TYPE_INTERFACE_Node) == 0 &&
                strcmp(AACORN_PW_TYPE_INTERFACE_Link, PW_TYPE_INTERFACE_Link) == 0 &&
                strcmp(AACORN_PW_TYPE_INTERFACE_Metadata, PW_TYPE_INTERFACE_Metadata) == 0;
  for (uint32_t channels = 1; channels <= AACORN_PW_CHANNEL_LIMIT; channels++)
    is_same &= compare(48000, channels) & compare(0, channels);
  return is_same ? 0 : 1;
}
