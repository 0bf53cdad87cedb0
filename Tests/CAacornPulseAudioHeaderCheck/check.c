/* Compares the shim's own declarations with those of libpulse; needs libpulse-dev, makes no code:
 *
 *     cc -std=c11 -Wall -Werror -fsyntax-only -I Sources/CAacornPulseAudio/include \
 *       Tests/CAacornPulseAudioHeaderCheck/check.c
 */
#include "CAacornPulseAudio.h"

#include <pulse/pulseaudio.h>

#define SAME_VALUE(ours, theirs) \
  _Static_assert((long long)(ours) == (long long)(theirs), #ours " differs from " #theirs)
#define SAME_FIELD(ours, theirs, field) \
  _Static_assert( \
      offsetof(ours, field) == offsetof(theirs, field) && \
          sizeof(((ours *)0)->field) == sizeof(((theirs *)0)->field), \
      #ours "." #field " lies elsewhere")

/* Numbers. */

SAME_VALUE(AACORN_PULSE_CONTEXT_UNCONNECTED, PA_CONTEXT_UNCONNECTED);
SAME_VALUE(AACORN_PULSE_CONTEXT_CONNECTING, PA_CONTEXT_CONNECTING);
SAME_VALUE(AACORN_PULSE_CONTEXT_AUTHORIZING, PA_CONTEXT_AUTHORIZING);
SAME_VALUE(AACORN_PULSE_CONTEXT_SETTING_NAME, PA_CONTEXT_SETTING_NAME);
SAME_VALUE(AACORN_PULSE_CONTEXT_READY, PA_CONTEXT_READY);
SAME_VALUE(AACORN_PULSE_CONTEXT_FAILED, PA_CONTEXT_FAILED);
SAME_VALUE(AACORN_PULSE_CONTEXT_TERMINATED, PA_CONTEXT_TERMINATED);
SAME_VALUE(AACORN_PULSE_STREAM_UNCONNECTED, PA_STREAM_UNCONNECTED);
SAME_VALUE(AACORN_PULSE_STREAM_CREATING, PA_STREAM_CREATING);
SAME_VALUE(AACORN_PULSE_STREAM_READY, PA_STREAM_READY);
SAME_VALUE(AACORN_PULSE_STREAM_FAILED, PA_STREAM_FAILED);
SAME_VALUE(AACORN_PULSE_STREAM_TERMINATED, PA_STREAM_TERMINATED);
SAME_VALUE(AACORN_PULSE_OPERATION_RUNNING, PA_OPERATION_RUNNING);
SAME_VALUE(AACORN_PULSE_OPERATION_DONE, PA_OPERATION_DONE);
SAME_VALUE(AACORN_PULSE_OPERATION_CANCELLED, PA_OPERATION_CANCELLED);
SAME_VALUE(AACORN_PULSE_CONTEXT_NOFLAGS, PA_CONTEXT_NOFLAGS);
SAME_VALUE(AACORN_PULSE_CONTEXT_NOAUTOSPAWN, PA_CONTEXT_NOAUTOSPAWN);
SAME_VALUE(AACORN_PULSE_STREAM_START_CORKED, PA_STREAM_START_CORKED);
SAME_VALUE(AACORN_PULSE_STREAM_AUTO_TIMING_UPDATE, PA_STREAM_AUTO_TIMING_UPDATE);
SAME_VALUE(AACORN_PULSE_STREAM_DONT_MOVE, PA_STREAM_DONT_MOVE);
SAME_VALUE(AACORN_PULSE_STREAM_ADJUST_LATENCY, PA_STREAM_ADJUST_LATENCY);
SAME_VALUE(AACORN_PULSE_SEEK_RELATIVE, PA_SEEK_RELATIVE);
SAME_VALUE(AACORN_PULSE_OK, PA_OK);
SAME_VALUE(AACORN_PULSE_ERROR_ACCESS, PA_ERR_ACCESS);
SAME_VALUE(AACORN_PULSE_ERROR_INVALID, PA_ERR_INVALID);
SAME_VALUE(AACORN_PULSE_ERROR_NO_ENTITY, PA_ERR_NOENTITY);
SAME_VALUE(AACORN_PULSE_ERROR_TIMEOUT, PA_ERR_TIMEOUT);
SAME_VALUE(AACORN_PULSE_ERROR_BUSY, PA_ERR_BUSY);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_MASK_SINK, PA_SUBSCRIPTION_MASK_SINK);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_MASK_SOURCE, PA_SUBSCRIPTION_MASK_SOURCE);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_MASK_SERVER, PA_SUBSCRIPTION_MASK_SERVER);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_EVENT_SINK, PA_SUBSCRIPTION_EVENT_SINK);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_EVENT_SOURCE, PA_SUBSCRIPTION_EVENT_SOURCE);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_EVENT_SERVER, PA_SUBSCRIPTION_EVENT_SERVER);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_EVENT_FACILITY_MASK, PA_SUBSCRIPTION_EVENT_FACILITY_MASK);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_EVENT_NEW, PA_SUBSCRIPTION_EVENT_NEW);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_EVENT_CHANGE, PA_SUBSCRIPTION_EVENT_CHANGE);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_EVENT_REMOVE, PA_SUBSCRIPTION_EVENT_REMOVE);
SAME_VALUE(AACORN_PULSE_SUBSCRIPTION_EVENT_TYPE_MASK, PA_SUBSCRIPTION_EVENT_TYPE_MASK);
SAME_VALUE(AACORN_PULSE_SAMPLE_S16LE, PA_SAMPLE_S16LE);
SAME_VALUE(AACORN_PULSE_SAMPLE_S16BE, PA_SAMPLE_S16BE);
SAME_VALUE(AACORN_PULSE_SAMPLE_FLOAT32LE, PA_SAMPLE_FLOAT32LE);
SAME_VALUE(AACORN_PULSE_SAMPLE_FLOAT32BE, PA_SAMPLE_FLOAT32BE);
SAME_VALUE(AACORN_PULSE_SAMPLE_S32LE, PA_SAMPLE_S32LE);
SAME_VALUE(AACORN_PULSE_SAMPLE_S32BE, PA_SAMPLE_S32BE);
SAME_VALUE(AACORN_PULSE_SAMPLE_S24LE, PA_SAMPLE_S24LE);
SAME_VALUE(AACORN_PULSE_SAMPLE_INVALID, PA_SAMPLE_INVALID);
SAME_VALUE(AACORN_PULSE_CHANNEL_INVALID, PA_CHANNEL_POSITION_INVALID);
SAME_VALUE(AACORN_PULSE_CHANNEL_MONO, PA_CHANNEL_POSITION_MONO);
SAME_VALUE(AACORN_PULSE_CHANNEL_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_LEFT);
SAME_VALUE(AACORN_PULSE_CHANNEL_FRONT_RIGHT, PA_CHANNEL_POSITION_FRONT_RIGHT);
SAME_VALUE(AACORN_PULSE_CHANNEL_FRONT_CENTER, PA_CHANNEL_POSITION_FRONT_CENTER);
SAME_VALUE(AACORN_PULSE_CHANNEL_REAR_CENTER, PA_CHANNEL_POSITION_REAR_CENTER);
SAME_VALUE(AACORN_PULSE_CHANNEL_REAR_LEFT, PA_CHANNEL_POSITION_REAR_LEFT);
SAME_VALUE(AACORN_PULSE_CHANNEL_REAR_RIGHT, PA_CHANNEL_POSITION_REAR_RIGHT);
SAME_VALUE(AACORN_PULSE_CHANNEL_LFE, PA_CHANNEL_POSITION_LFE);
SAME_VALUE(AACORN_PULSE_CHANNEL_FRONT_LEFT_OF_CENTER, PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER);
SAME_VALUE(AACORN_PULSE_CHANNEL_FRONT_RIGHT_OF_CENTER, PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER);
SAME_VALUE(AACORN_PULSE_CHANNEL_SIDE_LEFT, PA_CHANNEL_POSITION_SIDE_LEFT);
SAME_VALUE(AACORN_PULSE_CHANNEL_SIDE_RIGHT, PA_CHANNEL_POSITION_SIDE_RIGHT);
SAME_VALUE(AACORN_PULSE_CHANNEL_TOP_CENTER, PA_CHANNEL_POSITION_TOP_CENTER);
SAME_VALUE(AACORN_PULSE_CHANNEL_TOP_FRONT_LEFT, PA_CHANNEL_POSITION_TOP_FRONT_LEFT);
SAME_VALUE(AACORN_PULSE_CHANNEL_TOP_FRONT_RIGHT, PA_CHANNEL_POSITION_TOP_FRONT_RIGHT);
SAME_VALUE(AACORN_PULSE_CHANNEL_TOP_FRONT_CENTER, PA_CHANNEL_POSITION_TOP_FRONT_CENTER);
SAME_VALUE(AACORN_PULSE_CHANNEL_TOP_REAR_LEFT, PA_CHANNEL_POSITION_TOP_REAR_LEFT);
SAME_VALUE(AACORN_PULSE_CHANNEL_TOP_REAR_RIGHT, PA_CHANNEL_POSITION_TOP_REAR_RIGHT);
SAME_VALUE(AACORN_PULSE_CHANNEL_TOP_REAR_CENTER, PA_CHANNEL_POSITION_TOP_REAR_CENTER);
SAME_VALUE(AACORN_PULSE_CHANNEL_MAP_WAVEEX, PA_CHANNEL_MAP_WAVEEX);
SAME_VALUE(AACORN_PULSE_CHANNELS_MAX, PA_CHANNELS_MAX);
SAME_VALUE(AACORN_PULSE_INVALID_INDEX, PA_INVALID_INDEX);

/* The size of an enumeration counts where it is a field or a parameter. */

SAME_VALUE(sizeof(aacorn_pulse_context_state), sizeof(pa_context_state_t));
SAME_VALUE(sizeof(aacorn_pulse_stream_state), sizeof(pa_stream_state_t));
SAME_VALUE(sizeof(aacorn_pulse_operation_state), sizeof(pa_operation_state_t));
SAME_VALUE(sizeof(aacorn_pulse_context_flags), sizeof(pa_context_flags_t));
SAME_VALUE(sizeof(aacorn_pulse_stream_flags), sizeof(pa_stream_flags_t));
SAME_VALUE(sizeof(aacorn_pulse_seek_mode), sizeof(pa_seek_mode_t));
SAME_VALUE(sizeof(aacorn_pulse_subscription_mask), sizeof(pa_subscription_mask_t));
SAME_VALUE(sizeof(aacorn_pulse_subscription_event), sizeof(pa_subscription_event_type_t));
SAME_VALUE(sizeof(aacorn_pulse_sample_format), sizeof(pa_sample_format_t));
SAME_VALUE(sizeof(aacorn_pulse_channel_position), sizeof(pa_channel_position_t));
SAME_VALUE(sizeof(aacorn_pulse_channel_map_def), sizeof(pa_channel_map_def_t));

/* Structures. Structures that we create must be complete; others may lack fields at the end. */

SAME_VALUE(sizeof(aacorn_pulse_sample_spec), sizeof(pa_sample_spec));
SAME_FIELD(aacorn_pulse_sample_spec, pa_sample_spec, format);
SAME_FIELD(aacorn_pulse_sample_spec, pa_sample_spec, rate);
SAME_FIELD(aacorn_pulse_sample_spec, pa_sample_spec, channels);
SAME_VALUE(sizeof(aacorn_pulse_channel_map), sizeof(pa_channel_map));
SAME_FIELD(aacorn_pulse_channel_map, pa_channel_map, channels);
SAME_FIELD(aacorn_pulse_channel_map, pa_channel_map, map);
SAME_VALUE(sizeof(aacorn_pulse_cvolume), sizeof(pa_cvolume));
SAME_FIELD(aacorn_pulse_cvolume, pa_cvolume, channels);
SAME_FIELD(aacorn_pulse_cvolume, pa_cvolume, values);
SAME_VALUE(sizeof(aacorn_pulse_buffer_attr), sizeof(pa_buffer_attr));
SAME_FIELD(aacorn_pulse_buffer_attr, pa_buffer_attr, maxlength);
SAME_FIELD(aacorn_pulse_buffer_attr, pa_buffer_attr, tlength);
SAME_FIELD(aacorn_pulse_buffer_attr, pa_buffer_attr, prebuf);
SAME_FIELD(aacorn_pulse_buffer_attr, pa_buffer_attr, minreq);
SAME_FIELD(aacorn_pulse_buffer_attr, pa_buffer_attr, fragsize);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, timestamp);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, synchronized_clocks);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, sink_usec);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, source_usec);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, transport_usec);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, playing);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, write_index_corrupt);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, write_index);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, read_index_corrupt);
SAME_FIELD(aacorn_pulse_timing_info, pa_timing_info, read_index);
SAME_FIELD(aacorn_pulse_server_info, pa_server_info, user_name);
SAME_FIELD(aacorn_pulse_server_info, pa_server_info, host_name);
SAME_FIELD(aacorn_pulse_server_info, pa_server_info, server_version);
SAME_FIELD(aacorn_pulse_server_info, pa_server_info, server_name);
SAME_FIELD(aacorn_pulse_server_info, pa_server_info, sample_spec);
SAME_FIELD(aacorn_pulse_server_info, pa_server_info, default_sink_name);
SAME_FIELD(aacorn_pulse_server_info, pa_server_info, default_source_name);
SAME_FIELD(aacorn_pulse_port_info, pa_source_port_info, name);
SAME_FIELD(aacorn_pulse_port_info, pa_source_port_info, description);
SAME_FIELD(aacorn_pulse_port_info, pa_sink_port_info, name);
SAME_FIELD(aacorn_pulse_port_info, pa_sink_port_info, description);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, name);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, index);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, description);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, sample_spec);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, channel_map);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, owner_module);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, volume);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, mute);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, monitor_of_sink);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, monitor_of_sink_name);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, latency);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, driver);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, flags);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, proplist);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, configured_latency);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, base_volume);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, state);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, n_volume_steps);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, card);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, n_ports);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, ports);
SAME_FIELD(aacorn_pulse_source_info, pa_source_info, active_port);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, name);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, index);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, description);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, sample_spec);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, channel_map);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, owner_module);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, volume);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, mute);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, monitor_source);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, monitor_source_name);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, latency);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, driver);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, flags);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, proplist);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, configured_latency);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, base_volume);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, state);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, n_volume_steps);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, card);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, n_ports);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, ports);
SAME_FIELD(aacorn_pulse_sink_info, pa_sink_info, active_port);

/* Functions. From here on our names of types mean theirs, so that the list of functions is read as
 * if it had been written with theirs. */

#define aacorn_pulse_context_state pa_context_state_t
#define aacorn_pulse_stream_state pa_stream_state_t
#define aacorn_pulse_operation_state pa_operation_state_t
#define aacorn_pulse_context_flags pa_context_flags_t
#define aacorn_pulse_stream_flags pa_stream_flags_t
#define aacorn_pulse_subscription_mask pa_subscription_mask_t
#define aacorn_pulse_subscription_event pa_subscription_event_type_t
#define aacorn_pulse_sample_format pa_sample_format_t
#define aacorn_pulse_channel_position pa_channel_position_t
#define aacorn_pulse_channel_map_def pa_channel_map_def_t
#define aacorn_pulse_sample_spec pa_sample_spec
#define aacorn_pulse_channel_map pa_channel_map
#define aacorn_pulse_cvolume pa_cvolume
#define aacorn_pulse_buffer_attr pa_buffer_attr
#define aacorn_pulse_timing_info pa_timing_info
#define aacorn_pulse_server_info pa_server_info
#define aacorn_pulse_source_info pa_source_info
#define aacorn_pulse_sink_info pa_sink_info
#define aacorn_pulse_seek_mode pa_seek_mode_t

#define OUR_CALLBACK(name, parameters) typedef void (*our_##name) parameters;
AACORN_PULSE_CALLBACKS(OUR_CALLBACK)

#define SAME_TYPE(ours, theirs) \
  _Static_assert(__builtin_types_compatible_p(ours, theirs), #theirs " has another type")

SAME_TYPE(our_context_success, pa_context_success_cb_t);
SAME_TYPE(our_context_index, pa_context_index_cb_t);
SAME_TYPE(our_context_event, pa_context_subscribe_cb_t);
SAME_TYPE(our_server_info_callback, pa_server_info_cb_t);
SAME_TYPE(our_source_info_callback, pa_source_info_cb_t);
SAME_TYPE(our_sink_info_callback, pa_sink_info_cb_t);
SAME_TYPE(our_stream_free, pa_free_cb_t);
SAME_TYPE(our_stream_notify, pa_stream_notify_cb_t);
SAME_TYPE(our_stream_request, pa_stream_request_cb_t);
SAME_TYPE(our_stream_success, pa_stream_success_cb_t);

#define aacorn_pulse_context_success pa_context_success_cb_t
#define aacorn_pulse_context_index pa_context_index_cb_t
#define aacorn_pulse_context_event pa_context_subscribe_cb_t
#define aacorn_pulse_server_info_callback pa_server_info_cb_t
#define aacorn_pulse_source_info_callback pa_source_info_cb_t
#define aacorn_pulse_sink_info_callback pa_sink_info_cb_t
#define aacorn_pulse_stream_free pa_free_cb_t
#define aacorn_pulse_stream_notify pa_stream_notify_cb_t
#define aacorn_pulse_stream_request pa_stream_request_cb_t
#define aacorn_pulse_stream_success pa_stream_success_cb_t

#define SAME_FUNCTION(result, name, parameters) \
  SAME_TYPE(result(*) parameters, __typeof__(&pa_##name));
AACORN_PULSE_FUNCTIONS(SAME_FUNCTION)
