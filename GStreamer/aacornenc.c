/*
 * The encoder element. The base class collects samples and counts time. The library produces the
 * same bytes for every division of the samples into buffers.
 *
 * GstAudioClippingMeta marks decoded frames outside the input: the delay at the start, and the
 * padding at the end. The time and duration of a unit exclude these frames. A unit that contains
 * only delay has a duration of one frame, which is subtracted from the next unit: in MP4, only the
 * last unit may have no duration.
 */
#include "aacornenc.h"

#include <aacorn.h>
#include <gst/pbutils/pbutils.h>
#include <string.h>

GST_DEBUG_CATEGORY_STATIC(aacorn_enc_debug);
#define GST_CAT_DEFAULT aacorn_enc_debug

struct _AacornEnc {
  GstAudioEncoder parent;

  /* The values of the properties; guarded by the object's lock. */
  gint bitrate;
  gint vbr;
  gint profile;
  gint effort;

  /* The settings of encoders for the current caps. Automatic profiles are replaced here. */
  aacorn_encoder_settings settings;
  gboolean is_int16;

  /* Null between the end of one input and the start of the next. */
  aacorn_encoder *encoder;
  /* The last bitrate passed to the encoder. */
  gint bitrate_now;
  /* The number of frames pushed to the encoder. */
  gint64 frames;
  /* Frames added to the duration of earlier units, to subtract from the next unit. */
  gint64 advance;
  gboolean is_finished;
};

enum { PROPERTY_BITRATE = 1, PROPERTY_VBR, PROPERTY_PROFILE, PROPERTY_EFFORT };

G_DEFINE_TYPE_WITH_CODE(
    AacornEnc, aacorn_enc, GST_TYPE_AUDIO_ENCODER, G_IMPLEMENT_INTERFACE(GST_TYPE_PRESET, NULL))

#define RATES                                                                                     \
  "rate = (int) { 96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, " \
  "8000, 7350 }"
#define SAMPLES(layout)                                                              \
  "audio/x-raw, format = (string) { " GST_AUDIO_NE(F32) ", " GST_AUDIO_NE(S16) " }, " \
  "layout = (string) interleaved, " RATES ", " layout

/*
 * The channel masks of each number of channels, in the library's order. The surround channels may
 * be labeled as side or rear channels.
 */
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS(
        SAMPLES("channels = (int) [ 1, 2 ]; ")
        SAMPLES("channels = (int) 3, channel-mask = (bitmask) 0x7; ")
        SAMPLES("channels = (int) 4, channel-mask = (bitmask) 0x107; ")
        SAMPLES("channels = (int) 5, channel-mask = (bitmask) { 0x37, 0xc07 }; ")
        SAMPLES("channels = (int) 6, channel-mask = (bitmask) { 0x3f, 0xc0f }; ")
        SAMPLES("channels = (int) 8, channel-mask = (bitmask) 0xc3f")));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS(
        "audio/mpeg, mpegversion = (int) 4, stream-format = (string) raw, framed = (boolean) true, "
        "channels = (int) { 1, 2, 3, 4, 5, 6, 8 }, " RATES ", base-profile = (string) lc, "
        "profile = (string) { lc, he-aac-v1, he-aac-v2 }"));

static GType profile_type(void) {
  static GType type = 0;
  static const GEnumValue values[] = {
      {AACORN_PROFILE_AUTO, "Selected by the bitrate", "auto"},
      {AACORN_PROFILE_LC, "AAC-LC", "lc"},
      {AACORN_PROFILE_HE, "HE-AAC", "he"},
      {AACORN_PROFILE_HE_V2, "HE-AAC v2, for two channels", "he2"},
      {0, NULL, NULL},
  };
  if (g_once_init_enter(&type)) {
    g_once_init_leave(&type, g_enum_register_static("AacornEncProfile", values));
  }
  return type;
}

static GType effort_type(void) {
  static GType type = 0;
  static const GEnumValue values[] = {
      {AACORN_EFFORT_FAST, "Fast", "fast"},
      {AACORN_EFFORT_BALANCED, "Balanced", "balanced"},
      {AACORN_EFFORT_BEST, "Best sound", "best"},
      {0, NULL, NULL},
  };
  if (g_once_init_enter(&type)) {
    g_once_init_leave(&type, g_enum_register_static("AacornEncEffort", values));
  }
  return type;
}

static void aacorn_enc_set_property(
    GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  AacornEnc *self = AACORN_ENC(object);
  GST_OBJECT_LOCK(self);
  switch (id) {
    case PROPERTY_BITRATE: self->bitrate = g_value_get_int(value); break;
    case PROPERTY_VBR: self->vbr = g_value_get_int(value); break;
    case PROPERTY_PROFILE: self->profile = g_value_get_enum(value); break;
    case PROPERTY_EFFORT: self->effort = g_value_get_enum(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
  GST_OBJECT_UNLOCK(self);
}

static void aacorn_enc_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  AacornEnc *self = AACORN_ENC(object);
  GST_OBJECT_LOCK(self);
  switch (id) {
    case PROPERTY_BITRATE: g_value_set_int(value, self->bitrate); break;
    case PROPERTY_VBR: g_value_set_int(value, self->vbr); break;
    case PROPERTY_PROFILE: g_value_set_enum(value, self->profile); break;
    case PROPERTY_EFFORT: g_value_set_enum(value, self->effort); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
  GST_OBJECT_UNLOCK(self);
}

static void discard_encoder(AacornEnc *self) {
  aacorn_encoder_destroy(self->encoder);
  self->encoder = NULL;
}

/* Creates an encoder without history. */
static gboolean create_encoder(AacornEnc *self) {
  aacorn_error error;
  discard_encoder(self);
  self->encoder = aacorn_encoder_create(&self->settings, &error);
  if (self->encoder == NULL) {
    GST_ELEMENT_ERROR(self, LIBRARY, SETTINGS, ("%s", error.sentence), (NULL));
    return FALSE;
  }
  self->bitrate_now = self->settings.rate_value;
  self->frames = 0;
  self->advance = 0;
  self->is_finished = FALSE;
  return TRUE;
}

/*
 * Returns the number of frames that an encoder needs for its first unit. Measures it, because the
 * library does not report it. Silence suffices, because the number does not depend on the signal.
 */
static gint frames_before_first_unit(const aacorn_encoder_settings *settings, gint frames_per_unit) {
  static const gint16 silence[8 * 64];
  aacorn_encoder *encoder = aacorn_encoder_create(settings, NULL);
  aacorn_unit unit;
  gint frames = 0;
  while (frames < 8 * frames_per_unit) {
    if (aacorn_encoder_push_int16(encoder, silence, 64) < 0) break;
    frames += 64;
    if (aacorn_encoder_pull(encoder, &unit) != AACORN_OK) break;
  }
  aacorn_encoder_destroy(encoder);
  return frames;
}

static GstCaps *caps_of_output(AacornEnc *self) {
  GstCaps *caps;
  GstBuffer *data;
  guint8 config[64];
  gsize size = aacorn_encoder_config(self->encoder, config, sizeof config);

  if (size == 0 || size > sizeof config) return NULL;
  data = gst_buffer_new_memdup(config, size);
  caps = gst_caps_new_simple(
      "audio/mpeg", "mpegversion", G_TYPE_INT, 4, "stream-format", G_TYPE_STRING, "raw", "framed",
      G_TYPE_BOOLEAN, TRUE, "channels", G_TYPE_INT, self->settings.channels, "rate", G_TYPE_INT,
      self->settings.sample_rate, "codec_data", GST_TYPE_BUFFER, data, NULL);
  gst_buffer_unref(data);
  gst_codec_utils_aac_caps_set_level_and_profile(caps, config, (guint)size);
  if (self->settings.profile != AACORN_PROFILE_LC) {
    /*
     * The configuration begins with the core, and the core's profile and level do not apply to HE.
     */
    gst_caps_set_simple(
        caps, "base-profile", G_TYPE_STRING, "lc", "profile", G_TYPE_STRING,
        self->settings.profile == AACORN_PROFILE_HE ? "he-aac-v1" : "he-aac-v2", NULL);
    gst_structure_remove_field(gst_caps_get_structure(caps, 0), "level");
  }
  return caps;
}

static void tell_tags(AacornEnc *self, GstCaps *caps, gint bitrate) {
  GstTagList *tags = gst_tag_list_new_empty();
  gchar *name = g_strdup_printf("Aacorn %s", aacorn_version());
  gst_pb_utils_add_codec_description_to_tag_list(tags, GST_TAG_AUDIO_CODEC, caps);
  gst_tag_list_add(tags, GST_TAG_MERGE_REPLACE, GST_TAG_ENCODER, name, NULL);
  g_free(name);
  if (bitrate > 0) {
    gst_tag_list_add(tags, GST_TAG_MERGE_REPLACE, GST_TAG_NOMINAL_BITRATE, (guint)bitrate, NULL);
  }
  gst_audio_encoder_merge_tags(GST_AUDIO_ENCODER(self), tags, GST_TAG_MERGE_REPLACE);
  gst_tag_list_unref(tags);
}

static gboolean aacorn_enc_set_format(GstAudioEncoder *base, GstAudioInfo *info) {
  AacornEnc *self = AACORN_ENC(base);
  aacorn_encoder_settings *settings = &self->settings;
  aacorn_encoder_facts facts;
  GstClockTime latency;
  GstCaps *caps;
  gboolean is_accepted;

  memset(settings, 0, sizeof *settings);
  settings->size = sizeof *settings;
  settings->sample_rate = GST_AUDIO_INFO_RATE(info);
  settings->channels = GST_AUDIO_INFO_CHANNELS(info);
  GST_OBJECT_LOCK(self);
  settings->profile = self->profile;
  settings->effort = self->effort;
  if (self->vbr != 0) {
    settings->rate_mode = AACORN_RATE_VARIABLE;
    settings->rate_value = self->vbr;
  } else if (self->bitrate != 0) {
    settings->rate_mode = AACORN_RATE_CONSTANT;
    settings->rate_value = self->bitrate;
  }
  GST_OBJECT_UNLOCK(self);
  self->is_int16 = GST_AUDIO_INFO_FORMAT(info) == GST_AUDIO_FORMAT_S16;

  if (!create_encoder(self)) return FALSE;
  aacorn_encoder_describe(self->encoder, &facts);
  /* A later encoder must produce units for the same caps. */
  settings->profile = facts.profile;
  if (settings->rate_mode == AACORN_RATE_DEFAULT && facts.bitrate > 0) {
    settings->rate_mode = AACORN_RATE_CONSTANT;
    settings->rate_value = facts.bitrate;
  }
  self->bitrate_now = settings->rate_value;

  caps = caps_of_output(self);
  if (caps == NULL) {
    GST_ELEMENT_ERROR(self, LIBRARY, INIT, ("The encoder has no configuration."), (NULL));
    return FALSE;
  }
  tell_tags(self, caps, facts.bitrate);
  is_accepted = gst_audio_encoder_set_output_format(base, caps);
  gst_caps_unref(caps);

  /* The priming plus the number of frames that the encoder needs for its first unit. */
  latency = gst_util_uint64_scale_ceil(
      (guint64)(facts.priming + frames_before_first_unit(settings, facts.frames_per_unit)),
      GST_SECOND, (guint64)settings->sample_rate);
  gst_audio_encoder_set_latency(base, latency, latency);
  return is_accepted && gst_audio_encoder_negotiate(base);
}

/* Applies the bitrate of the property, which may change at any time. */
static void follow_bitrate(AacornEnc *self) {
  gint bitrate;
  GST_OBJECT_LOCK(self);
  bitrate = self->bitrate;
  GST_OBJECT_UNLOCK(self);
  if (self->settings.rate_mode != AACORN_RATE_CONSTANT) return;
  if (bitrate == 0 || bitrate == self->bitrate_now) return;
  if (aacorn_encoder_set_bitrate(self->encoder, bitrate) < 0) {
    GST_ELEMENT_WARNING(
        self, LIBRARY, SETTINGS, ("%s", aacorn_encoder_error(self->encoder)),
        ("The bitrate stays as it was."));
  }
  /* Store a rejected bitrate, too, so that it is not tried again with every buffer. */
  self->bitrate_now = bitrate;
}

/* Sends all available units. */
static GstFlowReturn send_units(AacornEnc *self) {
  GstAudioEncoder *base = GST_AUDIO_ENCODER(self);
  GstFlowReturn flow = GST_FLOW_OK;
  aacorn_unit unit;
  int result;

  while ((result = aacorn_encoder_pull(self->encoder, &unit)) == AACORN_SOME) {
    GstBuffer *buffer = gst_audio_encoder_allocate_output_buffer(base, unit.byte_count);
    gint64 start = CLAMP(-unit.position, 0, unit.duration), end = 0, time;
    if (buffer == NULL) return GST_FLOW_ERROR;
    gst_buffer_fill(buffer, 0, unit.bytes, unit.byte_count);
    if (self->is_finished) {
      end = CLAMP(unit.position + unit.duration - self->frames, 0, unit.duration - start);
    }
    if (start > 0 || end > 0) {
      gst_buffer_add_audio_clipping_meta(buffer, GST_FORMAT_DEFAULT, (guint64)start, (guint64)end);
    }
    time = MAX(unit.duration - start - end - self->advance, start == unit.duration ? 1 : 0);
    self->advance += time - (unit.duration - start - end);
    flow = gst_audio_encoder_finish_frame(base, buffer, (gint)time);
    if (flow != GST_FLOW_OK) return flow;
  }
  if (result < 0) {
    GST_ELEMENT_ERROR(self, LIBRARY, ENCODE, ("%s", aacorn_encoder_error(self->encoder)), (NULL));
    return GST_FLOW_ERROR;
  }
  return flow;
}

static GstFlowReturn aacorn_enc_handle_frame(GstAudioEncoder *base, GstBuffer *buffer) {
  AacornEnc *self = AACORN_ENC(base);
  GstFlowReturn flow;
  GstMapInfo map;
  gsize count;
  int result;

  if (buffer == NULL) {
    /* The end or a discontinuity. A new encoder processes further input. */
    if (self->encoder == NULL || self->frames == 0) return GST_FLOW_OK;
    aacorn_encoder_finish(self->encoder);
    self->is_finished = TRUE;
    flow = send_units(self);
    discard_encoder(self);
    return flow;
  }

  if (self->settings.size == 0) return GST_FLOW_NOT_NEGOTIATED;
  if (self->encoder == NULL && !create_encoder(self)) return GST_FLOW_ERROR;
  follow_bitrate(self);
  if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) {
    GST_ELEMENT_ERROR(self, RESOURCE, READ, ("The samples cannot be read."), (NULL));
    return GST_FLOW_ERROR;
  }
  count = map.size / (gsize)GST_AUDIO_INFO_BPF(gst_audio_encoder_get_audio_info(base));
  if (self->is_int16) {
    result = aacorn_encoder_push_int16(self->encoder, (const int16_t *)map.data, count);
  } else {
    result = aacorn_encoder_push_float(self->encoder, (const float *)map.data, count);
  }
  gst_buffer_unmap(buffer, &map);
  if (result < 0) {
    GST_ELEMENT_ERROR(self, LIBRARY, ENCODE, ("%s", aacorn_encoder_error(self->encoder)), (NULL));
    return GST_FLOW_ERROR;
  }
  self->frames += (gint64)count;
  return send_units(self);
}

static void aacorn_enc_flush(GstAudioEncoder *base) { discard_encoder(AACORN_ENC(base)); }

static gboolean aacorn_enc_stop(GstAudioEncoder *base) {
  AacornEnc *self = AACORN_ENC(base);
  discard_encoder(self);
  self->settings.size = 0;
  return TRUE;
}

static void aacorn_enc_class_init(AacornEncClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  GstElementClass *element = GST_ELEMENT_CLASS(class);
  GstAudioEncoderClass *base = GST_AUDIO_ENCODER_CLASS(class);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY;

  GST_DEBUG_CATEGORY_INIT(aacorn_enc_debug, "aacornenc", 0, "AAC encoder");
  object->set_property = aacorn_enc_set_property;
  object->get_property = aacorn_enc_get_property;
  base->set_format = aacorn_enc_set_format;
  base->handle_frame = aacorn_enc_handle_frame;
  base->flush = aacorn_enc_flush;
  base->stop = aacorn_enc_stop;

  g_object_class_install_property(
      object, PROPERTY_BITRATE,
      g_param_spec_int(
          "bitrate", "Bitrate",
          "Bits per second; 0 selects the profile's default. Without effect if vbr is not 0",
          0, G_MAXINT, 0, flags | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property(
      object, PROPERTY_VBR,
      g_param_spec_int(
          "vbr", "Variable bitrate",
          "Constant quality, from 1 (small) to 5 (transparent); 0 for a constant bitrate", 0, 5, 0,
          flags));
  g_object_class_install_property(
      object, PROPERTY_PROFILE,
      g_param_spec_enum(
          "profile", "Profile", "Profile of AAC", profile_type(), AACORN_PROFILE_LC, flags));
  g_object_class_install_property(
      object, PROPERTY_EFFORT,
      g_param_spec_enum(
          "effort", "Effort", "How much work goes into better sound at the same bitrate",
          effort_type(), AACORN_EFFORT_BALANCED, flags));
  gst_type_mark_as_plugin_api(profile_type(), 0);
  gst_type_mark_as_plugin_api(effort_type(), 0);

  gst_element_class_add_static_pad_template(element, &sink_template);
  gst_element_class_add_static_pad_template(element, &src_template);
  gst_element_class_set_static_metadata(
      element, "Aacorn AAC encoder", "Codec/Encoder/Audio",
      "Encodes AAC-LC, HE-AAC and HE-AAC v2", "Aacorn");
}

static void aacorn_enc_init(AacornEnc *self) {
  GstAudioEncoder *base = GST_AUDIO_ENCODER(self);
  self->profile = AACORN_PROFILE_LC;
  self->effort = AACORN_EFFORT_BALANCED;
  GST_PAD_SET_ACCEPT_TEMPLATE(GST_AUDIO_ENCODER_SINK_PAD(base));
}
