#include "CAacornLADSPA.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct aacorn_ladspa_library {
  void *library;
  aacorn_ladspa_descriptor descriptor;
};

/*
 * Some plugins use functions of libm without being linked with it: they expect that the host has
 * loaded it. This program need not be linked with libm either, so it is loaded here.
 */
static void provide_mathematics(void) {
#ifdef __GLIBC__
  dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
#endif
}

aacorn_ladspa_library *aacorn_ladspa_open(const char *file, char *reason, size_t size) {
  aacorn_ladspa_library *opened = calloc(1, sizeof *opened);
  if (!opened) {
    snprintf(reason, size, "there is no memory for it");
    return NULL;
  }
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, provide_mathematics);
  opened->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!opened->library) {
    const char *words = dlerror();
    snprintf(reason, size, "%s", words ? words : "it cannot be loaded");
    free(opened);
    return NULL;
  }
  /* POSIX's dlsym returns functions as object pointers, which C itself cannot convert. */
  *(void **)&opened->descriptor = dlsym(opened->library, "ladspa_descriptor");
  if (!opened->descriptor) {
    snprintf(reason, size, "it has no function ladspa_descriptor");
    aacorn_ladspa_close(opened);
    return NULL;
  }
  return opened;
}

/* Returns whether a plugin has all required members. */
static int is_complete(const aacorn_ladspa_plugin *plugin) {
  if (!plugin->label || !plugin->name || !plugin->instantiate || !plugin->connect_port) return 0;
  if (!plugin->run || !plugin->cleanup || plugin->port_count > 4096) return 0;
  if (plugin->port_count && (!plugin->ports || !plugin->port_names || !plugin->ranges)) return 0;
  for (unsigned long port = 0; port < plugin->port_count; port++)
    if (!plugin->port_names[port]) return 0;
  return 1;
}

const aacorn_ladspa_plugin *aacorn_ladspa_get(
    const aacorn_ladspa_library *library, unsigned long index, int *has_ended) {
  const aacorn_ladspa_plugin *plugin = library->descriptor(index);
  *has_ended = !plugin;
  return plugin && is_complete(plugin) ? plugin : NULL;
}

void aacorn_ladspa_close(aacorn_ladspa_library *library) {
  dlclose(library->library);
  free(library);
}

struct aacorn_ladspa_instance {
  const aacorn_ladspa_plugin *plugin;
  void *handle;
  unsigned long frame_count;
  int is_active;
  /* A block for every port. */
  float *memory;
};

aacorn_ladspa_instance *aacorn_ladspa_make(
    const aacorn_ladspa_library *library, unsigned long index, unsigned long sample_rate,
    unsigned long frame_count) {
  int has_ended;
  const aacorn_ladspa_plugin *plugin = aacorn_ladspa_get(library, index, &has_ended);
  if (!plugin) return NULL;
  aacorn_ladspa_instance *instance = calloc(1, sizeof *instance);
  if (!instance) return NULL;
  instance->plugin = plugin;
  instance->frame_count = frame_count;
  instance->memory = calloc((plugin->port_count + 1) * frame_count, sizeof *instance->memory);
  if (instance->memory) instance->handle = plugin->instantiate(plugin, sample_rate);
  if (!instance->handle) {
    free(instance->memory);
    free(instance);
    return NULL;
  }
  for (unsigned long port = 0; port < plugin->port_count; port++)
    plugin->connect_port(instance->handle, port, aacorn_ladspa_port(instance, port));
  return instance;
}

float *aacorn_ladspa_port(const aacorn_ladspa_instance *instance, unsigned long port) {
  return instance->memory + port * instance->frame_count;
}

void aacorn_ladspa_activate(aacorn_ladspa_instance *instance) {
  if (instance->is_active) return;
  if (instance->plugin->activate) instance->plugin->activate(instance->handle);
  instance->is_active = 1;
}

void aacorn_ladspa_run(aacorn_ladspa_instance *instance) {
  instance->plugin->run(instance->handle, instance->frame_count);
}

void aacorn_ladspa_deactivate(aacorn_ladspa_instance *instance) {
  if (!instance->is_active) return;
  if (instance->plugin->deactivate) instance->plugin->deactivate(instance->handle);
  instance->is_active = 0;
}

void aacorn_ladspa_destroy(aacorn_ladspa_instance *instance) {
  aacorn_ladspa_deactivate(instance);
  instance->plugin->cleanup(instance->handle);
  free(instance->memory);
  free(instance);
}
