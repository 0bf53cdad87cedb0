// The parts of PipeWire's headers used here; names have the prefix `aacorn_` in place of `pw_` and
// `spa_`. Tests/CAacornPipeWireHeaderCheck compares them with the real headers. Layouts have been
// the same from 0.3.50 to 1.6: structures only ever grew at their ends.

#ifndef AACORN_CPIPEWIRE_DECLARATIONS_H
#define AACORN_CPIPEWIRE_DECLARATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- SPA: lists, hooks, interfaces, dictionaries

struct aacorn_spa_list {
  struct aacorn_spa_list *next;
  struct aacorn_spa_list *prev;
};

struct aacorn_spa_callbacks {
  const void *funcs;
  void *data;
};

struct aacorn_spa_interface {
  const char *type;
  uint32_t version;
  struct aacorn_spa_callbacks cb;
};

struct aacorn_spa_hook {
  struct aacorn_spa_list link;
  struct aacorn_spa_callbacks cb;
  void (*removed)(struct aacorn_spa_hook *hook);
  void *priv;
};

struct aacorn_spa_dict_item {
  const char *key;
  const char *value;
};

struct aacorn_spa_dict {
  uint32_t flags;
  uint32_t n_items;
  const struct aacorn_spa_dict_item *items;
};

struct aacorn_spa_fraction {
  uint32_t num;
  uint32_t denom;
};

// ---- SPA: PODs

struct aacorn_spa_pod {
  uint32_t size;
  uint32_t type;
};

struct aacorn_spa_pod_prop {
  uint32_t key;
  uint32_t flags;
  struct aacorn_spa_pod value;
};

struct aacorn_spa_pod_object_body {
  uint32_t type;
  uint32_t id;
};

struct aacorn_spa_pod_choice_body {
  uint32_t type;
  uint32_t flags;
  struct aacorn_spa_pod child;
};

enum {
  AACORN_SPA_TYPE_Id = 3,
  AACORN_SPA_TYPE_Int = 4,
  AACORN_SPA_TYPE_Array = 13,
  AACORN_SPA_TYPE_Object = 15,
  AACORN_SPA_TYPE_Choice = 19,
  AACORN_SPA_TYPE_OBJECT_Format = 0x40003,

  AACORN_SPA_PARAM_EnumFormat = 3,
  AACORN_SPA_PARAM_Format = 4,

  AACORN_SPA_MEDIA_TYPE_audio = 1,
  AACORN_SPA_MEDIA_SUBTYPE_raw = 1,

  AACORN_SPA_FORMAT_mediaType = 1,
  AACORN_SPA_FORMAT_mediaSubtype = 2,
  AACORN_SPA_FORMAT_AUDIO_format = 0x10001,
  AACORN_SPA_FORMAT_AUDIO_rate = 0x10003,
  AACORN_SPA_FORMAT_AUDIO_channels = 0x10004,
  AACORN_SPA_FORMAT_AUDIO_position = 0x10005,

  AACORN_SPA_AUDIO_FORMAT_F32_LE = 0x11B,
  AACORN_SPA_AUDIO_FORMAT_F32_BE = 0x11C,
};

// ---- SPA: buffers and the graph's clock

struct aacorn_spa_chunk {
  uint32_t offset;
  uint32_t size;
  int32_t stride;
  int32_t flags;
};

struct aacorn_spa_data {
  uint32_t type;
  uint32_t flags;
  int64_t fd;
  uint32_t mapoffset;
  uint32_t maxsize;
  void *data;
  struct aacorn_spa_chunk *chunk;
};

struct aacorn_spa_buffer {
  uint32_t n_metas;
  uint32_t n_datas;
  void *metas;
  struct aacorn_spa_data *datas;
};

/// The start of `spa_io_position`. The last five members came after 0.3.65; before that they are
/// padding filled with zeros.
struct aacorn_spa_io_clock {
  uint32_t flags;
  uint32_t id;
  char name[64];
  uint64_t nsec;
  struct aacorn_spa_fraction rate;
  uint64_t position;
  uint64_t duration;
  int64_t delay;
  double rate_diff;
  uint64_t next_nsec;
  struct aacorn_spa_fraction target_rate;
  uint64_t target_duration;
  uint32_t target_seq;
  uint32_t cycle;
  uint64_t xrun;
};

enum {
  AACORN_SPA_IO_Position = 7,
  AACORN_SPA_IO_CLOCK_FLAG_FREEWHEEL = 1 << 0,
  AACORN_SPA_IO_CLOCK_FLAG_NO_RATE = 1 << 3,
  AACORN_SPA_IO_CLOCK_FLAG_DISCONT = 1 << 4,
};

// ---- PipeWire: events and methods of objects

#define AACORN_PW_TYPE_INTERFACE_Node "PipeWire:Interface:Node"
#define AACORN_PW_TYPE_INTERFACE_Link "PipeWire:Interface:Link"
#define AACORN_PW_TYPE_INTERFACE_Metadata "PipeWire:Interface:Metadata"

enum {
  AACORN_PW_VERSION_REGISTRY = 3,
  AACORN_PW_VERSION_NODE = 3,
  AACORN_PW_VERSION_METADATA = 3,
  AACORN_PW_VERSION_STREAM_EVENTS = 2,
  AACORN_PW_ID_CORE = 0,
  AACORN_PW_NODE_CHANGE_MASK_PROPS = 1 << 3,
  AACORN_PW_DIRECTION_INPUT = 0,
  AACORN_PW_DIRECTION_OUTPUT = 1,
};

struct aacorn_pw_core_events {
  uint32_t version;
  void (*info)(void *data, const void *info);
  void (*done)(void *data, uint32_t id, int seq);
  void (*ping)(void *data, uint32_t id, int seq);
  void (*error)(void *data, uint32_t id, int seq, int res, const char *message);
  void (*remove_id)(void *data, uint32_t id);
  void (*bound_id)(void *data, uint32_t id, uint32_t global_id);
  void (*add_mem)(void *data, uint32_t id, uint32_t type, int fd, uint32_t flags);
  void (*remove_mem)(void *data, uint32_t id);
};

struct aacorn_pw_core_methods {
  uint32_t version;
  int (*add_listener)(
    void *object, struct aacorn_spa_hook *listener, const struct aacorn_pw_core_events *events,
    void *data);
  int (*hello)(void *object, uint32_t version);
  int (*sync)(void *object, uint32_t id, int seq);
  int (*pong)(void *object, uint32_t id, int seq);
  int (*error)(void *object, uint32_t id, int seq, int res, const char *message);
  void *(*get_registry)(void *object, uint32_t version, size_t user_data_size);
};

struct aacorn_pw_registry_events {
  uint32_t version;
  void (*global)(
    void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
    const struct aacorn_spa_dict *props);
  void (*global_remove)(void *data, uint32_t id);
};

struct aacorn_pw_registry_methods {
  uint32_t version;
  int (*add_listener)(
    void *object, struct aacorn_spa_hook *listener, const struct aacorn_pw_registry_events *events,
    void *data);
  void *(*bind)(
    void *object, uint32_t id, const char *type, uint32_t version, size_t user_data_size);
};

struct aacorn_pw_node_info {
  uint32_t id;
  uint32_t max_input_ports;
  uint32_t max_output_ports;
  uint64_t change_mask;
  uint32_t n_input_ports;
  uint32_t n_output_ports;
  int state;
  const char *error;
  struct aacorn_spa_dict *props;
};

struct aacorn_pw_node_events {
  uint32_t version;
  void (*info)(void *data, const struct aacorn_pw_node_info *info);
  void (*param)(
    void *data, int seq, uint32_t id, uint32_t index, uint32_t next,
    const struct aacorn_spa_pod *param);
};

struct aacorn_pw_node_methods {
  uint32_t version;
  int (*add_listener)(
    void *object, struct aacorn_spa_hook *listener, const struct aacorn_pw_node_events *events,
    void *data);
  int (*subscribe_params)(void *object, uint32_t *ids, uint32_t n_ids);
  int (*enum_params)(
    void *object, int seq, uint32_t id, uint32_t start, uint32_t num,
    const struct aacorn_spa_pod *filter);
};

struct aacorn_pw_metadata_events {
  uint32_t version;
  int (*property)(
    void *data, uint32_t subject, const char *key, const char *type, const char *value);
};

struct aacorn_pw_metadata_methods {
  uint32_t version;
  int (*add_listener)(
    void *object, struct aacorn_spa_hook *listener, const struct aacorn_pw_metadata_events *events,
    void *data);
};

// ---- PipeWire: streams

enum {
  AACORN_PW_STREAM_FLAG_AUTOCONNECT = 1 << 0,
  AACORN_PW_STREAM_FLAG_MAP_BUFFERS = 1 << 2,
  AACORN_PW_STREAM_FLAG_RT_PROCESS = 1 << 4,
  AACORN_PW_STREAM_FLAG_DONT_RECONNECT = 1 << 7,
};

struct aacorn_pw_buffer {
  struct aacorn_spa_buffer *buffer;
  void *user_data;
  uint64_t size;
  uint64_t requested;
};

struct aacorn_pw_time {
  int64_t now;
  struct aacorn_spa_fraction rate;
  uint64_t ticks;
  int64_t delay;
  uint64_t queued;
  uint64_t buffered;
  uint32_t queued_buffers;
  uint32_t avail_buffers;
};

struct aacorn_pw_events_of_stream {
  uint32_t version;
  void (*destroy)(void *data);
  void (*state_changed)(void *data, int old, int state, const char *error);
  void (*control_info)(void *data, uint32_t id, const void *control);
  void (*io_changed)(void *data, uint32_t id, void *area, uint32_t size);
  void (*param_changed)(void *data, uint32_t id, const struct aacorn_spa_pod *param);
  void (*add_buffer)(void *data, struct aacorn_pw_buffer *buffer);
  void (*remove_buffer)(void *data, struct aacorn_pw_buffer *buffer);
  void (*process)(void *data);
  void (*drained)(void *data);
  void (*command)(void *data, const void *command);
  void (*trigger_done)(void *data);
};

#endif
