/* Invalid uses of libaacorn: each must return a code and a message. Also tests streams split at many offsets,
   damaged streams, pushes of all sizes, and simultaneous encoders. */
#include <aacorn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      fprintf(stderr, "misuse.c:%d: not so: %s\n", __LINE__, #condition); \
      failures++;                                                          \
    }                                                                      \
  } while (0)

/* The call returns NULL and this error. */
#define CHECK_REFUSED(call, expected) CHECK((call) == NULL && error.code == (expected))

enum { FRAMES = 30000, CHANNELS = 2 };

static int16_t samples[FRAMES * CHANNELS];
static float floats[FRAMES * CHANNELS];

/* Returns tones and noise, equal in every run. */
static void make_sound(void) {
  uint32_t noise = 1;
  int32_t n, phase = 0;
  for (n = 0; n < FRAMES * CHANNELS; n++) {
    noise = noise * 1664525u + 1013904223u;
    phase = (phase + 311 + n % 2 * 97) % 20000;
    samples[n] = (int16_t)(phase - 10000 + (int32_t)(noise >> 22) - 512);
    floats[n] = (float)samples[n] / 32768.0f;
  }
}

static aacorn_encoder_settings default_settings(int profile) {
  aacorn_encoder_settings settings = {
      .size = sizeof settings, .sample_rate = 44100, .channels = CHANNELS, .profile = profile};
  return settings;
}

static aacorn_encoder *make_encoder(int profile) {
  aacorn_encoder_settings settings = default_settings(profile);
  aacorn_encoder *encoder = aacorn_encoder_create(&settings, NULL);
  CHECK(encoder != NULL);
  if (encoder == NULL) exit(1);
  return encoder;
}

struct bytes {
  uint8_t *start;
  size_t count;
};

/* Encodes a complete file, alternately from floats and 16-bit samples, a few frames at a time. */
static struct bytes make_file(int profile, int format, size_t step) {
  aacorn_encoder *encoder = make_encoder(profile);
  aacorn_writer_settings settings = {
      .size = sizeof settings, .format = format, .expected_frames = FRAMES};
  aacorn_error error;
  aacorn_writer *writer = aacorn_writer_create(encoder, &settings, &error);
  const uint8_t *start = NULL;
  struct bytes file = {NULL, 0};
  size_t frame, turn = 0;
  CHECK(writer != NULL && error.code == AACORN_OK && error.sentence[0] == 0);
  if (writer == NULL) exit(1);
  for (frame = 0; frame < FRAMES; frame += step) {
    size_t count = FRAMES - frame < step ? FRAMES - frame : step;
    int result = turn++ % 2 == 0
                     ? aacorn_encoder_push_int16(encoder, samples + frame * CHANNELS, count)
                     : aacorn_encoder_push_float(encoder, floats + frame * CHANNELS, count);
    CHECK(result == AACORN_OK);
    CHECK(aacorn_writer_write(writer) == AACORN_OK);
  }
  CHECK(aacorn_encoder_finish(encoder) == AACORN_OK);
  /* The writer copies the data that it needs. */
  aacorn_encoder_destroy(encoder);
  CHECK(aacorn_writer_write(writer) == AACORN_OK);
  CHECK(aacorn_writer_write(writer) == AACORN_OK);
  CHECK(aacorn_writer_bytes(writer, &start, &file.count) == AACORN_OK);
  CHECK(file.count > 1000);
  file.start = malloc(file.count);
  memcpy(file.start, start, file.count);
  aacorn_writer_destroy(writer);
  return file;
}

/* Decodes bytes, pushed in small pieces; if requested, all of them before the first pull. Appends the
   samples to `whole` unless that is null. */
static int decode(
    const uint8_t *bytes, size_t count, size_t step, int all, size_t *frames, struct bytes *whole) {
  aacorn_decoder *decoder = aacorn_decoder_create(NULL, NULL);
  aacorn_sound sound;
  size_t place, n;
  int result = AACORN_OK;
  float sum = 0;
  *frames = 0;
  CHECK(decoder != NULL);
  for (place = 0;; place += step) {
    if (place < count) {
      size_t length = count - place < step ? count - place : step;
      CHECK(aacorn_decoder_push(decoder, bytes + place, length) == AACORN_OK);
    } else {
      CHECK(aacorn_decoder_finish(decoder) == AACORN_OK);
    }
    if (all && place < count) continue;
    while ((result = aacorn_decoder_pull(decoder, &sound)) == AACORN_SOME) {
      size_t sample_count = sound.frame_count * (size_t)sound.channels;
      CHECK(sound.position == (int64_t)*frames);
      CHECK(sound.channels >= 1 && sound.sample_rate >= 1);
      *frames += sound.frame_count;
      /* Reads all samples, for memory checkers. */
      for (n = 0; n < sample_count; n++) sum += sound.samples[n];
      if (whole != NULL) {
        size_t more = sample_count * sizeof(float);
        whole->start = realloc(whole->start, whole->count + more);
        memcpy(whole->start + whole->count, sound.samples, more);
        whole->count += more;
      }
    }
    if (place >= count || result < 0) break;
  }
  CHECK(sum == sum);
  if (result < 0) {
    CHECK(strlen(aacorn_decoder_error(decoder)) > 10);
    CHECK(aacorn_decoder_pull(decoder, &sound) == result);
  }
  aacorn_decoder_destroy(decoder);
  return result;
}

static void check_null(void) {
  aacorn_encoder *encoder = make_encoder(AACORN_PROFILE_LC);
  aacorn_decoder *decoder = aacorn_decoder_create(NULL, NULL);
  aacorn_encoder_settings settings = default_settings(AACORN_PROFILE_LC);
  aacorn_writer_settings form = {.size = sizeof form, .format = AACORN_FORMAT_ADTS};
  aacorn_error error;
  aacorn_unit unit;
  aacorn_sound sound;
  aacorn_encoder_facts facts;
  const uint8_t *start;
  size_t count;
  uint8_t byte = 0;

  CHECK_REFUSED(aacorn_encoder_create(NULL, &error), AACORN_ERROR_ARGUMENT);
  CHECK(strlen(error.sentence) > 10);
  CHECK(aacorn_encoder_create(NULL, NULL) == NULL);
  CHECK_REFUSED(aacorn_writer_create(NULL, &form, &error), AACORN_ERROR_ARGUMENT);
  CHECK_REFUSED(aacorn_writer_create(encoder, NULL, &error), AACORN_ERROR_ARGUMENT);
  CHECK_REFUSED(aacorn_decoder_create_raw(NULL, NULL, 2, &error), AACORN_ERROR_ARGUMENT);

  aacorn_encoder_destroy(NULL);
  aacorn_writer_destroy(NULL);
  aacorn_decoder_destroy(NULL);
  CHECK(aacorn_encoder_push_float(NULL, floats, 1) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_encoder_push_int16(NULL, samples, 1) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_encoder_set_bitrate(NULL, 64000) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_encoder_finish(NULL) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_encoder_pull(NULL, &unit) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_encoder_config(NULL, &byte, 1) == 0);
  CHECK(aacorn_encoder_describe(NULL, &facts) == AACORN_ERROR_ARGUMENT);
  CHECK(strlen(aacorn_encoder_error(NULL)) > 10);
  CHECK(aacorn_writer_write(NULL) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_writer_bytes(NULL, &start, &count) == AACORN_ERROR_ARGUMENT);
  CHECK(strlen(aacorn_writer_error(NULL)) > 10);
  CHECK(aacorn_decoder_push(NULL, &byte, 1) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_decoder_conceal(NULL) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_decoder_finish(NULL) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_decoder_pull(NULL, &sound) == AACORN_ERROR_ARGUMENT);
  CHECK(strlen(aacorn_decoder_error(NULL)) > 10);

  CHECK(strlen(aacorn_encoder_error(encoder)) == 0);
  CHECK(aacorn_encoder_push_float(encoder, NULL, 1) == AACORN_ERROR_ARGUMENT);
  CHECK(strlen(aacorn_encoder_error(encoder)) > 10);
  CHECK(aacorn_encoder_push_int16(encoder, NULL, 1) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_encoder_push_int16(encoder, NULL, 0) == AACORN_OK);
  CHECK(aacorn_encoder_pull(encoder, NULL) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_encoder_describe(encoder, NULL) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_decoder_push(decoder, NULL, 1) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_decoder_push(decoder, NULL, 0) == AACORN_OK);
  CHECK(aacorn_decoder_pull(decoder, NULL) == AACORN_ERROR_ARGUMENT);

  /* A struct without its size, or from a later version with a new field in use. */
  settings.size = 0;
  CHECK_REFUSED(aacorn_encoder_create(&settings, &error), AACORN_ERROR_SETTINGS);
  settings.size = (size_t)-1;
  CHECK_REFUSED(aacorn_encoder_create(&settings, &error), AACORN_ERROR_SETTINGS);
  {
    struct {
      aacorn_encoder_settings settings;
      uint64_t later;
    } longer;
    memset(&longer, 0, sizeof longer);
    longer.settings.size = sizeof longer;
    aacorn_encoder_destroy(aacorn_encoder_create(&longer.settings, &error));
    CHECK(error.code == AACORN_OK);
    longer.later = 1;
    CHECK_REFUSED(aacorn_encoder_create(&longer.settings, &error), AACORN_ERROR_SETTINGS);
  }
  aacorn_encoder_destroy(encoder);
  aacorn_decoder_destroy(decoder);
}

/* An error code for each kind of invalid setting. */
static void check_settings(void) {
  static const struct {
    int32_t rate, channels, profile, mode, value, effort, bandwidth, signaling;
    uint32_t flags;
    int code;
  } wrong[] = {
      {44101, 2, 1, 0, 0, 0, 0, 0, 0, AACORN_ERROR_SAMPLE_RATE},
      {-1, 2, 1, 0, 0, 0, 0, 0, 0, AACORN_ERROR_SAMPLE_RATE},
      {INT32_MAX, 2, 0, 1, INT32_MAX, 0, 0, 0, 0, AACORN_ERROR_SAMPLE_RATE},
      {96000, 2, 2, 0, 0, 0, 0, 0, 0, AACORN_ERROR_SAMPLE_RATE},
      {44100, 7, 1, 0, 0, 0, 0, 0, 0, AACORN_ERROR_CHANNELS},
      {44100, -1, 1, 0, 0, 0, 0, 0, 0, AACORN_ERROR_CHANNELS},
      {44100, INT32_MAX, 0, 0, 0, 0, 0, 0, 0, AACORN_ERROR_CHANNELS},
      {44100, INT32_MIN, 1, 0, 0, 0, 0, 0, 0, AACORN_ERROR_CHANNELS},
      {44100, 1, 3, 0, 0, 0, 0, 0, 0, AACORN_ERROR_CHANNELS},
      {44100, 2, 4, 0, 0, 0, 0, 0, 0, AACORN_ERROR_ARGUMENT},
      {44100, 2, -1, 0, 0, 0, 0, 0, 0, AACORN_ERROR_ARGUMENT},
      {44100, 2, 1, 4, 0, 0, 0, 0, 0, AACORN_ERROR_ARGUMENT},
      {44100, 2, 1, 1, 0, 0, 0, 0, 0, AACORN_ERROR_RATE},
      {44100, 2, 1, 2, -5, 0, 0, 0, 0, AACORN_ERROR_RATE},
      {44100, 2, 1, 1, INT32_MAX, 0, 0, 0, 0, AACORN_ERROR_RATE},
      {44100, 2, 1, 3, 6, 0, 0, 0, 0, AACORN_ERROR_RATE},
      {44100, 2, 1, 0, 128000, 0, 0, 0, 0, AACORN_ERROR_COMBINATION},
      {44100, 2, 1, 0, 0, 4, 0, 0, 0, AACORN_ERROR_ARGUMENT},
      {44100, 2, 1, 0, 0, 0, 22051, 0, 0, AACORN_ERROR_BANDWIDTH},
      {44100, 2, 1, 0, 0, 0, -1, 0, 0, AACORN_ERROR_BANDWIDTH},
      {44100, 2, 2, 0, 0, 0, 15000, 0, 0, AACORN_ERROR_COMBINATION},
      {44100, 2, 2, 0, 0, 0, 0, 0, 1, AACORN_ERROR_COMBINATION},
      {44100, 2, 1, 0, 0, 0, 0, 2, 0, AACORN_ERROR_COMBINATION},
      {44100, 2, 2, 0, 0, 0, 0, 9, 0, AACORN_ERROR_ARGUMENT},
      {44100, 2, 1, 0, 0, 0, 0, 0, 2, AACORN_ERROR_ARGUMENT},
  };
  size_t n;
  aacorn_error error;
  for (n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
    aacorn_encoder_settings settings = default_settings(wrong[n].profile);
    aacorn_encoder *encoder;
    settings.sample_rate = wrong[n].rate;
    settings.channels = wrong[n].channels;
    settings.rate_mode = wrong[n].mode;
    settings.rate_value = wrong[n].value;
    settings.effort = wrong[n].effort;
    settings.bandwidth = wrong[n].bandwidth;
    settings.signaling = wrong[n].signaling;
    settings.flags = wrong[n].flags;
    encoder = aacorn_encoder_create(&settings, &error);
    if (encoder != NULL || error.code != wrong[n].code) {
      fprintf(stderr, "settings %d: %d, %s\n", (int)n, (int)error.code, error.sentence);
    }
    CHECK(encoder == NULL && error.code == wrong[n].code && strlen(error.sentence) > 10);
    aacorn_encoder_destroy(encoder);
  }
}

static int reject_write(void *context, uint64_t offset, const uint8_t *bytes, size_t byte_count) {
  (void)offset, (void)bytes, (void)byte_count;
  ++*(int *)context;
  return 28;
}

/* Returns at most `count` bytes of the next units. */
static size_t pull(aacorn_encoder *encoder, int units) {
  aacorn_unit unit;
  size_t bytes = 0;
  while (units-- > 0 && aacorn_encoder_pull(encoder, &unit) == AACORN_SOME) {
    bytes += unit.byte_count;
  }
  return bytes;
}

/* A changed bitrate, and invalid bitrates. */
static void check_bitrate(void) {
  static const int32_t impossible[] = {0, -1, 1000, INT32_MIN, INT32_MAX};
  aacorn_encoder_settings settings = default_settings(AACORN_PROFILE_LC);
  aacorn_encoder *encoder = make_encoder(AACORN_PROFILE_LC);
  aacorn_encoder_facts facts;
  size_t before, after, n;
  CHECK(aacorn_encoder_push_int16(encoder, samples, FRAMES) == AACORN_OK);
  CHECK(aacorn_encoder_finish(encoder) == AACORN_OK);
  before = pull(encoder, 10);
  for (n = 0; n < sizeof impossible / sizeof impossible[0]; n++) {
    CHECK(aacorn_encoder_set_bitrate(encoder, impossible[n]) == AACORN_ERROR_RATE);
    CHECK(strlen(aacorn_encoder_error(encoder)) > 10);
  }
  CHECK(aacorn_encoder_describe(encoder, &facts) == AACORN_OK && facts.bitrate == 128000);
  CHECK(aacorn_encoder_set_bitrate(encoder, 32000) == AACORN_OK);
  CHECK(aacorn_encoder_describe(encoder, &facts) == AACORN_OK && facts.bitrate == 32000);
  after = pull(encoder, 10);
  CHECK(after > 0 && after < before / 2);
  aacorn_encoder_destroy(encoder);

  /* Constant quality has no bitrate. */
  settings.rate_mode = AACORN_RATE_VARIABLE;
  settings.rate_value = 3;
  encoder = aacorn_encoder_create(&settings, NULL);
  CHECK(encoder != NULL);
  CHECK(aacorn_encoder_set_bitrate(encoder, 64000) == AACORN_ERROR_RATE);
  CHECK(aacorn_encoder_describe(encoder, &facts) == AACORN_OK && facts.bitrate == 0);
  aacorn_encoder_destroy(encoder);
}

/* A message stays where it is until the object is destroyed, so one printf may contain a failing call and the
   message, whichever the compiler evaluates first. */
static void check_messages(void) {
  aacorn_encoder *encoder = make_encoder(AACORN_PROFILE_LC);
  aacorn_decoder *decoder = aacorn_decoder_create(NULL, NULL);
  const char *of_encoder = aacorn_encoder_error(encoder);
  const char *of_decoder = aacorn_decoder_error(decoder);
  char line[300], expected[300];
  aacorn_sound sound;
  CHECK(of_encoder[0] == 0 && of_decoder[0] == 0);
  snprintf(line, sizeof line, "%d %s",
      aacorn_encoder_push_float(encoder, floats, (size_t)1 << 60), aacorn_encoder_error(encoder));
  snprintf(expected, sizeof expected, "%d %s", AACORN_ERROR_SIZE, of_encoder);
  CHECK(strlen(of_encoder) > 10 && strcmp(line, expected) == 0);
  /* Another message replaces it in place, and success keeps it. */
  CHECK(aacorn_encoder_push_float(encoder, NULL, 1) == AACORN_ERROR_ARGUMENT);
  CHECK(strstr(of_encoder, "samples") != NULL && of_encoder == aacorn_encoder_error(encoder));
  CHECK(aacorn_encoder_push_float(encoder, floats, 1) == AACORN_OK);
  CHECK(strstr(of_encoder, "samples") != NULL);

  CHECK(aacorn_decoder_push(decoder, (const uint8_t *)samples, sizeof samples) == AACORN_OK);
  CHECK(aacorn_decoder_finish(decoder) == AACORN_OK);
  snprintf(line, sizeof line, "%d %s", aacorn_decoder_pull(decoder, &sound), aacorn_decoder_error(decoder));
  snprintf(expected, sizeof expected, "%d %s", AACORN_ERROR_NOT_AAC, of_decoder);
  CHECK(strlen(of_decoder) > 10 && strcmp(line, expected) == 0);
  CHECK(of_decoder == aacorn_decoder_error(decoder));
  aacorn_encoder_destroy(encoder);
  aacorn_decoder_destroy(decoder);
}

/* Tables that list the same bytes for all seconds are an error, and cannot fill the memory with samples. */
static void check_shared_bytes(void) {
  aacorn_encoder *encoder = make_encoder(AACORN_PROFILE_LC);
  aacorn_writer_settings form = {.size = sizeof form, .format = AACORN_FORMAT_M4A};
  aacorn_writer *writer = aacorn_writer_create(encoder, &form, NULL);
  const uint8_t *start;
  uint8_t *copy;
  size_t byte_count, frames, n, turn;
  for (turn = 0; turn < 8; turn++) {
    CHECK(aacorn_encoder_push_int16(encoder, samples, FRAMES) == AACORN_OK);
  }
  CHECK(aacorn_encoder_finish(encoder) == AACORN_OK);
  CHECK(aacorn_writer_write(writer) == AACORN_OK);
  CHECK(aacorn_writer_bytes(writer, &start, &byte_count) == AACORN_OK);
  copy = malloc(byte_count);
  memcpy(copy, start, byte_count);
  CHECK(decode(copy, byte_count, byte_count, 1, &frames, NULL) == AACORN_OK);
  CHECK(frames == 8 * FRAMES);
  for (n = 0; n + 4 < byte_count && memcmp(copy + n, "stco", 4) != 0; n++) {}
  /* The number of offsets, one for each second, and the offsets. */
  CHECK(n + 32 <= byte_count && copy[n + 11] == 6);
  for (turn = 1; turn < 6; turn++) memcpy(copy + n + 12 + 4 * turn, copy + n + 12, 4);
  CHECK(decode(copy, byte_count, byte_count, 1, &frames, NULL) == AACORN_ERROR_SIZE);
  CHECK(frames == 0);
  free(copy);
  aacorn_writer_destroy(writer);
  aacorn_encoder_destroy(encoder);
}

struct inner {
  aacorn_writer *writer;
  int calls;
};

static int write_from_within(
    void *context, uint64_t offset, const uint8_t *bytes, size_t byte_count) {
  struct inner *inner = context;
  const uint8_t *start;
  size_t count;
  (void)offset, (void)bytes, (void)byte_count;
  inner->calls++;
  CHECK(aacorn_writer_write(inner->writer) == AACORN_ERROR_MOMENT);
  CHECK(aacorn_writer_bytes(inner->writer, &start, &count) == AACORN_ERROR_MOMENT);
  CHECK(strlen(aacorn_writer_error(inner->writer)) > 10);
  return 0;
}

/* The output callback calls the writer that called it. */
static void check_within(void) {
  aacorn_encoder *encoder = make_encoder(AACORN_PROFILE_LC);
  struct inner inner = {NULL, 0};
  aacorn_writer_settings form = {
      .size = sizeof form, .format = AACORN_FORMAT_M4A, .write = write_from_within,
      .context = &inner};
  inner.writer = aacorn_writer_create(encoder, &form, NULL);
  CHECK(inner.writer != NULL);
  CHECK(aacorn_encoder_push_int16(encoder, samples, FRAMES) == AACORN_OK);
  CHECK(aacorn_writer_write(inner.writer) == AACORN_OK && inner.calls > 0);
  CHECK(aacorn_encoder_finish(encoder) == AACORN_OK);
  CHECK(aacorn_writer_write(inner.writer) == AACORN_OK);
  aacorn_writer_destroy(inner.writer);
  aacorn_encoder_destroy(encoder);
}

static void check_moments(void) {
  aacorn_encoder *encoder = make_encoder(AACORN_PROFILE_HE);
  aacorn_encoder_facts facts;
  aacorn_writer_settings form = {.size = sizeof form, .format = AACORN_FORMAT_M4A};
  aacorn_writer *writer;
  aacorn_error error;
  aacorn_unit unit;
  aacorn_sound sound;
  aacorn_decoder *decoder;
  uint8_t config[64];
  const uint8_t *start;
  size_t count, units = 0, frames = 0;
  int calls = 0;

  CHECK(aacorn_encoder_push_int16(encoder, samples, (size_t)-1) == AACORN_ERROR_SIZE);
  CHECK(aacorn_encoder_push_float(encoder, floats, (size_t)1 << 62) == AACORN_ERROR_SIZE);
  CHECK(aacorn_encoder_push_int16(encoder, samples, FRAMES) == AACORN_OK);
  CHECK(aacorn_encoder_describe(encoder, &facts) == AACORN_OK);
  CHECK(facts.profile == AACORN_PROFILE_HE && facts.frames_per_unit == 2048);
  CHECK(facts.remainder == -1 && facts.priming > 2048 && facts.bitrate == 64000);
  CHECK(aacorn_encoder_finish(encoder) == AACORN_OK);
  CHECK(aacorn_encoder_finish(encoder) == AACORN_OK);
  CHECK(aacorn_encoder_push_int16(encoder, samples, 1) == AACORN_ERROR_MOMENT);
  CHECK(strlen(aacorn_encoder_error(encoder)) > 10);
  CHECK(aacorn_encoder_describe(encoder, &facts) == AACORN_OK && facts.remainder >= 0);

  CHECK_REFUSED(aacorn_writer_create(encoder, &form, &error), AACORN_ERROR_MOMENT);

  /* Units without a container: each is pulled before the next is pushed. */
  count = aacorn_encoder_config(encoder, NULL, 0);
  CHECK(count >= 2 && count <= sizeof config);
  memset(config, 0xAA, sizeof config);
  CHECK(aacorn_encoder_config(encoder, config, count - 1) == count && config[0] == 0xAA);
  CHECK(aacorn_encoder_config(encoder, config, sizeof config) == count && config[0] != 0xAA);
  CHECK_REFUSED(aacorn_decoder_create_raw(NULL, config, 0, &error), AACORN_ERROR_CONFIG);
  CHECK_REFUSED(aacorn_decoder_create_raw(NULL, config, (size_t)-1, &error), AACORN_ERROR_CONFIG);
  CHECK_REFUSED(aacorn_decoder_create_raw(NULL, config, 1, &error), AACORN_ERROR_CONFIG);
  CHECK(strlen(error.sentence) > 10);
  decoder = aacorn_decoder_create_raw(NULL, config, count, &error);
  CHECK(decoder != NULL);
  while (aacorn_encoder_pull(encoder, &unit) == AACORN_SOME) {
    CHECK(unit.position == (int64_t)units * 2048 - facts.priming && unit.duration == 2048);
    CHECK(aacorn_decoder_push(decoder, unit.bytes, unit.byte_count) == AACORN_OK);
    CHECK(aacorn_decoder_push(decoder, unit.bytes, unit.byte_count) == AACORN_ERROR_MOMENT);
    CHECK(aacorn_decoder_pull(decoder, &sound) == AACORN_SOME && sound.is_concealed == 0);
    CHECK(aacorn_decoder_pull(decoder, &sound) == AACORN_OK);
    frames += sound.frame_count;
    units++;
  }
  CHECK(frames == FRAMES + (size_t)facts.priming + (size_t)facts.remainder);
  CHECK(aacorn_encoder_pull(encoder, &unit) == AACORN_OK);
  CHECK(aacorn_decoder_conceal(decoder) == AACORN_OK);
  CHECK(aacorn_decoder_pull(decoder, &sound) == AACORN_SOME && sound.is_concealed == 1);
  CHECK(aacorn_decoder_push(decoder, config, 3) == AACORN_OK);
  CHECK(aacorn_decoder_pull(decoder, &sound) == AACORN_SOME && sound.is_concealed == 1);
  CHECK(aacorn_decoder_finish(decoder) == AACORN_OK);
  CHECK(aacorn_decoder_push(decoder, config, 3) == AACORN_ERROR_MOMENT);
  CHECK(aacorn_decoder_conceal(decoder) == AACORN_ERROR_MOMENT);
  aacorn_decoder_destroy(decoder);
  aacorn_encoder_destroy(encoder);

  /* An encoder has one writer, which receives all its units. */
  encoder = make_encoder(AACORN_PROFILE_LC);
  form.format = 0;
  CHECK_REFUSED(aacorn_writer_create(encoder, &form, &error), AACORN_ERROR_ARGUMENT);
  form.format = AACORN_FORMAT_ADTS;
  form.title = "ADTS has no tags";
  CHECK_REFUSED(aacorn_writer_create(encoder, &form, &error), AACORN_ERROR_COMBINATION);
  form.title = NULL;
  form.expected_frames = -1;
  CHECK_REFUSED(aacorn_writer_create(encoder, &form, &error), AACORN_ERROR_ARGUMENT);
  form.expected_frames = INT64_MAX;
  form.write = reject_write;
  form.context = &calls;
  writer = aacorn_writer_create(encoder, &form, &error);
  CHECK(writer != NULL);
  CHECK_REFUSED(aacorn_writer_create(encoder, &form, &error), AACORN_ERROR_MOMENT);
  CHECK(aacorn_encoder_pull(encoder, &unit) == AACORN_ERROR_MOMENT);
  CHECK(aacorn_writer_bytes(writer, &start, &count) == AACORN_ERROR_MOMENT);
  CHECK(aacorn_writer_bytes(writer, NULL, &count) == AACORN_ERROR_ARGUMENT);
  CHECK(aacorn_encoder_push_int16(encoder, samples, FRAMES) == AACORN_OK);
  CHECK(aacorn_writer_write(writer) == AACORN_ERROR_WRITE && calls == 1);
  CHECK(strlen(aacorn_writer_error(writer)) > 10);
  CHECK(aacorn_writer_write(writer) == AACORN_ERROR_WRITE && calls == 1);
  aacorn_writer_destroy(writer);
  aacorn_encoder_destroy(encoder);

  decoder = aacorn_decoder_create(NULL, NULL);
  CHECK(aacorn_decoder_conceal(decoder) == AACORN_ERROR_MOMENT);
  CHECK(aacorn_decoder_push(decoder, config, (size_t)-1) == AACORN_ERROR_SIZE);
  CHECK(aacorn_decoder_pull(decoder, &sound) == AACORN_OK);
  CHECK(aacorn_decoder_finish(decoder) == AACORN_OK);
  CHECK(aacorn_decoder_finish(decoder) == AACORN_OK);
  CHECK(aacorn_decoder_push(decoder, config, 1) == AACORN_ERROR_MOMENT);
  CHECK(aacorn_decoder_pull(decoder, &sound) == AACORN_ERROR_NOT_AAC);
  aacorn_decoder_destroy(decoder);
}

/* Files of all kinds: complete, split at many offsets, damaged, and invalid. */
static void check_inputs(void) {
  static const int formats[] = {AACORN_FORMAT_ADTS, AACORN_FORMAT_LATM, AACORN_FORMAT_M4A};
  static const char text[] = "This is not AAC, but some text that has no end and no end.";
  size_t frames = 0, n;
  int f;
  for (f = 0; f < 3; f++) {
    struct bytes file = make_file(AACORN_PROFILE_LC, formats[f], FRAMES);
    struct bytes other = make_file(AACORN_PROFILE_LC, formats[f], 777);
    uint32_t noise = 7;
    size_t whole;
    CHECK(file.count == other.count && memcmp(file.start, other.start, file.count) == 0);
    free(other.start);
    CHECK(decode(file.start, file.count, file.count, 1, &whole, NULL) == AACORN_OK);
    if (formats[f] == AACORN_FORMAT_M4A) CHECK(whole == FRAMES);
    CHECK(whole >= FRAMES);
    CHECK(decode(file.start, file.count, 1, 0, &frames, NULL) == AACORN_OK && frames == whole);
    CHECK(decode(file.start, file.count, 1000, 0, &frames, NULL) == AACORN_OK && frames == whole);
    for (n = 1; n < file.count; n += 1 + file.count / 40) {
      /* An allocation of the exact size, for memory checkers. */
      uint8_t *part = malloc(n);
      memcpy(part, file.start, n);
      CHECK(decode(part, n, 4096, n % 2 == 0, &frames, NULL) <= AACORN_OK && frames <= whole + 1024);
      free(part);
    }
    for (n = 0; n < 10; n++) {
      size_t place;
      for (place = 0; place < 20; place++) {
        noise = noise * 1664525u + 1013904223u;
        file.start[noise % file.count] = (uint8_t)(noise >> 24);
      }
      CHECK(decode(file.start, file.count, 5000, n % 2 == 0, &frames, NULL) <= AACORN_OK);
    }
    free(file.start);
  }
  CHECK(decode((const uint8_t *)text, sizeof text, 1, 0, &frames, NULL) == AACORN_ERROR_NOT_AAC);
  CHECK(decode((const uint8_t *)text, sizeof text, 100, 1, &frames, NULL) == AACORN_ERROR_NOT_AAC);
  CHECK(decode((const uint8_t *)samples, sizeof samples, 4096, 0, &frames, NULL) <= AACORN_OK);
}

enum { THREADS = 3, PROFILES = 3 };

struct apart {
  struct bytes files[PROFILES], sounds[PROFILES];
};

static void *work_apart(void *result) {
  static const int profiles[PROFILES] = {
      AACORN_PROFILE_LC, AACORN_PROFILE_HE, AACORN_PROFILE_HE_V2};
  struct apart *apart = result;
  size_t frames;
  int n;
  memset(apart, 0, sizeof *apart);
  for (n = 0; n < PROFILES; n++) {
    struct bytes file = apart->files[n] = make_file(profiles[n], AACORN_FORMAT_M4A, 500);
    CHECK(decode(file.start, file.count, 700, 0, &frames, &apart->sounds[n]) == AACORN_OK);
  }
  return NULL;
}

static int are_same(struct bytes one, struct bytes other) {
  return one.count == other.count && memcmp(one.start, other.start, one.count) == 0;
}

/* Objects share no state: simultaneous encoders and decoders return the same output as single ones. */
static void check_threads(void) {
  pthread_t threads[THREADS];
  struct apart alone, apart[THREADS];
  int t, n;
  work_apart(&alone);
  for (t = 0; t < THREADS; t++) {
    CHECK(pthread_create(&threads[t], NULL, work_apart, &apart[t]) == 0);
  }
  for (t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  for (n = 0; n < PROFILES; n++) {
    CHECK(alone.sounds[n].count == FRAMES * CHANNELS * sizeof(float));
    for (t = 0; t < THREADS; t++) {
      CHECK(are_same(apart[t].files[n], alone.files[n]));
      CHECK(are_same(apart[t].sounds[n], alone.sounds[n]));
      free(apart[t].files[n].start);
      free(apart[t].sounds[n].start);
    }
    free(alone.files[n].start);
    free(alone.sounds[n].start);
  }
}

int main(void) {
  int code;
  make_sound();
  CHECK(aacorn_api_version() == AACORN_API_VERSION);
  CHECK(strlen(aacorn_version()) >= 5);
  for (code = AACORN_ERROR_UNFINISHED - 1; code <= AACORN_SOME + 1; code++) {
    CHECK(strlen(aacorn_strerror(code)) > 5);
  }
  check_null();
  check_settings();
  check_moments();
  check_within();
  check_bitrate();
  check_messages();
  check_shared_bytes();
  check_inputs();
  check_threads();
  if (failures > 0) fprintf(stderr, "%d checks failed.\n", failures);
  return failures > 0;
}
