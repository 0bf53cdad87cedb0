// Encodes three seconds of a tone in C++ to units and to an M4A file in memory, and decodes both.
//
//     c++ encode.cpp $(pkg-config --cflags --libs aacorn) -o encode-cpp
//     ./encode-cpp tone.m4a

#include <aacorn.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct Destroy {
  void operator()(aacorn_encoder *encoder) const { aacorn_encoder_destroy(encoder); }
  void operator()(aacorn_writer *writer) const { aacorn_writer_destroy(writer); }
  void operator()(aacorn_decoder *decoder) const { aacorn_decoder_destroy(decoder); }
};
using Encoder = std::unique_ptr<aacorn_encoder, Destroy>;
using Writer = std::unique_ptr<aacorn_writer, Destroy>;
using Decoder = std::unique_ptr<aacorn_decoder, Destroy>;

Encoder make_encoder() {
  aacorn_encoder_settings settings{};
  settings.size = sizeof settings;
  settings.sample_rate = 44100;
  settings.channels = 2;
  settings.rate_mode = AACORN_RATE_VARIABLE;
  settings.rate_value = 3;
  aacorn_error error;
  Encoder encoder(aacorn_encoder_create(&settings, &error));
  if (!encoder) throw std::runtime_error(error.sentence);
  return encoder;
}

std::vector<float> make_tone() {
  std::vector<float> samples;
  for (int n = 0; n < 3 * 44100; n++) {
    samples.push_back(0.5F * std::sin(0.0627F * static_cast<float>(n)));
    samples.push_back(0.25F * std::sin(0.0940F * static_cast<float>(n)));
  }
  return samples;
}

void push(aacorn_encoder *encoder, const std::vector<float> &samples) {
  if (aacorn_encoder_push_float(encoder, samples.data(), samples.size() / 2) < 0) {
    throw std::runtime_error(aacorn_encoder_error(encoder));
  }
  aacorn_encoder_finish(encoder);
}

// Encodes to bare units and decodes each, as in a phone call. Returns the number of decoded frames.
std::size_t count_of_units(const std::vector<float> &samples) {
  const Encoder encoder = make_encoder();
  push(encoder.get(), samples);
  std::vector<std::uint8_t> config(aacorn_encoder_config(encoder.get(), nullptr, 0));
  aacorn_encoder_config(encoder.get(), config.data(), config.size());
  aacorn_error error;
  const Decoder decoder(
      aacorn_decoder_create_raw(nullptr, config.data(), config.size(), &error));
  if (!decoder) throw std::runtime_error(error.sentence);
  std::size_t count = 0;
  aacorn_unit unit;
  while (aacorn_encoder_pull(encoder.get(), &unit) == AACORN_SOME) {
    aacorn_sound sound;
    if (aacorn_decoder_push(decoder.get(), unit.bytes, unit.byte_count) < 0 ||
        aacorn_decoder_pull(decoder.get(), &sound) != AACORN_SOME) {
      throw std::runtime_error(aacorn_decoder_error(decoder.get()));
    }
    count += sound.frame_count;
  }
  // The frames that the delay and the padding add.
  aacorn_encoder_facts facts;
  aacorn_encoder_describe(encoder.get(), &facts);
  return count - static_cast<std::size_t>(facts.priming + facts.remainder);
}

// Encodes to an M4A file, which states its delay and its padding.
std::vector<std::uint8_t> make_file(const std::vector<float> &samples) {
  const Encoder encoder = make_encoder();
  aacorn_writer_settings settings{};
  settings.size = sizeof settings;
  settings.format = AACORN_FORMAT_M4A;
  settings.title = "A tone";
  aacorn_error error;
  const Writer writer(aacorn_writer_create(encoder.get(), &settings, &error));
  if (!writer) throw std::runtime_error(error.sentence);
  push(encoder.get(), samples);
  const std::uint8_t *bytes = nullptr;
  std::size_t count = 0;
  if (aacorn_writer_write(writer.get()) < 0 ||
      aacorn_writer_bytes(writer.get(), &bytes, &count) < 0) {
    throw std::runtime_error(aacorn_writer_error(writer.get()));
  }
  return std::vector<std::uint8_t>(bytes, bytes + count);
}

std::size_t count_of_file(const std::vector<std::uint8_t> &file) {
  const Decoder decoder(aacorn_decoder_create(nullptr, nullptr));
  aacorn_decoder_push(decoder.get(), file.data(), file.size());
  aacorn_decoder_finish(decoder.get());
  std::size_t count = 0;
  aacorn_sound sound;
  int result = AACORN_OK;
  while ((result = aacorn_decoder_pull(decoder.get(), &sound)) == AACORN_SOME) {
    count += sound.frame_count;
  }
  if (result < 0) throw std::runtime_error(aacorn_decoder_error(decoder.get()));
  return count;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    const std::vector<float> samples = make_tone();
    const std::vector<std::uint8_t> file = make_file(samples);
    if (argc == 2) {
      std::ofstream output(argv[1], std::ios::binary);
      output.write(
          reinterpret_cast<const char *>(file.data()), static_cast<std::streamsize>(file.size()));
    }
    std::printf(
        "Aacorn %s: %zu frames, %zu in units, %zu in a file of %zu bytes\n", aacorn_version(),
        samples.size() / 2, count_of_units(samples), count_of_file(file), file.size());
    return 0;
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
