/*
 * The decoder element. Its input are units from demuxers and aacparse: each buffer is one unit with
 * a time, and the caps contain the configuration. aacparse converts ADTS to such units.
 *
 * The element trims the samples that GstAudioClippingMeta marks. The base class trims samples
 * outside the segment, which demuxers set from an edit list. A damaged unit is concealed by a
 * continuation of the previous audio.
 */
#include "aacorndec.h"

#include <aacorn.h>
#include <string.h>

GST_DEBUG_CATEGORY_STATIC(aacorn_dec_debug);
#define GST_CAT_DEFAULT aacorn_dec_debug

struct _AacornDec {
  GstAudioDecoder parent;

  aacorn_decoder *decoder;
  /* The codec_data that the decoder was created with. */
  GstBuffer *config;
  /* The sampling rate in the caps, which is the unit of clipping; 0 if unknown. */
  gint rate_of_caps;
  /* The number of frames of the previous unit; 0 if there is none. */
  gsize frames_per_unit;
  /* The start of the next samples, if an earlier unit sets it; see aacorn_dec_pre_push. */
  GstClockTime begin;
};

G_DEFINE_TYPE(AacornDec, aacorn_dec, GST_TYPE_AUDIO_DECODER)

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS(
        "audio/mpeg, mpegversion = (int) { 2, 4 }, stream-format = (string) raw"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS(
        "audio/x-raw, format = (string) " GST_AUDIO_NE(F32) ", layout = (string) interleaved, "
        "rate = (int) [ 1, MAX ], channels = (int) [ 1, MAX ]"));

/*
 * aacparse of GStreamer 1.22 writes the channel configuration 8, which does not exist, for eight
 * channels. The correct number is 7.
 */
static void correct_config(guint8 *config, gsize size) {
  /* Five bits of the object, four of the rate, and four of the channels. */
  if (size == 2 && config[0] >> 3 == 2 && (config[1] >> 3 & 0xF) == 8) config[1] ^= 0xF << 3;
}

/* Creates a decoder without history. */
static gboolean create_decoder(AacornDec *self) {
  aacorn_error error;
  guint8 config[64];
  gsize size;
  aacorn_decoder_destroy(self->decoder);
  self->decoder = NULL;
  self->frames_per_unit = 0;
  self->begin = GST_CLOCK_TIME_NONE;
  /* The configuration is short; ignore bytes after it. */
  size = gst_buffer_extract(self->config, 0, config, sizeof config);
  correct_config(config, size);
  self->decoder = aacorn_decoder_create_raw(NULL, config, size, &error);
  if (self->decoder == NULL) {
    GST_ELEMENT_ERROR(self, STREAM, DECODE, ("%s", error.sentence), (NULL));
    return FALSE;
  }
  return TRUE;
}

static gboolean have_same_bytes(GstBuffer *one, GstBuffer *other) {
  GstMapInfo map;
  gboolean are_same;
  if (gst_buffer_get_size(one) != gst_buffer_get_size(other)) return FALSE;
  if (!gst_buffer_map(one, &map, GST_MAP_READ)) return FALSE;
  are_same = gst_buffer_memcmp(other, 0, map.data, map.size) == 0;
  gst_buffer_unmap(one, &map);
  return are_same;
}

static gboolean aacorn_dec_set_format(GstAudioDecoder *base, GstCaps *caps) {
  AacornDec *self = AACORN_DEC(base);
  const GstStructure *structure = gst_caps_get_structure(caps, 0);
  const GValue *value = gst_structure_get_value(structure, "codec_data");
  GstBuffer *config = value != NULL ? gst_value_get_buffer(value) : NULL;

  if (config == NULL) {
    GST_ELEMENT_ERROR(
        self, STREAM, FORMAT, ("The stream does not say how it is coded: its caps have no codec_data."),
        ("Put aacparse in front."));
    return FALSE;
  }
  self->rate_of_caps = 0;
  gst_structure_get_int(structure, "rate", &self->rate_of_caps);
  /* Caps change for many reasons. Keep the decoder if the configuration is the same. */
  if (self->decoder != NULL && have_same_bytes(self->config, config)) return TRUE;
  gst_buffer_replace(&self->config, config);
  return create_decoder(self);
}

/* The channel mask of `channels` channels, in the library's order; 0 if they have no positions. */
static guint64 channel_mask(gint channels) {
  switch (channels) {
    case 2: return 0x3;
    case 3: return 0x7;
    case 4: return 0x107;
    case 5: return 0x37;
    case 6: return 0x3f;
    case 7: return 0xd0f;
    case 8: return 0xc3f;
    default: return 0;
  }
}

/* Sets the output format if it has changed. */
static gboolean keep_format(AacornDec *self, const aacorn_sound *sound) {
  GstAudioDecoder *base = GST_AUDIO_DECODER(self);
  const GstAudioInfo *now = gst_audio_decoder_get_audio_info(base);
  GstAudioChannelPosition positions[64];
  GstAudioInfo info;
  gint channel;

  if (GST_AUDIO_INFO_IS_VALID(now) && GST_AUDIO_INFO_RATE(now) == sound->sample_rate &&
      GST_AUDIO_INFO_CHANNELS(now) == sound->channels) {
    return TRUE;
  }
  if (sound->channels < 1 || sound->channels > 64) return FALSE;
  if (sound->channels == 1) {
    positions[0] = GST_AUDIO_CHANNEL_POSITION_MONO;
  } else if (channel_mask(sound->channels) != 0) {
    gst_audio_channel_positions_from_mask(
        sound->channels, channel_mask(sound->channels), positions);
  } else {
    for (channel = 0; channel < 64; channel++) {
      positions[channel] = GST_AUDIO_CHANNEL_POSITION_NONE;
    }
  }
  gst_audio_info_init(&info);
  gst_audio_info_set_format(
      &info, GST_AUDIO_FORMAT_F32, sound->sample_rate, sound->channels, positions);
  return gst_audio_decoder_set_output_format(base, &info);
}

/* Stores the number of frames to trim from a unit, in frames of the output. */
static void find_clipping(
    AacornDec *self, GstBuffer *buffer, const aacorn_sound *sound, gsize *start, gsize *end) {
  const GstAudioClippingMeta *clipping = gst_buffer_get_audio_clipping_meta(buffer);
  guint64 numerator = (guint64)sound->sample_rate, denominator = 0, count;
  *start = *end = 0;
  if (clipping == NULL) return;
  if (clipping->format == GST_FORMAT_TIME) {
    denominator = GST_SECOND;
  } else if (clipping->format == GST_FORMAT_DEFAULT) {
    /* Caps may contain the rate of the core, which is half the rate of the output. */
    denominator = self->rate_of_caps > 0 ? (guint64)self->rate_of_caps : numerator;
  } else {
    return;
  }
  count = gst_util_uint64_scale_round(clipping->start, numerator, denominator);
  *start = (gsize)MIN(count, sound->frame_count);
  count = gst_util_uint64_scale_round(clipping->end, numerator, denominator);
  *end = (gsize)MIN(count, sound->frame_count - *start);
}

/* Pulls and trims the samples of a unit; null if none remain, or if *flow is not OK. */
static GstBuffer *take_samples(AacornDec *self, GstBuffer *unit, GstFlowReturn *flow) {
  aacorn_sound sound;
  GstBuffer *buffer;
  gsize start, end, frame;
  int result = aacorn_decoder_pull(self->decoder, &sound);

  *flow = GST_FLOW_OK;
  if (result < 0) {
    GST_AUDIO_DECODER_ERROR(
        self, 1, STREAM, DECODE, ("%s", aacorn_decoder_error(self->decoder)), (NULL), *flow);
    return NULL;
  }
  if (result != AACORN_SOME) return NULL;
  if (sound.is_concealed && gst_buffer_get_size(unit) > 0) {
    GST_AUDIO_DECODER_ERROR(
        self, 1, STREAM, DECODE, ("A unit is damaged."), ("It is replaced."), *flow);
    if (*flow != GST_FLOW_OK) return NULL;
  }
  if (!keep_format(self, &sound)) {
    *flow = GST_FLOW_NOT_NEGOTIATED;
    return NULL;
  }
  self->frames_per_unit = sound.frame_count;
  find_clipping(self, unit, &sound, &start, &end);
  if (start + end >= sound.frame_count) {
    if (GST_BUFFER_DURATION(unit) < GST_MSECOND && !GST_CLOCK_TIME_IS_VALID(self->begin)) {
      self->begin = GST_BUFFER_PTS(unit);
    }
    return NULL;
  }
  frame = sizeof(float) * (gsize)sound.channels;
  buffer = gst_audio_decoder_allocate_output_buffer(
      GST_AUDIO_DECODER(self), (sound.frame_count - start - end) * frame);
  if (buffer == NULL) {
    *flow = GST_FLOW_ERROR;
    return NULL;
  }
  gst_buffer_fill(
      buffer, 0, (const guint8 *)sound.samples + start * frame,
      (sound.frame_count - start - end) * frame);
  return buffer;
}

/* Returns the number of missing units in a gap of this duration. */
static guint missing_units(AacornDec *self, GstClockTime duration) {
  const GstAudioInfo *info = gst_audio_decoder_get_audio_info(GST_AUDIO_DECODER(self));
  guint64 frames;
  if (self->frames_per_unit == 0 || !GST_AUDIO_INFO_IS_VALID(info)) return 0;
  if (!GST_CLOCK_TIME_IS_VALID(duration)) return 1;
  /* Concealment fades to silence soon. A longer gap remains a gap of the stream. */
  duration = MIN(duration, GST_SECOND);
  frames = gst_util_uint64_scale_round(duration, (guint64)GST_AUDIO_INFO_RATE(info), GST_SECOND);
  return (guint)MAX(1, (frames + self->frames_per_unit / 2) / self->frames_per_unit);
}

static GstFlowReturn aacorn_dec_handle_frame(GstAudioDecoder *base, GstBuffer *unit) {
  AacornDec *self = AACORN_DEC(base);
  GstBuffer *samples = NULL, *more;
  GstFlowReturn flow = GST_FLOW_OK;
  GstMapInfo map;
  guint count;
  int result;

  /* Each unit is decoded immediately, so no samples remain at the end. */
  if (unit == NULL) return GST_FLOW_OK;
  if (self->decoder == NULL) return GST_FLOW_NOT_NEGOTIATED;

  if (gst_buffer_get_size(unit) == 0) {
    count = missing_units(self, GST_BUFFER_DURATION(unit));
    for (; count > 0 && flow == GST_FLOW_OK; count--) {
      if (aacorn_decoder_conceal(self->decoder) < 0) break;
      more = take_samples(self, unit, &flow);
      if (more != NULL) samples = samples != NULL ? gst_buffer_append(samples, more) : more;
    }
  } else {
    if (!gst_buffer_map(unit, &map, GST_MAP_READ)) {
      GST_ELEMENT_ERROR(self, RESOURCE, READ, ("A unit cannot be read."), (NULL));
      return GST_FLOW_ERROR;
    }
    result = aacorn_decoder_push(self->decoder, map.data, map.size);
    gst_buffer_unmap(unit, &map);
    if (result < 0) {
      GST_AUDIO_DECODER_ERROR(
          self, 1, STREAM, DECODE, ("%s", aacorn_decoder_error(self->decoder)), (NULL), flow);
    } else {
      samples = take_samples(self, unit, &flow);
    }
  }

  if (flow != GST_FLOW_OK) {
    if (samples != NULL) gst_buffer_unref(samples);
    return flow;
  }
  return gst_audio_decoder_finish_frame(base, samples, 1);
}

/*
 * In streams of aacornenc, each unit that contains only delay has a duration of one frame. The
 * samples after these units start earlier by the same time.
 */
static GstFlowReturn aacorn_dec_pre_push(GstAudioDecoder *base, GstBuffer **buffer) {
  AacornDec *self = AACORN_DEC(base);
  const GstAudioInfo *info = gst_audio_decoder_get_audio_info(base);
  /*
   * If rounded times differ by one, the base class keeps one frame of the trimmed samples: drop it.
   */
  if (gst_buffer_get_size(*buffer) == (gsize)GST_AUDIO_INFO_BPF(info) &&
      GST_BUFFER_DURATION(*buffer) < GST_SECOND / (guint64)GST_AUDIO_INFO_RATE(info) / 2) {
    gst_buffer_replace(buffer, NULL);
    return GST_FLOW_OK;
  }
  if (GST_CLOCK_TIME_IS_VALID(self->begin)) {
    *buffer = gst_buffer_make_writable(*buffer);
    GST_BUFFER_PTS(*buffer) = self->begin;
    self->begin = GST_CLOCK_TIME_NONE;
  }
  return GST_FLOW_OK;
}

static void aacorn_dec_flush(GstAudioDecoder *base, gboolean is_hard) {
  AacornDec *self = AACORN_DEC(base);
  /* Keep the history after a loss, and reset it after a seek. */
  if (is_hard && self->config != NULL) create_decoder(self);
}

static gboolean aacorn_dec_start(GstAudioDecoder *base) {
  /* The base class resets this between streams. */
  gst_audio_decoder_set_plc_aware(base, TRUE);
  return TRUE;
}

static gboolean aacorn_dec_stop(GstAudioDecoder *base) {
  AacornDec *self = AACORN_DEC(base);
  aacorn_decoder_destroy(self->decoder);
  self->decoder = NULL;
  gst_buffer_replace(&self->config, NULL);
  return TRUE;
}

static void aacorn_dec_class_init(AacornDecClass *class) {
  GstElementClass *element = GST_ELEMENT_CLASS(class);
  GstAudioDecoderClass *base = GST_AUDIO_DECODER_CLASS(class);

  GST_DEBUG_CATEGORY_INIT(aacorn_dec_debug, "aacorndec", 0, "AAC decoder");
  base->set_format = aacorn_dec_set_format;
  base->handle_frame = aacorn_dec_handle_frame;
  base->pre_push = aacorn_dec_pre_push;
  base->flush = aacorn_dec_flush;
  base->start = aacorn_dec_start;
  base->stop = aacorn_dec_stop;
  gst_element_class_add_static_pad_template(element, &sink_template);
  gst_element_class_add_static_pad_template(element, &src_template);
  gst_element_class_set_static_metadata(
      element, "Aacorn AAC decoder", "Codec/Decoder/Audio",
      "Decodes AAC-LC, HE-AAC and HE-AAC v2", "Aacorn");
}

static void aacorn_dec_init(AacornDec *self) {
  GstAudioDecoder *base = GST_AUDIO_DECODER(self);
  gst_audio_decoder_set_needs_format(base, TRUE);
  gst_audio_decoder_set_use_default_pad_acceptcaps(base, TRUE);
  GST_PAD_SET_ACCEPT_TEMPLATE(GST_AUDIO_DECODER_SINK_PAD(base));
}
