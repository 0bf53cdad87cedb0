/*
 * Compares what CAacornLADSPA declares with LADSPA's own header file. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornLADSPA/include \
 *     Tests/CAacornLADSPAHeaderCheck/check.c
 */
#include <ladspa.h>

#include "CAacornLADSPA.h"

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #theirs " has another value")
SAME(AACORN_LADSPA_INPUT, LADSPA_PORT_INPUT);
SAME(AACORN_LADSPA_OUTPUT, LADSPA_PORT_OUTPUT);
SAME(AACORN_LADSPA_CONTROL, LADSPA_PORT_CONTROL);
SAME(AACORN_LADSPA_AUDIO, LADSPA_PORT_AUDIO);
SAME(AACORN_LADSPA_BOUNDED_BELOW, LADSPA_HINT_BOUNDED_BELOW);
SAME(AACORN_LADSPA_BOUNDED_ABOVE, LADSPA_HINT_BOUNDED_ABOVE);
SAME(AACORN_LADSPA_TOGGLED, LADSPA_HINT_TOGGLED);
SAME(AACORN_LADSPA_SAMPLE_RATE, LADSPA_HINT_SAMPLE_RATE);
SAME(AACORN_LADSPA_LOGARITHMIC, LADSPA_HINT_LOGARITHMIC);
SAME(AACORN_LADSPA_INTEGER, LADSPA_HINT_INTEGER);
SAME(AACORN_LADSPA_DEFAULT_MASK, LADSPA_HINT_DEFAULT_MASK);
SAME(AACORN_LADSPA_DEFAULT_MINIMUM, LADSPA_HINT_DEFAULT_MINIMUM);
SAME(AACORN_LADSPA_DEFAULT_LOW, LADSPA_HINT_DEFAULT_LOW);
SAME(AACORN_LADSPA_DEFAULT_MIDDLE, LADSPA_HINT_DEFAULT_MIDDLE);
SAME(AACORN_LADSPA_DEFAULT_HIGH, LADSPA_HINT_DEFAULT_HIGH);
SAME(AACORN_LADSPA_DEFAULT_MAXIMUM, LADSPA_HINT_DEFAULT_MAXIMUM);
SAME(AACORN_LADSPA_DEFAULT_0, LADSPA_HINT_DEFAULT_0);
SAME(AACORN_LADSPA_DEFAULT_1, LADSPA_HINT_DEFAULT_1);
SAME(AACORN_LADSPA_DEFAULT_100, LADSPA_HINT_DEFAULT_100);
SAME(AACORN_LADSPA_DEFAULT_440, LADSPA_HINT_DEFAULT_440);

#define SAME_TYPE(ours, theirs)                                                              \
  _Static_assert(__builtin_types_compatible_p(ours, theirs), #theirs " is another type")
SAME_TYPE(LADSPA_Data, float);
SAME_TYPE(LADSPA_Handle, void *);

SAME(sizeof(aacorn_ladspa_range), sizeof(LADSPA_PortRangeHint));
SAME(offsetof(aacorn_ladspa_range, hints), offsetof(LADSPA_PortRangeHint, HintDescriptor));
SAME(offsetof(aacorn_ladspa_range, lower), offsetof(LADSPA_PortRangeHint, LowerBound));
SAME(offsetof(aacorn_ladspa_range, upper), offsetof(LADSPA_PortRangeHint, UpperBound));

#define SAME_MEMBER(ours, theirs)                                                            \
  SAME(offsetof(aacorn_ladspa_plugin, ours), offsetof(LADSPA_Descriptor, theirs));           \
  SAME_TYPE(                                                                                 \
      __typeof__(((aacorn_ladspa_plugin *)0)->ours),                                         \
      __typeof__(((LADSPA_Descriptor *)0)->theirs))
SAME(sizeof(aacorn_ladspa_plugin), sizeof(LADSPA_Descriptor));
SAME_MEMBER(number, UniqueID);
SAME_MEMBER(label, Label);
SAME_MEMBER(properties, Properties);
SAME_MEMBER(name, Name);
SAME_MEMBER(maker, Maker);
SAME_MEMBER(copyright, Copyright);
SAME_MEMBER(port_count, PortCount);
SAME_MEMBER(ports, PortDescriptors);
SAME_MEMBER(port_names, PortNames);
SAME(offsetof(aacorn_ladspa_plugin, ranges), offsetof(LADSPA_Descriptor, PortRangeHints));
SAME_MEMBER(own_data, ImplementationData);
/* Its first parameter is a pointer to the struct itself. */
SAME(offsetof(aacorn_ladspa_plugin, instantiate), offsetof(LADSPA_Descriptor, instantiate));
SAME_MEMBER(connect_port, connect_port);
SAME_MEMBER(activate, activate);
SAME_MEMBER(run, run);
SAME_MEMBER(run_adding, run_adding);
SAME_MEMBER(set_run_adding_gain, set_run_adding_gain);
SAME_MEMBER(deactivate, deactivate);
SAME_MEMBER(cleanup, cleanup);
