/*
 * Decodes AAC of any kind to a WAV file in floating point.
 *
 *     cc decode.c $(pkg-config --cflags --libs aacorn) -o decode
 *     ./decode song.m4a song.wav
 *
 * Reads all of the file before the first pull, so that an M4A file may have its tables at the end.
 * For a live stream, pull after each push instead.
 */
#include <aacorn.h>
#include <stdio.h>
#include <string.h>

#include "sound.h"

int main(int argc, char **argv) {
  struct sound sound;
  aacorn_sound part;
  aacorn_error error;
  aacorn_decoder *decoder = NULL;
  FILE *input = NULL, *output = NULL;
  uint8_t bytes[16384];
  size_t count;
  long replaced = 0;
  int result, failed = 0, status = 1;

  if (argc != 3) {
    fprintf(stderr, "usage: decode IN.m4a OUT.wav\n");
    return 64;
  }
  input = fopen(argv[1], "rb");
  output = fopen(argv[2], "wb");
  if (input == NULL || output == NULL) {
    fprintf(stderr, "“%s” cannot be %s.\n", argv[input == NULL ? 1 : 2],
            input == NULL ? "read" : "written");
    goto end;
  }
  decoder = aacorn_decoder_create(NULL, &error);
  if (decoder == NULL) {
    fprintf(stderr, "%s\n", error.sentence);
    goto end;
  }
  while ((count = fread(bytes, 1, sizeof bytes, input)) > 0) {
    if (aacorn_decoder_push(decoder, bytes, count) < 0) {
      fprintf(stderr, "%s\n", aacorn_decoder_error(decoder));
      goto end;
    }
  }
  aacorn_decoder_finish(decoder);

  memset(&sound, 0, sizeof sound);
  while ((result = aacorn_decoder_pull(decoder, &part)) == AACORN_SOME) {
    if (sound.channels == 0) {
      sound.sample_rate = part.sample_rate;
      sound.channels = part.channels;
      failed |= sound_begin(output, &sound) != 0;
    }
    if (part.sample_rate != sound.sample_rate || part.channels != sound.channels) {
      fprintf(stderr, "“%s” changes its rate or its channels; the rest is left out.\n", argv[1]);
      break;
    }
    count = part.frame_count * (size_t)part.channels;
    /*
     * Written in the byte order of this machine: little-endian, as in WAV, on nearly all machines.
     */
    failed |= fwrite(part.samples, sizeof(float), count, output) != count;
    if (failed) break;
    sound.frame_count += (int64_t)part.frame_count;
    if (part.is_concealed) replaced++;
  }
  if (result < 0) {
    fprintf(stderr, "%s\n", aacorn_decoder_error(decoder));
    goto end;
  }
  failed |= fseek(output, 0, SEEK_SET) != 0 || sound_begin(output, &sound) != 0;
  failed |= fclose(output) != 0;
  output = NULL;
  if (failed) {
    fprintf(stderr, "“%s” cannot be written: check whether there is room for it.\n", argv[2]);
    goto end;
  }
  if (replaced > 0) fprintf(stderr, "%ld damaged places were replaced.\n", replaced);
  status = 0;

end:
  aacorn_decoder_destroy(decoder);
  if (input != NULL) fclose(input);
  if (output != NULL) fclose(output);
  return status;
}
