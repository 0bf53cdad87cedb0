// The files of the page. The compiler embeds them in the program, so that it reads no files at run time and needs
// no earlier build step.

#include "studio_page.h"

#include <string.h>

// `#embed` is an extension before C23; all compilers of this project support it.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define JAVASCRIPT "text/javascript; charset=utf-8"
#define SVG "image/svg+xml"
#define WASM "application/wasm"

static const unsigned char aacorn_decoder[] = {
#embed "Public/aacorn/aacorn-decoder.wasm"
};
static const unsigned char aacorn_inspector[] = {
#embed "Public/aacorn/aacorn-inspector.wasm"
};
static const unsigned char aacorn_samples[] = {
#embed "Public/aacorn/aacorn-samples.wasm"
};
static const unsigned char aacorn_sound[] = {
#embed "Public/aacorn/aacorn-sound.wasm"
};
static const unsigned char aacorn[] = {
#embed "Public/aacorn/aacorn.wasm"
};

// A text ends with a zero, which is not part of the file, and states no size.
static const aacorn_page_file files[] = {
  {"/aacorn/aacorn-decoder.wasm", WASM, aacorn_decoder, sizeof aacorn_decoder},
  {"/aacorn/aacorn-inspector.wasm", WASM, aacorn_inspector, sizeof aacorn_inspector},
  {"/aacorn/aacorn-samples.wasm", WASM, aacorn_samples, sizeof aacorn_samples},
  {"/aacorn/aacorn-sound.wasm", WASM, aacorn_sound, sizeof aacorn_sound},
  {"/aacorn/aacorn.wasm", WASM, aacorn, sizeof aacorn},
  {"/index.html", HTML, (const unsigned char[]){
#embed "Public/index.html" suffix(, 0)
  }, 0},
  {"/app.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/app.js" suffix(, 0)
  }, 0},
  {"/browser.css", CSS, (const unsigned char[]){
#embed "Public/browser.css" suffix(, 0)
  }, 0},
  {"/chosen-theme.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/chosen-theme.js" suffix(, 0)
  }, 0},
  {"/dom.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/dom.js" suffix(, 0)
  }, 0},
  {"/format.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/format.js" suffix(, 0)
  }, 0},
  {"/icon.svg", SVG, (const unsigned char[]){
#embed "Public/icon.svg" suffix(, 0)
  }, 0},
  {"/inspect.css", CSS, (const unsigned char[]){
#embed "Public/inspect.css" suffix(, 0)
  }, 0},
  {"/library.css", CSS, (const unsigned char[]){
#embed "Public/library.css" suffix(, 0)
  }, 0},
  {"/login.css", CSS, (const unsigned char[]){
#embed "Public/login.css" suffix(, 0)
  }, 0},
  {"/login.html", HTML, (const unsigned char[]){
#embed "Public/login.html" suffix(, 0)
  }, 0},
  {"/login.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/login.js" suffix(, 0)
  }, 0},
  {"/record.css", CSS, (const unsigned char[]){
#embed "Public/record.css" suffix(, 0)
  }, 0},
  {"/request.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/request.js" suffix(, 0)
  }, 0},
  {"/studio.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/studio.js" suffix(, 0)
  }, 0},
  {"/style.css", CSS, (const unsigned char[]){
#embed "Public/style.css" suffix(, 0)
  }, 0},
  {"/theme.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/theme.js" suffix(, 0)
  }, 0},
  {"/workers.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/workers.js" suffix(, 0)
  }, 0},
  {"/aacorn/aacorn.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/aacorn.js" suffix(, 0)
  }, 0},
  {"/aacorn/addresses.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/addresses.js" suffix(, 0)
  }, 0},
  {"/aacorn/columns.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/columns.js" suffix(, 0)
  }, 0},
  {"/aacorn/conversion.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/conversion.js" suffix(, 0)
  }, 0},
  {"/aacorn/decoder.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/decoder.js" suffix(, 0)
  }, 0},
  {"/aacorn/encoder.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/encoder.js" suffix(, 0)
  }, 0},
  {"/aacorn/engine.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/engine.js" suffix(, 0)
  }, 0},
  {"/aacorn/errors.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/errors.js" suffix(, 0)
  }, 0},
  {"/aacorn/file-assembler.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/file-assembler.js" suffix(, 0)
  }, 0},
  {"/aacorn/file-bytes.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/file-bytes.js" suffix(, 0)
  }, 0},
  {"/aacorn/file-tags.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/file-tags.js" suffix(, 0)
  }, 0},
  {"/aacorn/inspector.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/inspector.js" suffix(, 0)
  }, 0},
  {"/aacorn/module.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/module.js" suffix(, 0)
  }, 0},
  {"/aacorn/options.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/options.js" suffix(, 0)
  }, 0},
  {"/aacorn/sound-file.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/sound-file.js" suffix(, 0)
  }, 0},
  {"/aacorn/sound-reader.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/sound-reader.js" suffix(, 0)
  }, 0},
  {"/aacorn/sound-source.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/sound-source.js" suffix(, 0)
  }, 0},
  {"/aacorn/speakers.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/aacorn/speakers.js" suffix(, 0)
  }, 0},
  {"/drawing/colormap.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/drawing/colormap.js" suffix(, 0)
  }, 0},
  {"/drawing/framestrip.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/drawing/framestrip.js" suffix(, 0)
  }, 0},
  {"/drawing/levelview.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/drawing/levelview.js" suffix(, 0)
  }, 0},
  {"/drawing/scroller.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/drawing/scroller.js" suffix(, 0)
  }, 0},
  {"/drawing/soundview.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/drawing/soundview.js" suffix(, 0)
  }, 0},
  {"/drawing/surface.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/drawing/surface.js" suffix(, 0)
  }, 0},
  {"/views/browser.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser.js" suffix(, 0)
  }, 0},
  {"/views/coding.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/coding.js" suffix(, 0)
  }, 0},
  {"/views/inspect.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect.js" suffix(, 0)
  }, 0},
  {"/views/library.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/library.js" suffix(, 0)
  }, 0},
  {"/views/playback.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/playback.js" suffix(, 0)
  }, 0},
  {"/views/record.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/record.js" suffix(, 0)
  }, 0},
  {"/views/transport.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/transport.js" suffix(, 0)
  }, 0},
  {"/views/browser/capture.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/capture.js" suffix(, 0)
  }, 0},
  {"/views/browser/conversion.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/conversion.js" suffix(, 0)
  }, 0},
  {"/views/browser/convert-worker.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/convert-worker.js" suffix(, 0)
  }, 0},
  {"/views/browser/converter.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/converter.js" suffix(, 0)
  }, 0},
  {"/views/browser/encode-worker.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/encode-worker.js" suffix(, 0)
  }, 0},
  {"/views/browser/entries.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/entries.js" suffix(, 0)
  }, 0},
  {"/views/browser/input.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/input.js" suffix(, 0)
  }, 0},
  {"/views/browser/microphone-worklet.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/microphone-worklet.js" suffix(, 0)
  }, 0},
  {"/views/browser/microphone.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/microphone.js" suffix(, 0)
  }, 0},
  {"/views/browser/modules.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/modules.js" suffix(, 0)
  }, 0},
  {"/views/browser/names.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/names.js" suffix(, 0)
  }, 0},
  {"/views/browser/notes.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/notes.js" suffix(, 0)
  }, 0},
  {"/views/browser/recorder.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/recorder.js" suffix(, 0)
  }, 0},
  {"/views/browser/recording.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/recording.js" suffix(, 0)
  }, 0},
  {"/views/browser/result.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/result.js" suffix(, 0)
  }, 0},
  {"/views/browser/sniff.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/sniff.js" suffix(, 0)
  }, 0},
  {"/views/browser/store.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/store.js" suffix(, 0)
  }, 0},
  {"/views/browser/stored.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/stored.js" suffix(, 0)
  }, 0},
  {"/views/browser/transport.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/transport.js" suffix(, 0)
  }, 0},
  {"/views/browser/units.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/units.js" suffix(, 0)
  }, 0},
  {"/views/browser/upload.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/browser/upload.js" suffix(, 0)
  }, 0},
  {"/views/files.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/files.js" suffix(, 0)
  }, 0},
  {"/views/inspect/facts.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/facts.js" suffix(, 0)
  }, 0},
  {"/views/inspect/inspection.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/inspection.js" suffix(, 0)
  }, 0},
  {"/views/inspect/placelist.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/placelist.js" suffix(, 0)
  }, 0},
  {"/views/inspect/plot.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/plot.js" suffix(, 0)
  }, 0},
  {"/views/inspect/report.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/report.js" suffix(, 0)
  }, 0},
  {"/views/inspect/rows.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/rows.js" suffix(, 0)
  }, 0},
  {"/views/inspect/side.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/side.js" suffix(, 0)
  }, 0},
  {"/views/inspect/table.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/table.js" suffix(, 0)
  }, 0},
  {"/views/inspect/timeplot.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/timeplot.js" suffix(, 0)
  }, 0},
  {"/views/inspect/words.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/words.js" suffix(, 0)
  }, 0},
  {"/views/inspect/worker.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/worker.js" suffix(, 0)
  }, 0},
  {"/views/inspect/sound/box.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/sound/box.js" suffix(, 0)
  }, 0},
  {"/views/inspect/sound/decoding.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/sound/decoding.js" suffix(, 0)
  }, 0},
  {"/views/inspect/sound/picture.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/sound/picture.js" suffix(, 0)
  }, 0},
  {"/views/inspect/sound/sample-seeker.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/sound/sample-seeker.js" suffix(, 0)
  }, 0},
  {"/views/inspect/sound/spectrum.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/sound/spectrum.js" suffix(, 0)
  }, 0},
  {"/views/inspect/sound/surfaces.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/sound/surfaces.js" suffix(, 0)
  }, 0},
  {"/views/inspect/sound/worker.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/inspect/sound/worker.js" suffix(, 0)
  }, 0},
  {"/views/library/changes.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/library/changes.js" suffix(, 0)
  }, 0},
  {"/views/library/list.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/library/list.js" suffix(, 0)
  }, 0},
  {"/views/recordings.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/recordings.js" suffix(, 0)
  }, 0},
  {"/views/library/player.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/library/player.js" suffix(, 0)
  }, 0},
  {"/views/library/row.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/library/row.js" suffix(, 0)
  }, 0},
  {"/views/library/wave.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/library/wave.js" suffix(, 0)
  }, 0},
  {"/views/record/coding.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/record/coding.js" suffix(, 0)
  }, 0},
  {"/views/record/controls.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/record/controls.js" suffix(, 0)
  }, 0},
  {"/views/record/effects.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/record/effects.js" suffix(, 0)
  }, 0},
  {"/views/record/eventlist.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/record/eventlist.js" suffix(, 0)
  }, 0},
  {"/views/record/outputs.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/record/outputs.js" suffix(, 0)
  }, 0},
  {"/views/record/source.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/record/source.js" suffix(, 0)
  }, 0},
  {"/views/record/transport.js", JAVASCRIPT, (const unsigned char[]){
#embed "Public/views/record/transport.js" suffix(, 0)
  }, 0},
};

size_t aacorn_page_file_count(void) { return sizeof files / sizeof files[0]; }

aacorn_page_file aacorn_page_file_at(size_t index) {
  aacorn_page_file file = files[index];
  if (file.size == 0) file.size = strlen((const char *)file.bytes);
  return file;
}
