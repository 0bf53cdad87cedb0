/*
 * Encodes a 16-bit WAV file to M4A, ADTS or LATM. The suffix of the output selects the format.
 *
 *     cc encode.c $(pkg-config --cflags --libs aacorn) -o encode
 *     ./encode song.wav song.m4a [lc|he|he2 BITS-PER-SECOND]
 */
#include <aacorn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sound.h"

/* Writes the writer's bytes at their offset of the file. */
static int write_bytes(void *context, uint64_t offset, const uint8_t *bytes, size_t byte_count) {
  FILE *file = context;
  if (fseek(file, (long)offset, SEEK_SET) != 0) return 1;
  return fwrite(bytes, 1, byte_count, file) == byte_count ? 0 : 1;
}

static int format_of(const char *name) {
  const char *suffix = strrchr(name, '.');
  if (suffix != NULL && strcmp(suffix, ".aac") == 0) return AACORN_FORMAT_ADTS;
  if (suffix != NULL && strcmp(suffix, ".latm") == 0) return AACORN_FORMAT_LATM;
  return AACORN_FORMAT_M4A;
}

static int profile_of(const char *name) {
  if (strcmp(name, "he") == 0) return AACORN_PROFILE_HE;
  if (strcmp(name, "he2") == 0) return AACORN_PROFILE_HE_V2;
  return AACORN_PROFILE_LC;
}

int main(int argc, char **argv) {
  struct sound sound;
  aacorn_encoder_settings settings;
  aacorn_writer_settings form;
  aacorn_error error;
  aacorn_encoder *encoder = NULL;
  aacorn_writer *writer = NULL;
  FILE *input = NULL, *output = NULL;
  int16_t samples[8 * 1000];
  size_t count;
  int status = 1;

  if (argc != 3 && argc != 5) {
    fprintf(stderr, "usage: encode IN.wav OUT.m4a [lc|he|he2 BITS-PER-SECOND]\n");
    return 64;
  }
  input = fopen(argv[1], "rb");
  if (input == NULL || sound_open(input, &sound) != 0 || sound.channels > 8) {
    fprintf(stderr, "“%s” is no WAV file of 16 bits that can be read.\n", argv[1]);
    goto end;
  }
  output = fopen(argv[2], "wb");
  if (output == NULL) {
    fprintf(stderr, "“%s” cannot be written.\n", argv[2]);
    goto end;
  }

  memset(&settings, 0, sizeof settings);
  settings.size = sizeof settings;
  settings.sample_rate = sound.sample_rate;
  settings.channels = sound.channels;
  settings.profile = argc == 5 ? profile_of(argv[3]) : AACORN_PROFILE_LC;
  if (argc == 5) {
    settings.rate_mode = AACORN_RATE_CONSTANT;
    settings.rate_value = atoi(argv[4]);
  }
  encoder = aacorn_encoder_create(&settings, &error);
  if (encoder == NULL) {
    fprintf(stderr, "%s\n", error.sentence);
    goto end;
  }

  memset(&form, 0, sizeof form);
  form.size = sizeof form;
  form.format = format_of(argv[2]);
  form.expected_frames = sound.frame_count;
  form.write = write_bytes;
  form.context = output;
  writer = aacorn_writer_create(encoder, &form, &error);
  if (writer == NULL) {
    fprintf(stderr, "%s\n", error.sentence);
    goto end;
  }

  while ((count = fread(samples, 2 * (size_t)sound.channels, 1000, input)) > 0) {
    if (aacorn_encoder_push_int16(encoder, samples, count) < 0) {
      fprintf(stderr, "%s\n", aacorn_encoder_error(encoder));
      goto end;
    }
    if (aacorn_writer_write(writer) < 0) {
      fprintf(stderr, "%s\n", aacorn_writer_error(writer));
      goto end;
    }
  }
  aacorn_encoder_finish(encoder);
  if (aacorn_writer_write(writer) < 0) {
    fprintf(stderr, "%s\n", aacorn_writer_error(writer));
    goto end;
  }
  /* A full disk may be reported only here. */
  status = fclose(output) != 0;
  output = NULL;
  if (status != 0) {
    fprintf(stderr, "“%s” cannot be written: check whether there is room for it.\n", argv[2]);
  }

end:
  aacorn_writer_destroy(writer);
  aacorn_encoder_destroy(encoder);
  if (input != NULL) fclose(input);
  if (output != NULL) fclose(output);
  return status;
}
