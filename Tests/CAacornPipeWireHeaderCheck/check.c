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

#include "CAacornPipeWire.h"
#include "Declarations.h"

#define SAME_VALUE(name) \
  _Static_assert((unsigned)AACORN_##name == (unsigned)name, "value of " #name)
#define SAME_TYPE_NAME(name) \
  _Static_assert(sizeof AACORN_##name == sizeof name, "length of " #name)
#define SAME_SIZE(name) \
  _Static_assert(sizeof(struct aacorn_##name) == sizeof(struct name), "size of " #name)
#define NOT_LARGER(name) \
  _Static_assert(sizeof(struct aacorn_##name) <= sizeof(struct name), "size of " #name)
#define SAME_PLACE_AS(mine, theirs, member)                                                    \
  _Static_assert(                                                                              \
    offsetof(struct mine, member) == offsetof(struct theirs, member) &&                        \
      sizeof(((struct mine *)0)->member) == sizeof(((struct theirs *)0)->member),              \
    #theirs "." #member)
#define SAME_PLACE(name, member) SAME_PLACE_AS(aacorn_##name, name, member)

SAME_SIZE(spa_list);
SAME_PLACE(spa_list, next);
SAME_PLACE(spa_list, prev);
SAME_SIZE(spa_callbacks);
SAME_PLACE(spa_callbacks, funcs);
SAME_PLACE(spa_callbacks, data);
SAME_SIZE(spa_interface);
SAME_PLACE(spa_interface, type);
SAME_PLACE(spa_interface, version);
SAME_PLACE(spa_interface, cb);
SAME_SIZE(spa_hook);
SAME_PLACE(spa_hook, link);
SAME_PLACE(spa_hook, cb);
SAME_PLACE(spa_hook, removed);
SAME_PLACE(spa_hook, priv);
SAME_SIZE(spa_dict_item);
SAME_PLACE(spa_dict_item, key);
SAME_PLACE(spa_dict_item, value);
SAME_SIZE(spa_dict);
SAME_PLACE(spa_dict, flags);
SAME_PLACE(spa_dict, n_items);
SAME_PLACE(spa_dict, items);
SAME_SIZE(spa_fraction);
SAME_PLACE(spa_fraction, num);
SAME_PLACE(spa_fraction, denom);

SAME_SIZE(spa_pod);
SAME_PLACE(spa_pod, size);
SAME_PLACE(spa_pod, type);
SAME_SIZE(spa_pod_prop);
SAME_PLACE(spa_pod_prop, key);
SAME_PLACE(spa_pod_prop, flags);
SAME_PLACE(spa_pod_prop, value);
SAME_SIZE(spa_pod_object_body);
SAME_PLACE(spa_pod_object_body, type);
SAME_PLACE(spa_pod_object_body, id);
SAME_SIZE(spa_pod_choice_body);
SAME_PLACE(spa_pod_choice_body, child);
SAME_VALUE(SPA_TYPE_Id);
SAME_VALUE(SPA_TYPE_Int);
SAME_VALUE(SPA_TYPE_Array);
SAME_VALUE(SPA_TYPE_Object);
SAME_VALUE(SPA_TYPE_Choice);
SAME_VALUE(SPA_TYPE_OBJECT_Format);
SAME_VALUE(SPA_PARAM_EnumFormat);
SAME_VALUE(SPA_PARAM_Format);
SAME_VALUE(SPA_MEDIA_TYPE_audio);
SAME_VALUE(SPA_MEDIA_SUBTYPE_raw);
SAME_VALUE(SPA_FORMAT_mediaType);
SAME_VALUE(SPA_FORMAT_mediaSubtype);
SAME_VALUE(SPA_FORMAT_AUDIO_format);
SAME_VALUE(SPA_FORMAT_AUDIO_rate);
SAME_VALUE(SPA_FORMAT_AUDIO_channels);
SAME_VALUE(SPA_FORMAT_AUDIO_position);
SAME_VALUE(SPA_AUDIO_FORMAT_F32_LE);
SAME_VALUE(SPA_AUDIO_FORMAT_F32_BE);

SAME_SIZE(spa_chunk);
SAME_PLACE(spa_chunk, offset);
SAME_PLACE(spa_chunk, size);
SAME_PLACE(spa_chunk, stride);
SAME_PLACE(spa_chunk, offset);
SAME_PLACE(spa_chunk, size);
SAME_SIZE(spa_data);
SAME_PLACE(spa_data, maxsize);
SAME_PLACE(spa_data, data);
SAME_PLACE(spa_data, chunk);
SAME_SIZE(spa_buffer);
SAME_PLACE(spa_buffer, n_datas);
SAME_PLACE(spa_buffer, datas);
SAME_SIZE(spa_io_clock);
SAME_PLACE(spa_io_clock, flags);
SAME_PLACE(spa_io_clock, id);
SAME_PLACE(spa_io_clock, nsec);
SAME_PLACE(spa_io_clock, rate);
SAME_PLACE(spa_io_clock, position);
SAME_PLACE(spa_io_clock, duration);
_Static_assert(offsetof(struct spa_io_position, clock) == 0, "the clock comes first");
SAME_VALUE(SPA_IO_Position);
SAME_VALUE(SPA_IO_CLOCK_FLAG_FREEWHEEL);
#ifdef SPA_IO_CLOCK_FLAG_NO_RATE
SAME_VALUE(SPA_IO_CLOCK_FLAG_NO_RATE);
#endif
#ifdef SPA_IO_CLOCK_FLAG_DISCONT
SAME_VALUE(SPA_IO_CLOCK_FLAG_DISCONT);
#endif
#if PW_CHECK_VERSION(1, 1, 0)
SAME_PLACE(spa_io_clock, xrun);
#elif !PW_CHECK_VERSION(0, 3, 66)
// The fields of newer versions are padding here.
_Static_assert(
  offsetof(struct aacorn_spa_io_clock, target_rate) == offsetof(struct spa_io_clock, padding),
  "start of the padding");
#endif

SAME_TYPE_NAME(PW_TYPE_INTERFACE_Node);
SAME_TYPE_NAME(PW_TYPE_INTERFACE_Link);
SAME_TYPE_NAME(PW_TYPE_INTERFACE_Metadata);
SAME_VALUE(PW_VERSION_REGISTRY);
SAME_VALUE(PW_VERSION_NODE);
SAME_VALUE(PW_VERSION_METADATA);
SAME_VALUE(PW_VERSION_STREAM_EVENTS);
SAME_VALUE(PW_ID_CORE);
SAME_VALUE(PW_NODE_CHANGE_MASK_PROPS);
SAME_VALUE(PW_DIRECTION_INPUT);
SAME_VALUE(PW_DIRECTION_OUTPUT);

NOT_LARGER(pw_core_events);
SAME_PLACE(pw_core_events, done);
SAME_PLACE(pw_core_events, error);
NOT_LARGER(pw_core_methods);
SAME_PLACE(pw_core_methods, add_listener);
SAME_PLACE(pw_core_methods, sync);
SAME_PLACE(pw_core_methods, get_registry);
SAME_SIZE(pw_registry_events);
SAME_PLACE(pw_registry_events, global);
SAME_PLACE(pw_registry_events, global_remove);
NOT_LARGER(pw_registry_methods);
SAME_PLACE(pw_registry_methods, add_listener);
SAME_PLACE(pw_registry_methods, bind);
NOT_LARGER(pw_node_info);
SAME_PLACE(pw_node_info, change_mask);
SAME_PLACE(pw_node_info, props);
SAME_SIZE(pw_node_events);
SAME_PLACE(pw_node_events, info);
SAME_PLACE(pw_node_events, param);
NOT_LARGER(pw_node_methods);
SAME_PLACE(pw_node_methods, add_listener);
SAME_PLACE(pw_node_methods, enum_params);
SAME_SIZE(pw_metadata_events);
SAME_PLACE(pw_metadata_events, property);
NOT_LARGER(pw_metadata_methods);
SAME_PLACE(pw_metadata_methods, add_listener);

SAME_VALUE(PW_STREAM_FLAG_AUTOCONNECT);
SAME_VALUE(PW_STREAM_FLAG_MAP_BUFFERS);
SAME_VALUE(PW_STREAM_FLAG_RT_PROCESS);
SAME_VALUE(PW_STREAM_FLAG_DONT_RECONNECT);
SAME_VALUE(PW_STREAM_STATE_ERROR);
SAME_VALUE(PW_STREAM_STATE_UNCONNECTED);
SAME_VALUE(PW_STREAM_STATE_CONNECTING);
SAME_VALUE(PW_STREAM_STATE_PAUSED);
SAME_VALUE(PW_STREAM_STATE_STREAMING);
NOT_LARGER(pw_buffer);
SAME_PLACE(pw_buffer, buffer);
SAME_PLACE(pw_buffer, size);
SAME_PLACE(pw_buffer, requested);
NOT_LARGER(pw_time);
SAME_PLACE(pw_time, now);
SAME_PLACE(pw_time, rate);
SAME_PLACE(pw_time, ticks);
SAME_PLACE(pw_time, delay);
SAME_PLACE(pw_time, queued);
SAME_PLACE(pw_time, buffered);
SAME_PLACE(pw_time, avail_buffers);
_Static_assert(
  sizeof(struct aacorn_pw_events_of_stream) == sizeof(struct pw_stream_events), "stream events");
SAME_PLACE_AS(aacorn_pw_events_of_stream, pw_stream_events, state_changed);
SAME_PLACE_AS(aacorn_pw_events_of_stream, pw_stream_events, io_changed);
SAME_PLACE_AS(aacorn_pw_events_of_stream, pw_stream_events, param_changed);
SAME_PLACE_AS(aacorn_pw_events_of_stream, pw_stream_events, process);

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
