// The library's functions, in the order in which they are looked up.

#ifndef AACORN_CPIPEWIRE_LIBRARY_H
#define AACORN_CPIPEWIRE_LIBRARY_H

#include "Declarations.h"

struct aacorn_pw_library {
  void (*init)(int *argc, char **argv[]);
  const char *(*get_library_version)(void);
  void (*log_set_level)(int level);

  void *(*thread_loop_new)(const char *name, const struct aacorn_spa_dict *props);
  void *(*thread_loop_get_loop)(void *loop);
  int (*thread_loop_start)(void *loop);
  void (*thread_loop_stop)(void *loop);
  void (*thread_loop_lock)(void *loop);
  void (*thread_loop_unlock)(void *loop);
  void (*thread_loop_destroy)(void *loop);

  void *(*properties_new_dict)(const struct aacorn_spa_dict *dict);
  void *(*context_new)(void *loop, void *properties, size_t user_data_size);
  void (*context_destroy)(void *context);
  void *(*context_connect)(void *context, void *properties, size_t user_data_size);
  void *(*context_load_module)(
    void *context, const char *name, const char *arguments, void *properties);
  int (*core_disconnect)(void *core);
  void (*proxy_destroy)(void *proxy);

  void *(*stream_new)(void *core, const char *name, void *properties);
  void (*stream_destroy)(void *stream);
  void (*stream_add_listener)(
    void *stream, struct aacorn_spa_hook *listener,
    const struct aacorn_pw_events_of_stream *events, void *data);
  int (*stream_connect)(
    void *stream, int direction, uint32_t target, int flags, const struct aacorn_spa_pod **params,
    uint32_t n_params);
  uint32_t (*stream_get_node_id)(void *stream);
  int (*stream_get_time_n)(void *stream, struct aacorn_pw_time *time, size_t size);
  struct aacorn_pw_buffer *(*stream_dequeue_buffer)(void *stream);
  int (*stream_queue_buffer)(void *stream, struct aacorn_pw_buffer *buffer);
};

#endif
