/*
 * Compares what CAacornLADSPA declares with LADSPA's own header file. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornLADSPA/include \
 *     Tests/CAacornLADSPAHeaderCheck/check.c
 */
#include <ladspa.h>

#include "../HeaderCheck.h"
#include "CAacornLADSPA.h"

SAME_VALUES(AACORN_LADSPA_, LADSPA_PORT_, INPUT, OUTPUT, CONTROL, AUDIO);
SAME_VALUES(AACORN_LADSPA_, LADSPA_HINT_,
    BOUNDED_BELOW, BOUNDED_ABOVE, TOGGLED, SAMPLE_RATE, LOGARITHMIC, INTEGER, DEFAULT_MASK,
    DEFAULT_MINIMUM, DEFAULT_LOW, DEFAULT_MIDDLE, DEFAULT_HIGH, DEFAULT_MAXIMUM, DEFAULT_0,
    DEFAULT_1, DEFAULT_100, DEFAULT_440);

SAME_TYPE(LADSPA_Data, float);
SAME_TYPE(LADSPA_Handle, void *);

SAME_VALUE(sizeof(aacorn_ladspa_range), sizeof(LADSPA_PortRangeHint));
SAME_PLACE(aacorn_ladspa_range, LADSPA_PortRangeHint, hints, HintDescriptor);
SAME_PLACE(aacorn_ladspa_range, LADSPA_PortRangeHint, lower, LowerBound);
SAME_PLACE(aacorn_ladspa_range, LADSPA_PortRangeHint, upper, UpperBound);

#define SAME_MEMBER(ours, theirs) \
  SAME_PLACE(aacorn_ladspa_plugin, LADSPA_Descriptor, ours, theirs); \
  SAME_TYPE( \
      __typeof__(((aacorn_ladspa_plugin *)0)->ours), __typeof__(((LADSPA_Descriptor *)0)->theirs))
SAME_VALUE(sizeof(aacorn_ladspa_plugin), sizeof(LADSPA_Descriptor));
SAME_MEMBER(number, UniqueID);
SAME_MEMBER(label, Label);
SAME_MEMBER(properties, Properties);
SAME_MEMBER(name, Name);
SAME_MEMBER(maker, Maker);
SAME_MEMBER(copyright, Copyright);
SAME_MEMBER(port_count, PortCount);
SAME_MEMBER(ports, PortDescriptors);
SAME_MEMBER(port_names, PortNames);
SAME_PLACE(aacorn_ladspa_plugin, LADSPA_Descriptor, ranges, PortRangeHints);
SAME_MEMBER(own_data, ImplementationData);
/* Its first parameter is a pointer to the struct itself. */
SAME_PLACE(aacorn_ladspa_plugin, LADSPA_Descriptor, instantiate, instantiate);
SAME_MEMBER(connect_port, connect_port);
SAME_MEMBER(activate, activate);
SAME_MEMBER(run, run);
SAME_MEMBER(run_adding, run_adding);
SAME_MEMBER(set_run_adding_gain, set_run_adding_gain);
SAME_MEMBER(deactivate, deactivate);
SAME_MEMBER(cleanup, cleanup);
