/* Compares the shim's own declarations with those of libpulse; needs libpulse-dev, makes no code:
 *
 *     cc -std=c11 -Wall -Werror -fsyntax-only -I Sources/CAacornPulseAudio/include \
 *       Tests/CAacornPulseAudioHeaderCheck/check.c
 */
#include "CAacornPulseAudio.h"

#include <pulse/pulseaudio.h>

#include "../HeaderCheck.h"

/* Numbers. */

SAME_VALUES(AACORN_PULSE_, PA_,
    CONTEXT_UNCONNECTED, CONTEXT_CONNECTING, CONTEXT_AUTHORIZING, CONTEXT_SETTING_NAME,
    CONTEXT_READY, CONTEXT_FAILED, CONTEXT_TERMINATED, STREAM_UNCONNECTED, STREAM_CREATING,
    STREAM_READY, STREAM_FAILED, STREAM_TERMINATED, OPERATION_RUNNING, OPERATION_DONE,
    OPERATION_CANCELLED, CONTEXT_NOFLAGS, CONTEXT_NOAUTOSPAWN, STREAM_START_CORKED,
    STREAM_AUTO_TIMING_UPDATE, STREAM_DONT_MOVE, STREAM_ADJUST_LATENCY, SEEK_RELATIVE, OK);
SAME_VALUES(AACORN_PULSE_ERROR_, PA_ERR_, ACCESS, INVALID, TIMEOUT, BUSY);
SAME_VALUE(AACORN_PULSE_ERROR_NO_ENTITY, PA_ERR_NOENTITY);
SAME_VALUES(AACORN_PULSE_, PA_,
    SUBSCRIPTION_MASK_SINK, SUBSCRIPTION_MASK_SOURCE, SUBSCRIPTION_MASK_SERVER,
    SUBSCRIPTION_EVENT_SINK, SUBSCRIPTION_EVENT_SOURCE, SUBSCRIPTION_EVENT_SERVER,
    SUBSCRIPTION_EVENT_FACILITY_MASK, SUBSCRIPTION_EVENT_NEW, SUBSCRIPTION_EVENT_CHANGE,
    SUBSCRIPTION_EVENT_REMOVE, SUBSCRIPTION_EVENT_TYPE_MASK, SAMPLE_S16LE, SAMPLE_S16BE,
    SAMPLE_FLOAT32LE, SAMPLE_FLOAT32BE, SAMPLE_S32LE, SAMPLE_S32BE, SAMPLE_S24LE, SAMPLE_INVALID);
SAME_VALUES(AACORN_PULSE_CHANNEL_, PA_CHANNEL_POSITION_,
    INVALID, MONO, FRONT_LEFT, FRONT_RIGHT, FRONT_CENTER, REAR_CENTER, REAR_LEFT, REAR_RIGHT, LFE,
    FRONT_LEFT_OF_CENTER, FRONT_RIGHT_OF_CENTER, SIDE_LEFT, SIDE_RIGHT, TOP_CENTER,
    TOP_FRONT_LEFT, TOP_FRONT_RIGHT, TOP_FRONT_CENTER, TOP_REAR_LEFT, TOP_REAR_RIGHT,
    TOP_REAR_CENTER);
SAME_VALUES(AACORN_PULSE_, PA_, CHANNEL_MAP_WAVEEX, CHANNELS_MAX, INVALID_INDEX);

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
SAME_FIELDS(aacorn_pulse_sample_spec, pa_sample_spec, format, rate, channels);
SAME_VALUE(sizeof(aacorn_pulse_channel_map), sizeof(pa_channel_map));
SAME_FIELDS(aacorn_pulse_channel_map, pa_channel_map, channels, map);
SAME_VALUE(sizeof(aacorn_pulse_cvolume), sizeof(pa_cvolume));
SAME_FIELDS(aacorn_pulse_cvolume, pa_cvolume, channels, values);
SAME_VALUE(sizeof(aacorn_pulse_buffer_attr), sizeof(pa_buffer_attr));
SAME_FIELDS(aacorn_pulse_buffer_attr, pa_buffer_attr,
    maxlength, tlength, prebuf, minreq, fragsize);
SAME_FIELDS(aacorn_pulse_timing_info, pa_timing_info,
    timestamp, synchronized_clocks, sink_usec, source_usec, transport_usec, playing,
    write_index_corrupt, write_index, read_index_corrupt, read_index);
SAME_FIELDS(aacorn_pulse_server_info, pa_server_info,
    user_name, host_name, server_version, server_name, sample_spec, default_sink_name,
    default_source_name);
SAME_FIELDS(aacorn_pulse_port_info, pa_source_port_info, name, description);
SAME_FIELDS(aacorn_pulse_port_info, pa_sink_port_info, name, description);
#define SAME_DEVICE(theirs, monitor_field) \
  SAME_FIELDS(aacorn_pulse_device_info, theirs, \
      name, index, description, sample_spec, channel_map, owner_module, volume, mute, latency, \
      driver, flags, proplist, configured_latency, base_volume, state, n_volume_steps, card, \
      n_ports, ports, active_port); \
  SAME_PLACE(aacorn_pulse_device_info, theirs, monitor, monitor_field); \
  SAME_PLACE(aacorn_pulse_device_info, theirs, monitor_name, monitor_field##_name)
SAME_DEVICE(pa_source_info, monitor_of_sink);
SAME_DEVICE(pa_sink_info, monitor_source);

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
