#ifndef AACORN_CLADSPA_H
#define AACORN_CLADSPA_H

/*
 * The interface of LADSPA plugins, version 1.1, declared here, so that its header file is not needed
 * to build. Plugins are loaded at run time from files with a function `ladspa_descriptor`.
 *
 * All names are Aacorn's own; the structs share only their layout with the structs of plugins. A
 * test compares everything below with <ladspa.h> where that is installed.
 */

#include <stddef.h>

/* The kind of a port (LADSPA_PORT_…). */
enum {
  AACORN_LADSPA_INPUT = 1,
  AACORN_LADSPA_OUTPUT = 2,
  AACORN_LADSPA_CONTROL = 4,
  AACORN_LADSPA_AUDIO = 8
};

/* Hints about the values of a port (LADSPA_HINT_…). */
enum {
  AACORN_LADSPA_BOUNDED_BELOW = 0x1,
  AACORN_LADSPA_BOUNDED_ABOVE = 0x2,
  AACORN_LADSPA_TOGGLED = 0x4,
  AACORN_LADSPA_SAMPLE_RATE = 0x8,
  AACORN_LADSPA_LOGARITHMIC = 0x10,
  AACORN_LADSPA_INTEGER = 0x20,
  AACORN_LADSPA_DEFAULT_MASK = 0x3C0,
  AACORN_LADSPA_DEFAULT_MINIMUM = 0x40,
  AACORN_LADSPA_DEFAULT_LOW = 0x80,
  AACORN_LADSPA_DEFAULT_MIDDLE = 0xC0,
  AACORN_LADSPA_DEFAULT_HIGH = 0x100,
  AACORN_LADSPA_DEFAULT_MAXIMUM = 0x140,
  AACORN_LADSPA_DEFAULT_0 = 0x200,
  AACORN_LADSPA_DEFAULT_1 = 0x240,
  AACORN_LADSPA_DEFAULT_100 = 0x280,
  AACORN_LADSPA_DEFAULT_440 = 0x2C0
};

/* `LADSPA_PortRangeHint`, as plugins lay it out. */
typedef struct {
  int hints;
  float lower;
  float upper;
} aacorn_ladspa_range;

/* `LADSPA_Descriptor`, as plugins lay it out. */
typedef struct aacorn_ladspa_plugin aacorn_ladspa_plugin;
struct aacorn_ladspa_plugin {
  unsigned long number;
  const char *label;
  int properties;
  const char *name;
  const char *maker;
  const char *copyright;
  unsigned long port_count;
  const int *ports;
  const char *const *port_names;
  const aacorn_ladspa_range *ranges;
  void *own_data;
  void *(*instantiate)(const aacorn_ladspa_plugin *plugin, unsigned long sample_rate);
  void (*connect_port)(void *handle, unsigned long port, float *memory);
  void (*activate)(void *handle);
  void (*run)(void *handle, unsigned long frame_count);
  void (*run_adding)(void *handle, unsigned long frame_count);
  void (*set_run_adding_gain)(void *handle, float gain);
  void (*deactivate)(void *handle);
  void (*cleanup)(void *handle);
};

/* The function of a file that returns the plugin at an index; NULL after the last one. */
typedef const aacorn_ladspa_plugin *(*aacorn_ladspa_descriptor)(unsigned long index);

/* An open file with plugins. */
typedef struct aacorn_ladspa_library aacorn_ladspa_library;

/* Opens a file; on failure, stores the reason in `reason` and returns NULL. */
aacorn_ladspa_library *aacorn_ladspa_open(const char *file, char *reason, size_t reason_size);

/*
 * Returns a plugin of a file, or NULL if required members are missing. `index` counts from 0.
 * `has_ended` is set after the last plugin.
 */
const aacorn_ladspa_plugin *aacorn_ladspa_get(
    const aacorn_ladspa_library *library, unsigned long index, int *has_ended);

/* Closes a file. Destroy all instances of its plugins first. */
void aacorn_ladspa_close(aacorn_ladspa_library *library);

/* An instance of a plugin, with memory for all its ports; for use by one thread at a time. */
typedef struct aacorn_ladspa_instance aacorn_ladspa_instance;

/*
 * Creates an instance of a plugin for blocks of the given number of frames. All ports are connected
 * and contain zeros; the instance is inactive. Returns NULL if there is no such plugin, if the
 * plugin fails, or if out of memory.
 */
aacorn_ladspa_instance *aacorn_ladspa_make(
    const aacorn_ladspa_library *library, unsigned long index, unsigned long sample_rate,
    unsigned long frame_count);

/* The memory of a port: one value of a control, or the frames of a block. */
float *aacorn_ladspa_port(const aacorn_ladspa_instance *instance, unsigned long port);

/* Activates an inactive plugin with the values of its controls, and resets its audio history. */
void aacorn_ladspa_activate(aacorn_ladspa_instance *instance);

/* Processes a block; the plugin must be active. */
void aacorn_ladspa_run(aacorn_ladspa_instance *instance);

/* Deactivates an active plugin. */
void aacorn_ladspa_deactivate(aacorn_ladspa_instance *instance);

/* Destroys an instance, active or not. */
void aacorn_ladspa_destroy(aacorn_ladspa_instance *instance);

#endif
