/* Tests of single elements for conditions that gst-launch-1.0 cannot create: buffers of all sizes, flushes,
   changed caps, gaps, a changed bitrate, invalid settings; and a pipeline that fails. */
#include <aacorn.h>
#include <gst/audio/audio.h>
#include <gst/check/gstharness.h>
#include <string.h>

static int failures = 0;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GstHarness, gst_harness_teardown)

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      g_printerr("elements.c:%d: not so: %s\n", __LINE__, #condition);        \
      failures++;                                                             \
    }                                                                         \
  } while (0)

enum { RATE = 44100, CHANNELS = 2, FRAMES = 30011, FRAME = 2 * CHANNELS };
#define CAPS(rate, channels)                                                                 \
  "audio/x-raw, format=" GST_AUDIO_NE(S16) ", layout=interleaved, rate=" #rate ", channels=" \
      #channels

static gint16 samples[FRAMES * CHANNELS];

/* Returns tones and noise, equal in every run. */
static void make_sound(void) {
  guint32 noise = 1;
  gint32 n, phase = 0;
  for (n = 0; n < FRAMES * CHANNELS; n++) {
    noise = noise * 1664525u + 1013904223u;
    phase = (phase + 311 + n % 2 * 97) % 20000;
    samples[n] = (gint16)(phase - 10000 + (gint32)(noise >> 22) - 512);
  }
}

static GstClockTime time_of(gint64 frames) {
  return gst_util_uint64_scale_round((guint64)frames, GST_SECOND, RATE);
}

/* Returns whether a time differs from the time of `frames` by at most 4 frames, because of rounding. */
static gboolean is_near(GstClockTime time, gint64 frames) {
  return ABS(GST_CLOCK_DIFF(time_of(frames), time)) <= (GstClockTimeDiff)time_of(4);
}

/* Returns an encoder for the sound; `profile` may be NULL. */
static GstHarness *new_encoder(const gchar *profile) {
  GstHarness *harness = gst_harness_new("aacornenc");
  if (profile != NULL) gst_util_set_object_arg(G_OBJECT(harness->element), "profile", profile);
  gst_harness_set_src_caps_str(harness, CAPS(44100, 2));
  return harness;
}

static void push_sound(GstHarness *harness, gint64 from, gint64 count) {
  GstBuffer *buffer = gst_buffer_new_memdup(samples + from * CHANNELS, (gsize)(count * FRAME));
  GST_BUFFER_PTS(buffer) = time_of(from);
  GST_BUFFER_DURATION(buffer) = time_of(from + count) - time_of(from);
  CHECK(gst_harness_push(harness, buffer) == GST_FLOW_OK);
}

/* Returns the output up to now in one piece of memory. */
static GByteArray *take_all(GstHarness *harness) {
  GByteArray *bytes = g_byte_array_new();
  GstBuffer *buffer;
  while ((buffer = gst_harness_try_pull(harness)) != NULL) {
    GstMapInfo map;
    gst_buffer_map(buffer, &map, GST_MAP_READ);
    g_byte_array_append(bytes, map.data, (guint)map.size);
    gst_buffer_unmap(buffer, &map);
    gst_buffer_unref(buffer);
  }
  return bytes;
}

/* Ends the input, and returns the rest of the output. */
static GByteArray *finish(GstHarness *harness) {
  gst_harness_push_event(harness, gst_event_new_eos());
  return take_all(harness);
}

static gboolean are_same(GByteArray *one, GByteArray *other) {
  return one->len == other->len && one->len > 0 && memcmp(one->data, other->data, one->len) == 0;
}

/* Returns the text of an error message; the caller frees it. */
static gchar *text_of(GstMessage *message) {
  g_autoptr(GError) error = NULL;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error(message, &error, NULL);
  } else {
    gst_message_parse_warning(message, &error, NULL);
  }
  return g_strdup(error->message);
}

/* Returns a new bus for the messages of the element. */
static GstBus *watched_bus(GstHarness *harness) {
  GstBus *bus = gst_bus_new();
  gst_element_set_bus(harness->element, bus);
  return bus;
}

/* Returns the message of the element on its bus; the caller frees it. */
static gchar *bus_message(GstBus *bus, GstMessageType type) {
  g_autoptr(GstMessage) message = gst_bus_pop_filtered(bus, type);
  return message == NULL ? NULL : text_of(message);
}

/* Returns the units that the library encodes. */
static GByteArray *expected_units(gint64 from, gint64 count) {
  aacorn_encoder_settings settings;
  aacorn_encoder *encoder;
  aacorn_unit unit;
  GByteArray *bytes = g_byte_array_new();
  memset(&settings, 0, sizeof settings);
  settings.size = sizeof settings;
  settings.sample_rate = RATE;
  settings.channels = CHANNELS;
  settings.profile = AACORN_PROFILE_LC;
  encoder = aacorn_encoder_create(&settings, NULL);
  aacorn_encoder_push_int16(encoder, samples + from * CHANNELS, (size_t)count);
  aacorn_encoder_finish(encoder);
  while (aacorn_encoder_pull(encoder, &unit) == AACORN_SOME) {
    g_byte_array_append(bytes, unit.bytes, (guint)unit.byte_count);
  }
  aacorn_encoder_destroy(encoder);
  return bytes;
}

static void test_any_sizes(void) {
  static const gint64 sizes[] = {1, 7, 480, 1023, 1024, 4097, FRAMES};
  g_autoptr(GByteArray) expected = expected_units(0, FRAMES);
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
    g_autoptr(GstHarness) harness = new_encoder(NULL);
    for (gint64 at = 0; at < FRAMES; at += sizes[i]) {
      push_sound(harness, at, MIN(sizes[i], FRAMES - at));
    }
    g_autoptr(GByteArray) bytes = finish(harness);
    CHECK(are_same(bytes, expected));
  }
}

/* Checks that times are consecutive, that clipping marks padding, and that the reported latency is correct. */
static void test_times(const gchar *profile) {
  g_autoptr(GstHarness) harness = new_encoder(profile);
  GstClockTime next = 0, latency, longest = 0;
  gint64 played = 0;
  gint per_unit = g_str_equal(profile, "lc") ? 1024 : 2048;
  GstBuffer *buffer;

  for (gint64 at = 0; at <= FRAMES; at++) {
    if (at < FRAMES) {
      push_sound(harness, at, 1);
    } else {
      gst_harness_push_event(harness, gst_event_new_eos());
    }
    while ((buffer = gst_harness_try_pull(harness)) != NULL) {
      GstAudioClippingMeta *clipping = gst_buffer_get_audio_clipping_meta(buffer);
      CHECK(ABS(GST_CLOCK_DIFF(next, GST_BUFFER_PTS(buffer))) <= 1);
      CHECK(is_near(GST_BUFFER_PTS(buffer), played));
      next = GST_BUFFER_PTS(buffer) + GST_BUFFER_DURATION(buffer);
      played += per_unit;
      if (clipping != NULL) played -= (gint64)(clipping->start + clipping->end);
      if (at < FRAMES) longest = MAX(longest, time_of(at + 1) - GST_BUFFER_PTS(buffer));
      gst_buffer_unref(buffer);
    }
  }
  CHECK(played == FRAMES);
  CHECK(is_near(next, FRAMES));
  latency = gst_harness_query_latency(harness);
  CHECK(latency + time_of(1) >= longest && latency <= longest + time_of(64));
}

static void test_flush(void) {
  g_autoptr(GstHarness) harness = new_encoder(NULL);
  g_autoptr(GByteArray) expected = expected_units(9000, FRAMES - 9000);
  GstSegment segment;
  push_sound(harness, 0, 5000);
  g_byte_array_unref(take_all(harness));
  gst_harness_push_event(harness, gst_event_new_flush_start());
  gst_harness_push_event(harness, gst_event_new_flush_stop(TRUE));
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = segment.position = segment.time = time_of(9000);
  gst_harness_push_event(harness, gst_event_new_segment(&segment));
  push_sound(harness, 9000, FRAMES - 9000);
  g_autoptr(GByteArray) bytes = finish(harness);
  CHECK(are_same(bytes, expected));
}

static void test_other_caps(void) {
  g_autoptr(GstHarness) harness = gst_harness_new_parse("aacornenc ! aacorndec");
  gint rate = 0, channels = 0;

  gst_harness_set_src_caps_str(harness, CAPS(44100, 2));
  push_sound(harness, 0, 10000);
  gst_harness_set_src_caps_str(harness, CAPS(32000, 1));
  g_autoptr(GByteArray) before = take_all(harness);
  CHECK(before->len == 10000 * CHANNELS * sizeof(float));
  push_sound(harness, 0, 5000);
  g_autoptr(GByteArray) after = finish(harness);
  CHECK(after->len == 5000 * CHANNELS * sizeof(float));
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(harness->sinkpad);
  gst_structure_get_int(gst_caps_get_structure(caps, 0), "rate", &rate);
  gst_structure_get_int(gst_caps_get_structure(caps, 0), "channels", &channels);
  CHECK(rate == 32000 && channels == 1);
}

static void test_bitrate_on_the_way(void) {
  g_autoptr(GstHarness) harness = gst_harness_new("aacornenc");
  g_autoptr(GstBus) bus = watched_bus(harness);
  g_object_set(harness->element, "bitrate", 192000, NULL);
  gst_harness_set_src_caps_str(harness, CAPS(44100, 2));
  push_sound(harness, 0, FRAMES / 2);
  g_autoptr(GByteArray) before = take_all(harness);
  g_object_set(harness->element, "bitrate", 64000, NULL);
  push_sound(harness, FRAMES / 2, FRAMES / 2);
  g_autoptr(GByteArray) after = take_all(harness);
  CHECK(after->len > 0 && after->len * 2 < before->len);
  CHECK(gst_bus_pop_filtered(bus, GST_MESSAGE_WARNING) == NULL);
  /* An invalid setting is reported, with no other effect. */
  g_object_set(harness->element, "bitrate", 1, NULL);
  push_sound(harness, 0, 4096);
  push_sound(harness, 4096, 4096);
  g_autofree gchar *text = bus_message(bus, GST_MESSAGE_WARNING);
  CHECK(text != NULL && g_str_has_suffix(text, "."));
  CHECK(gst_bus_pop_filtered(bus, GST_MESSAGE_WARNING) == NULL);
}

/* Elements that reject caps, and their error messages. */
static void test_refusals(void) {
  static const struct {
    const gchar *element, *property, *value, *caps;
  } cases[] = {
      {"aacornenc", "profile", "he2", CAPS(44100, 1)},
      {"aacornenc", "profile", "he", CAPS(96000, 2)},
      {"aacornenc", "bitrate", "1", CAPS(44100, 2)},
      {"aacorndec", NULL, NULL, "audio/mpeg, mpegversion=4, stream-format=raw, framed=true"},
      {"aacorndec", NULL, NULL,
       "audio/mpeg, mpegversion=4, stream-format=raw, framed=true, codec_data=(buffer)ffff"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GstHarness) harness = gst_harness_new(cases[i].element);
    g_autoptr(GstBus) bus = watched_bus(harness);
    if (cases[i].property != NULL) {
      gst_util_set_object_arg(G_OBJECT(harness->element), cases[i].property, cases[i].value);
    }
    gst_harness_set_src_caps_str(harness, cases[i].caps);
    CHECK(gst_harness_push(harness, gst_buffer_new_allocate(NULL, 4096, NULL)) != GST_FLOW_OK);
    g_autofree gchar *text = bus_message(bus, GST_MESSAGE_ERROR);
    CHECK(text != NULL && g_str_has_suffix(text, "."));
    if (text != NULL) g_print("%s: %s\n", cases[i].element, text);
  }
}

/* A pipeline with a rejecting element reports the error and can be stopped. This is not tested with
   gst-launch-1.0, which ends its loop from the failing thread: if the loop has not started yet, it never
   ends. */
static void test_refusal_in_a_pipeline(void) {
  g_autoptr(GstElement) pipeline = gst_parse_launch(
      "audiotestsrc num-buffers=9 ! audio/x-raw,channels=1 ! aacornenc name=encoder profile=he2 ! "
      "fakesink",
      NULL);
  CHECK(pipeline != NULL);
  if (pipeline == NULL) return;
  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(
      bus, 300 * GST_SECOND, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  CHECK(message != NULL && GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR);
  if (message != NULL && GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    g_autofree gchar *text = text_of(message);
    CHECK(g_str_equal(GST_MESSAGE_SRC_NAME(message), "encoder"));
    CHECK(g_ascii_isupper(text[0]) && g_str_has_suffix(text, "."));
  }
  CHECK(gst_element_set_state(pipeline, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS);
}

/* Returns units with the caps and the clipping from aacornenc. */
static GQueue *encode(const gchar *profile, GstCaps **caps) {
  g_autoptr(GstHarness) harness = new_encoder(profile);
  GQueue *units = g_queue_new();
  GstBuffer *buffer;
  push_sound(harness, 0, FRAMES);
  gst_harness_push_event(harness, gst_event_new_eos());
  while ((buffer = gst_harness_try_pull(harness)) != NULL) g_queue_push_tail(units, buffer);
  *caps = gst_pad_get_current_caps(harness->sinkpad);
  return units;
}

static void test_gaps(void) {
  GstCaps *caps;
  g_autoptr(GQueue) units = encode("lc", &caps);
  g_autoptr(GstHarness) harness = gst_harness_new("aacorndec");
  GstBuffer *buffer;
  g_object_set(harness->element, "plc", TRUE, NULL);
  gst_harness_set_src_caps(harness, caps);
  for (guint n = 0; (buffer = g_queue_pop_head(units)) != NULL; n++) {
    if (n >= 10 && n < 13) {
      CHECK(gst_harness_push_event(
          harness, gst_event_new_gap(GST_BUFFER_PTS(buffer), GST_BUFFER_DURATION(buffer))));
      gst_buffer_unref(buffer);
    } else {
      CHECK(gst_harness_push(harness, buffer) == GST_FLOW_OK);
    }
  }
  g_autoptr(GByteArray) bytes = finish(harness);
  CHECK(bytes->len == FRAMES * CHANNELS * sizeof(float));
}

/* After a flush the decoder's output equals the output of a new decoder. */
static void test_decoder_flush(const gchar *profile) {
  GByteArray *bytes[2];
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  for (gint i = 0; i < 2; i++) {
    GstCaps *caps;
    g_autoptr(GQueue) units = encode(profile, &caps);
    g_autoptr(GstHarness) harness = gst_harness_new("aacorndec");
    GstBuffer *buffer;
    gst_harness_set_src_caps(harness, caps);
    for (guint n = 0; (buffer = g_queue_pop_head(units)) != NULL; n++) {
      if (n == 8) {
        gst_harness_push_event(harness, gst_event_new_flush_start());
        gst_harness_push_event(harness, gst_event_new_flush_stop(TRUE));
        gst_harness_push_event(harness, gst_event_new_segment(&segment));
        g_byte_array_unref(take_all(harness));
      }
      if (n < 8 && i == 1) {
        gst_buffer_unref(buffer);
      } else {
        CHECK(gst_harness_push(harness, buffer) == GST_FLOW_OK);
      }
    }
    bytes[i] = finish(harness);
  }
  CHECK(are_same(bytes[0], bytes[1]));
  g_byte_array_unref(bytes[0]);
  g_byte_array_unref(bytes[1]);
}

/* An invalid unit is replaced and only logged, and the audio keeps its length. */
static void test_damage(const gchar *profile) {
  GstCaps *caps;
  g_autoptr(GQueue) units = encode(profile, &caps);
  g_autoptr(GstHarness) harness = gst_harness_new("aacorndec");
  g_autoptr(GstBus) bus = watched_bus(harness);
  GstBuffer *buffer;
  gst_harness_set_src_caps(harness, caps);
  for (guint n = 0; (buffer = g_queue_pop_head(units)) != NULL; n++) {
    if (n % 4 == 3) {
      buffer = gst_buffer_make_writable(buffer);
      gst_buffer_memset(buffer, 0, (guint8)(0xFF - n), gst_buffer_get_size(buffer) / 2);
    }
    CHECK(gst_harness_push(harness, buffer) == GST_FLOW_OK);
  }
  g_autoptr(GByteArray) bytes = finish(harness);
  CHECK(bytes->len == FRAMES * CHANNELS * sizeof(float));
  CHECK(gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) == NULL);
}

int main(int argc, char **argv) {
  static const gchar *const profiles[] = {"lc", "he", "he2"};
  gst_init(&argc, &argv);
  make_sound();
  test_any_sizes();
  test_flush();
  test_other_caps();
  test_bitrate_on_the_way();
  test_refusals();
  test_refusal_in_a_pipeline();
  test_gaps();
  for (gsize i = 0; i < G_N_ELEMENTS(profiles); i++) {
    test_times(profiles[i]);
    test_decoder_flush(profiles[i]);
    test_damage(profiles[i]);
  }
  gst_deinit();
  if (failures == 0) g_print("the elements pass all tests\n");
  return failures == 0 ? 0 : 1;
}
