/*
 * The parts of the command aacorn that comparisons need, built on libaacorn. It encodes raw samples to ADTS and
 * decodes to raw samples, from the standard input to the standard output. It is for machines on which the
 * library can be compiled, but the command cannot.
 *
 *     command encode --raw-format s16le|f32le --raw-rate R --raw-channels N [--profile lc|he|he2]
 *         [--effort fast|balanced|best] [--bitrate|--abr|--vbr N] [--quiet] [--format aac] [-o -] -
 *     command decode [--quiet] [--format raw] [--sample-format f32] [-o -] -
 */
#include <aacorn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The constants equal the command's. */
enum { SUCCESS = 0, DAMAGED = 1, USAGE = 64 };

static int fail(const char *message) {
  fprintf(stderr, "%s\n", message);
  return USAGE;
}

/* The parsed options. */
struct request {
  aacorn_encoder_settings settings;
  size_t sample_size;
};

/* Returns the index of a word in a list, from 1 on as in the library's constants; 0 if it is not in the list. */
static int32_t place(const char *word, const char *const *words) {
  int32_t index;
  for (index = 0; words[index] != NULL; index++) {
    if (strcmp(word, words[index]) == 0) return index + 1;
  }
  return 0;
}

/* Returns whether an option of the command requests the only supported behavior. */
static int is_as_always(const char *option, const char *value) {
  static const char *const options[] = {
      "--format aac", "--format raw", "--sample-format f32", "-o -"};
  char both[64];
  size_t index;
  snprintf(both, sizeof both, "%s %s", option, value);
  for (index = 0; index < sizeof options / sizeof options[0]; index++) {
    if (strcmp(both, options[index]) == 0) return 1;
  }
  return 0;
}

/* Parses an option with its value; returns 0 for an unknown option. */
static int understand(const char *option, const char *value, struct request *request) {
  static const char *const profiles[] = {"lc", "he", "he2", NULL};
  static const char *const efforts[] = {"fast", "balanced", "best", NULL};
  static const char *const modes[] = {"--bitrate", "--abr", "--vbr", NULL};
  aacorn_encoder_settings *settings = &request->settings;
  int32_t mode = place(option, modes);
  if (mode != 0) {
    settings->rate_mode = mode;
    settings->rate_value = atoi(value);
    return settings->rate_value > 0;
  }
  if (strcmp(option, "--raw-rate") == 0) return (settings->sample_rate = atoi(value)) > 0;
  if (strcmp(option, "--raw-channels") == 0) return (settings->channels = atoi(value)) > 0;
  if (strcmp(option, "--profile") == 0) return (settings->profile = place(value, profiles)) > 0;
  if (strcmp(option, "--effort") == 0) return (settings->effort = place(value, efforts)) > 0;
  if (strcmp(option, "--raw-format") == 0) {
    if (strcmp(value, "s16le") == 0) request->sample_size = sizeof(int16_t);
    if (strcmp(value, "f32le") == 0) request->sample_size = sizeof(float);
    return request->sample_size != 0;
  }
  return is_as_always(option, value);
}

/* ADTS output is never rewritten. */
static int write_bytes(void *context, uint64_t offset, const uint8_t *bytes, size_t byte_count) {
  (void)offset;
  return fwrite(bytes, 1, byte_count, context) == byte_count ? 0 : 1;
}

/* Samples are read in the byte order of this machine: all supported machines are little-endian. */
static int encode(const struct request *request) {
  static union {
    float floats[1000 * 8];
    int16_t integers[1000 * 8];
  } samples;
  aacorn_writer_settings form;
  aacorn_error error;
  aacorn_encoder *encoder = aacorn_encoder_create(&request->settings, &error);
  aacorn_writer *writer;
  size_t count, frame_size = request->sample_size * (size_t)request->settings.channels;
  int result = AACORN_OK;
  if (encoder == NULL) return fail(error.sentence);

  memset(&form, 0, sizeof form);
  form.size = sizeof form;
  form.format = AACORN_FORMAT_ADTS;
  form.write = write_bytes;
  form.context = stdout;
  writer = aacorn_writer_create(encoder, &form, &error);
  if (writer == NULL) {
    aacorn_encoder_destroy(encoder);
    return fail(error.sentence);
  }
  while (result == AACORN_OK && (count = fread(&samples, frame_size, 1000, stdin)) > 0) {
    result = request->sample_size == sizeof(float)
                 ? aacorn_encoder_push_float(encoder, samples.floats, count)
                 : aacorn_encoder_push_int16(encoder, samples.integers, count);
    if (result == AACORN_OK) result = aacorn_writer_write(writer);
  }
  if (result == AACORN_OK) result = aacorn_encoder_finish(encoder);
  if (result == AACORN_OK) result = aacorn_writer_write(writer);
  aacorn_writer_destroy(writer);
  aacorn_encoder_destroy(encoder);
  return result == AACORN_OK ? SUCCESS : fail(aacorn_strerror(result));
}

static int decode(void) {
  static uint8_t bytes[16384];
  aacorn_sound sound;
  aacorn_error error;
  aacorn_decoder *decoder = aacorn_decoder_create(NULL, &error);
  size_t count;
  int result = AACORN_OK, status = SUCCESS;
  if (decoder == NULL) return fail(error.sentence);
  while (result == AACORN_OK && (count = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
    result = aacorn_decoder_push(decoder, bytes, count);
  }
  if (result == AACORN_OK) result = aacorn_decoder_finish(decoder);
  while (result >= 0 && (result = aacorn_decoder_pull(decoder, &sound)) == AACORN_SOME) {
    count = sound.frame_count * (size_t)sound.channels;
    if (fwrite(sound.samples, sizeof(float), count, stdout) != count) result = AACORN_ERROR_WRITE;
    if (sound.is_concealed) status = DAMAGED;
  }
  aacorn_decoder_destroy(decoder);
  return result == AACORN_OK ? status : fail(aacorn_strerror(result));
}

int main(int argc, char **argv) {
  struct request request;
  int index, is_encoding = argc > 1 && strcmp(argv[1], "encode") == 0;
  if (!is_encoding && (argc < 2 || strcmp(argv[1], "decode") != 0)) {
    return fail("Only encode and decode are supported.");
  }
  memset(&request, 0, sizeof request);
  request.settings.size = sizeof request.settings;
  request.settings.profile = AACORN_PROFILE_LC;
  for (index = 2; index < argc; index++) {
    if (strcmp(argv[index], "--quiet") == 0 || strcmp(argv[index], "-") == 0) continue;
    if (index + 1 == argc || !understand(argv[index], argv[index + 1], &request)) {
      fprintf(stderr, "“%s” is not supported, or not with this value.\n", argv[index]);
      return USAGE;
    }
    index++;
  }
  if (!is_encoding) return decode();
  if (request.sample_size == 0 || request.settings.channels < 1 || request.settings.channels > 8) {
    return fail("The samples need --raw-format, and --raw-channels from 1 to 8.");
  }
  return encode(&request);
}
