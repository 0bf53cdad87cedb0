#include "Session.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// A node or a metadata object whose events are received.
struct aacorn_pw_bound {
  struct aacorn_pw_bound *next;
  aacorn_pw_session *session;
  uint32_t id;
  void *proxy;
  struct aacorn_spa_hook hook;
  bool is_known;
};

/// The functions of one of the library's proxies, as a structure that depends on the proxy's type.
static const void *methods(void *object) {
  return ((struct aacorn_spa_interface *)object)->cb.funcs;
}

static void *receiver(void *object) {
  return ((struct aacorn_spa_interface *)object)->cb.data;
}

const char *aacorn_pw_property(const aacorn_pw_properties *properties, const char *name) {
  const struct aacorn_spa_dict *dict = (const struct aacorn_spa_dict *)properties;
  if (dict == NULL) return NULL;
  for (uint32_t index = 0; index < dict->n_items; index++)
    if (strcmp(dict->items[index].key, name) == 0) return dict->items[index].value;
  return NULL;
}

static bool has_prefix(const char *text, const char *prefix) {
  return text != NULL && strncmp(text, prefix, strlen(prefix)) == 0;
}

// ---- Nodes

static void on_node_info(void *data, const struct aacorn_pw_node_info *info) {
  struct aacorn_pw_bound *bound = data;
  aacorn_pw_session *session = bound->session;
  const aacorn_pw_properties *properties = (const aacorn_pw_properties *)info->props;
  // Events about other changes have no properties, or empty ones.
  if ((info->change_mask & AACORN_PW_NODE_CHANGE_MASK_PROPS) == 0 || properties == NULL) return;
  session->events.node(session->user, bound->id, properties);
  if (bound->is_known) return;
  bound->is_known = true;
  // If the properties of a node do not contain its channel count, its formats do.
  if (aacorn_pw_property(properties, "audio.channels") != NULL) return;
  const struct aacorn_pw_node_methods *node = methods(bound->proxy);
  node->enum_params(receiver(bound->proxy), 0, AACORN_SPA_PARAM_EnumFormat, 0, 1, NULL);
}

static void on_node_param(
  void *data, int seq, uint32_t id, uint32_t index, uint32_t next,
  const struct aacorn_spa_pod *param) {
  (void)seq, (void)index, (void)next;
  struct aacorn_pw_bound *bound = data;
  aacorn_pw_session *session = bound->session;
  aacorn_pw_format format;
  if (id != AACORN_SPA_PARAM_EnumFormat || param == NULL) return;
  if (!aacorn_pw_read_format(param, sizeof *param + param->size, &format)) return;
  session->events.channels(session->user, bound->id, format.channel_count);
}

static const struct aacorn_pw_node_events node_events = {
  .info = on_node_info, .param = on_node_param};

// ---- Metadata

static int on_setting(
  void *data, uint32_t subject, const char *key, const char *type, const char *value) {
  (void)type;
  struct aacorn_pw_bound *bound = data;
  aacorn_pw_session *session = bound->session;
  if (subject == AACORN_PW_ID_CORE && key != NULL)
    session->events.setting(session->user, key, value);
  return 0;
}

static const struct aacorn_pw_metadata_events metadata_events = {.property = on_setting};

// ---- Registry

static struct aacorn_pw_bound *bind(
  aacorn_pw_session *session, uint32_t id, const char *type, uint32_t version) {
  const struct aacorn_pw_registry_methods *registry = methods(session->registry);
  struct aacorn_pw_bound *bound = calloc(1, sizeof *bound);
  if (bound == NULL) return NULL;
  bound->proxy = registry->bind(receiver(session->registry), id, type, version, 0);
  if (bound->proxy == NULL) {
    free(bound);
    return NULL;
  }
  bound->session = session;
  bound->id = id;
  bound->next = session->bound;
  session->bound = bound;
  return bound;
}

static void unbind(struct aacorn_pw_bound *bound) {
  aacorn_pw_unhook(&bound->hook);
  bound->session->library->proxy_destroy(bound->proxy);
  free(bound);
}

static void on_global(
  void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
  const struct aacorn_spa_dict *props) {
  (void)permissions, (void)version;
  aacorn_pw_session *session = data;
  const aacorn_pw_properties *properties = (const aacorn_pw_properties *)props;
  if (type == NULL || properties == NULL) return;
  if (strcmp(type, AACORN_PW_TYPE_INTERFACE_Link) == 0) {
    session->events.link(session->user, id, properties);
  } else if (strcmp(type, AACORN_PW_TYPE_INTERFACE_Node) == 0) {
    session->events.node(session->user, id, properties);
    const char *class = aacorn_pw_property(properties, "media.class");
    if (!has_prefix(class, "Audio/Source") && !has_prefix(class, "Audio/Sink")) return;
    struct aacorn_pw_bound *bound = bind(session, id, type, AACORN_PW_VERSION_NODE);
    if (bound == NULL) return;
    const struct aacorn_pw_node_methods *node = methods(bound->proxy);
    node->add_listener(receiver(bound->proxy), &bound->hook, &node_events, bound);
  } else if (strcmp(type, AACORN_PW_TYPE_INTERFACE_Metadata) == 0) {
    const char *name = aacorn_pw_property(properties, "metadata.name");
    if (name == NULL || (strcmp(name, "default") != 0 && strcmp(name, "settings") != 0)) return;
    struct aacorn_pw_bound *bound = bind(session, id, type, AACORN_PW_VERSION_METADATA);
    if (bound == NULL) return;
    const struct aacorn_pw_metadata_methods *metadata = methods(bound->proxy);
    metadata->add_listener(receiver(bound->proxy), &bound->hook, &metadata_events, bound);
  }
}

static void on_global_remove(void *data, uint32_t id) {
  aacorn_pw_session *session = data;
  for (struct aacorn_pw_bound **place = &session->bound; *place != NULL; place = &(*place)->next) {
    struct aacorn_pw_bound *bound = *place;
    if (bound->id != id) continue;
    *place = bound->next;
    unbind(bound);
    break;
  }
  session->events.removed(session->user, id);
}

static const struct aacorn_pw_registry_events registry_events = {
  .global = on_global, .global_remove = on_global_remove};

// ---- Core

static void ask_for_answer(aacorn_pw_session *session) {
  const struct aacorn_pw_core_methods *core = methods(session->core);
  session->sequence = core->sync(receiver(session->core), AACORN_PW_ID_CORE, session->sequence);
}

static void on_done(void *data, uint32_t id, int seq) {
  aacorn_pw_session *session = data;
  if (id != AACORN_PW_ID_CORE || seq != session->sequence || session->rounds_left == 0) return;
  // The first response follows the list of objects, the second the details of these objects, the
  // third the formats of nodes that do not list their channels.
  session->rounds_left--;
  if (session->rounds_left > 0) ask_for_answer(session);
  else session->events.complete(session->user);
}

static void on_error(void *data, uint32_t id, int seq, int res, const char *message) {
  (void)seq;
  aacorn_pw_session *session = data;
  // Other errors concern single objects that were removed before they were queried.
  if (id == AACORN_PW_ID_CORE && res == -EPIPE)
    session->events.broken(session->user, message != NULL ? message : "connection error");
}

static const struct aacorn_pw_core_events core_events = {.done = on_done, .error = on_error};

// ---- Session

/// Serializes creating and destroying contexts: the process shares the modules that they load.
static pthread_mutex_t context_lock = PTHREAD_MUTEX_INITIALIZER;

static void *make_context(
  const struct aacorn_pw_library *library, void *loop, const char *configuration) {
  struct aacorn_spa_dict_item items[] = {{"config.name", configuration}};
  struct aacorn_spa_dict dict = {0, configuration != NULL ? 1 : 0, items};
  pthread_mutex_lock(&context_lock);
  void *context = library->context_new(loop, library->properties_new_dict(&dict), 0);
  int error = errno;
  pthread_mutex_unlock(&context_lock);
  errno = error;
  return context;
}

static void destroy_context(aacorn_pw_session *session) {
  pthread_mutex_lock(&context_lock);
  session->library->context_destroy(session->context);
  pthread_mutex_unlock(&context_lock);
}

aacorn_pw_session *aacorn_pw_open(
  const struct aacorn_pw_library *library, const aacorn_pw_session_events *events, void *user) {
  if (library == NULL) {
    errno = ENOSYS;
    return NULL;
  }
  aacorn_pw_session *session = calloc(1, sizeof *session);
  if (session == NULL) return NULL;
  session->library = library;
  session->events = *events;
  session->user = user;
  session->thread_loop = library->thread_loop_new("aacorn-pipewire", NULL);
  if (session->thread_loop == NULL) {
    free(session);
    return NULL;
  }
  void *loop = library->thread_loop_get_loop(session->thread_loop);
  // The configuration client-rt.conf gives the data thread real-time priority. In newer versions the
  // default configuration does so, and client-rt.conf may be missing.
  session->context = make_context(library, loop, "client-rt.conf");
  if (session->context == NULL) session->context = make_context(library, loop, NULL);
  if (session->context == NULL || library->thread_loop_start(session->thread_loop) < 0) {
    int error = errno;
    if (session->context != NULL) destroy_context(session);
    library->thread_loop_destroy(session->thread_loop);
    free(session);
    errno = error;
    return NULL;
  }
  return session;
}

int aacorn_pw_connect(
  aacorn_pw_session *session, const char *remote, const char *application_name) {
  const struct aacorn_pw_library *library = session->library;
  struct aacorn_spa_dict_item items[] = {
    {"application.name", application_name}, {"remote.name", remote}};
  struct aacorn_spa_dict dict = {0, remote != NULL ? 2 : 1, items};
  library->thread_loop_lock(session->thread_loop);
  errno = 0;
  session->core =
    library->context_connect(session->context, library->properties_new_dict(&dict), 0);
  int error = session->core == NULL ? (errno != 0 ? errno : EIO) : 0;
  if (session->core != NULL) {
    const struct aacorn_pw_core_methods *core = methods(session->core);
    core->add_listener(receiver(session->core), &session->core_hook, &core_events, session);
    session->registry = core->get_registry(receiver(session->core), AACORN_PW_VERSION_REGISTRY, 0);
    const struct aacorn_pw_registry_methods *registry = methods(session->registry);
    registry->add_listener(
      receiver(session->registry), &session->registry_hook, &registry_events, session);
    session->rounds_left = 3;
    ask_for_answer(session);
  }
  library->thread_loop_unlock(session->thread_loop);
  return error;
}

void aacorn_pw_disconnect(aacorn_pw_session *session) {
  session->library->thread_loop_lock(session->thread_loop);
  while (session->bound != NULL) {
    struct aacorn_pw_bound *bound = session->bound;
    session->bound = bound->next;
    unbind(bound);
  }
  if (session->registry != NULL) {
    aacorn_pw_unhook(&session->registry_hook);
    session->library->proxy_destroy(session->registry);
    session->registry = NULL;
  }
  if (session->core != NULL) {
    aacorn_pw_unhook(&session->core_hook);
    session->library->core_disconnect(session->core);
    session->core = NULL;
  }
  session->library->thread_loop_unlock(session->thread_loop);
}

void aacorn_pw_close(aacorn_pw_session *session) {
  aacorn_pw_disconnect(session);
  session->library->thread_loop_stop(session->thread_loop);
  destroy_context(session);
  session->library->thread_loop_destroy(session->thread_loop);
  free(session);
}

int aacorn_pw_load_module(aacorn_pw_session *session, const char *name, const char *arguments) {
  session->library->thread_loop_lock(session->thread_loop);
  errno = 0;
  void *module = session->library->context_load_module(session->context, name, arguments, NULL);
  int error = module == NULL ? (errno != 0 ? errno : EIO) : 0;
  session->library->thread_loop_unlock(session->thread_loop);
  return error;
}
