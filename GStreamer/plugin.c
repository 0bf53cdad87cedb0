/* The plugin "aacorn": the elements aacornenc and aacorndec over libaacorn. */
#include <aacorn.h>

#include "aacorndec.h"
#include "aacornenc.h"

static gboolean plugin_init(GstPlugin *plugin) {
  /*
   * A low rank, so that installing the plugin does not replace decoders that are chosen by default.
   */
  return gst_element_register(plugin, "aacornenc", GST_RANK_MARGINAL, AACORN_TYPE_ENC) &&
         gst_element_register(plugin, "aacorndec", GST_RANK_MARGINAL, AACORN_TYPE_DEC);
}

#define PACKAGE "aacorn"
GST_PLUGIN_DEFINE(
    GST_VERSION_MAJOR, GST_VERSION_MINOR, aacorn, "AAC encoder and decoder", plugin_init,
    AACORN_PLUGIN_VERSION, "Apache 2.0", "Aacorn", "https://git.example/aacorn")
