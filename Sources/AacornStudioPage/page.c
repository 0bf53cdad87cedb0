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
}, aacorn_inspector[] = {
#embed "Public/aacorn/aacorn-inspector.wasm"
}, aacorn_samples[] = {
#embed "Public/aacorn/aacorn-samples.wasm"
}, aacorn_sound[] = {
#embed "Public/aacorn/aacorn-sound.wasm"
}, aacorn[] = {
#embed "Public/aacorn/aacorn.wasm"
};

// Ends a text, and begins the next one. A text ends with a zero, which is not part of the file, and states no size.
#define NEXT(path, type) , 0}, 0}, {path, type, (const unsigned char[]){

static const aacorn_page_file files[] = {
  {"/aacorn/aacorn-decoder.wasm", WASM, aacorn_decoder, sizeof aacorn_decoder},
  {"/aacorn/aacorn-inspector.wasm", WASM, aacorn_inspector, sizeof aacorn_inspector},
  {"/aacorn/aacorn-samples.wasm", WASM, aacorn_samples, sizeof aacorn_samples},
  {"/aacorn/aacorn-sound.wasm", WASM, aacorn_sound, sizeof aacorn_sound},
  {"/aacorn/aacorn.wasm", WASM, aacorn, sizeof aacorn},
  {"/index.html", HTML, (const unsigned char[]){
#embed "Public/index.html"
  NEXT("/app.js", JAVASCRIPT)
#embed "Public/app.js"
  NEXT("/chosen-theme.js", JAVASCRIPT)
#embed "Public/chosen-theme.js"
  NEXT("/dom.js", JAVASCRIPT)
#embed "Public/dom.js"
  NEXT("/format.js", JAVASCRIPT)
#embed "Public/format.js"
  NEXT("/icon.svg", SVG)
#embed "Public/icon.svg"
  NEXT("/inspect.css", CSS)
#embed "Public/inspect.css"
  NEXT("/library.css", CSS)
#embed "Public/library.css"
  NEXT("/login.css", CSS)
#embed "Public/login.css"
  NEXT("/login.html", HTML)
#embed "Public/login.html"
  NEXT("/login.js", JAVASCRIPT)
#embed "Public/login.js"
  NEXT("/record.css", CSS)
#embed "Public/record.css"
  NEXT("/request.js", JAVASCRIPT)
#embed "Public/request.js"
  NEXT("/studio.js", JAVASCRIPT)
#embed "Public/studio.js"
  NEXT("/style.css", CSS)
#embed "Public/style.css"
  NEXT("/theme.js", JAVASCRIPT)
#embed "Public/theme.js"
  NEXT("/workers.js", JAVASCRIPT)
#embed "Public/workers.js"
  NEXT("/aacorn/aacorn.js", JAVASCRIPT)
#embed "Public/aacorn/aacorn.js"
  NEXT("/aacorn/addresses.js", JAVASCRIPT)
#embed "Public/aacorn/addresses.js"
  NEXT("/aacorn/columns.js", JAVASCRIPT)
#embed "Public/aacorn/columns.js"
  NEXT("/aacorn/decoder.js", JAVASCRIPT)
#embed "Public/aacorn/decoder.js"
  NEXT("/aacorn/encoder.js", JAVASCRIPT)
#embed "Public/aacorn/encoder.js"
  NEXT("/aacorn/engine.js", JAVASCRIPT)
#embed "Public/aacorn/engine.js"
  NEXT("/aacorn/errors.js", JAVASCRIPT)
#embed "Public/aacorn/errors.js"
  NEXT("/aacorn/file-bytes.js", JAVASCRIPT)
#embed "Public/aacorn/file-bytes.js"
  NEXT("/aacorn/inspector.js", JAVASCRIPT)
#embed "Public/aacorn/inspector.js"
  NEXT("/aacorn/module.js", JAVASCRIPT)
#embed "Public/aacorn/module.js"
  NEXT("/aacorn/options.js", JAVASCRIPT)
#embed "Public/aacorn/options.js"
  NEXT("/aacorn/sound-file.js", JAVASCRIPT)
#embed "Public/aacorn/sound-file.js"
  NEXT("/aacorn/sound-reader.js", JAVASCRIPT)
#embed "Public/aacorn/sound-reader.js"
  NEXT("/aacorn/sound-source.js", JAVASCRIPT)
#embed "Public/aacorn/sound-source.js"
  NEXT("/aacorn/speakers.js", JAVASCRIPT)
#embed "Public/aacorn/speakers.js"
  NEXT("/drawing/colormap.js", JAVASCRIPT)
#embed "Public/drawing/colormap.js"
  NEXT("/drawing/framestrip.js", JAVASCRIPT)
#embed "Public/drawing/framestrip.js"
  NEXT("/drawing/levelview.js", JAVASCRIPT)
#embed "Public/drawing/levelview.js"
  NEXT("/drawing/scroller.js", JAVASCRIPT)
#embed "Public/drawing/scroller.js"
  NEXT("/drawing/soundview.js", JAVASCRIPT)
#embed "Public/drawing/soundview.js"
  NEXT("/drawing/surface.js", JAVASCRIPT)
#embed "Public/drawing/surface.js"
  NEXT("/views/browser.js", JAVASCRIPT)
#embed "Public/views/browser.js"
  NEXT("/views/coding.js", JAVASCRIPT)
#embed "Public/views/coding.js"
  NEXT("/views/files.js", JAVASCRIPT)
#embed "Public/views/files.js"
  NEXT("/views/inspect.js", JAVASCRIPT)
#embed "Public/views/inspect.js"
  NEXT("/views/library.js", JAVASCRIPT)
#embed "Public/views/library.js"
  NEXT("/views/playback.js", JAVASCRIPT)
#embed "Public/views/playback.js"
  NEXT("/views/record.js", JAVASCRIPT)
#embed "Public/views/record.js"
  NEXT("/views/recordings.js", JAVASCRIPT)
#embed "Public/views/recordings.js"
  NEXT("/views/transport.js", JAVASCRIPT)
#embed "Public/views/transport.js"
  NEXT("/views/browser/capture.js", JAVASCRIPT)
#embed "Public/views/browser/capture.js"
  NEXT("/views/browser/conversion.js", JAVASCRIPT)
#embed "Public/views/browser/conversion.js"
  NEXT("/views/browser/convert-worker.js", JAVASCRIPT)
#embed "Public/views/browser/convert-worker.js"
  NEXT("/views/browser/converter.js", JAVASCRIPT)
#embed "Public/views/browser/converter.js"
  NEXT("/views/browser/encode-worker.js", JAVASCRIPT)
#embed "Public/views/browser/encode-worker.js"
  NEXT("/views/browser/entries.js", JAVASCRIPT)
#embed "Public/views/browser/entries.js"
  NEXT("/views/browser/input.js", JAVASCRIPT)
#embed "Public/views/browser/input.js"
  NEXT("/views/browser/microphone-worklet.js", JAVASCRIPT)
#embed "Public/views/browser/microphone-worklet.js"
  NEXT("/views/browser/microphone.js", JAVASCRIPT)
#embed "Public/views/browser/microphone.js"
  NEXT("/views/browser/modules.js", JAVASCRIPT)
#embed "Public/views/browser/modules.js"
  NEXT("/views/browser/notes.js", JAVASCRIPT)
#embed "Public/views/browser/notes.js"
  NEXT("/views/browser/rate.js", JAVASCRIPT)
#embed "Public/views/browser/rate.js"
  NEXT("/views/browser/recorder.js", JAVASCRIPT)
#embed "Public/views/browser/recorder.js"
  NEXT("/views/browser/recording.js", JAVASCRIPT)
#embed "Public/views/browser/recording.js"
  NEXT("/views/browser/result.js", JAVASCRIPT)
#embed "Public/views/browser/result.js"
  NEXT("/views/browser/sniff.js", JAVASCRIPT)
#embed "Public/views/browser/sniff.js"
  NEXT("/views/browser/store.js", JAVASCRIPT)
#embed "Public/views/browser/store.js"
  NEXT("/views/browser/transport.js", JAVASCRIPT)
#embed "Public/views/browser/transport.js"
  NEXT("/views/browser/units.js", JAVASCRIPT)
#embed "Public/views/browser/units.js"
  NEXT("/views/browser/upload.js", JAVASCRIPT)
#embed "Public/views/browser/upload.js"
  NEXT("/views/inspect/facts.js", JAVASCRIPT)
#embed "Public/views/inspect/facts.js"
  NEXT("/views/inspect/inspection.js", JAVASCRIPT)
#embed "Public/views/inspect/inspection.js"
  NEXT("/views/inspect/placelist.js", JAVASCRIPT)
#embed "Public/views/inspect/placelist.js"
  NEXT("/views/inspect/plot.js", JAVASCRIPT)
#embed "Public/views/inspect/plot.js"
  NEXT("/views/inspect/rows.js", JAVASCRIPT)
#embed "Public/views/inspect/rows.js"
  NEXT("/views/inspect/side.js", JAVASCRIPT)
#embed "Public/views/inspect/side.js"
  NEXT("/views/inspect/table.js", JAVASCRIPT)
#embed "Public/views/inspect/table.js"
  NEXT("/views/inspect/timeplot.js", JAVASCRIPT)
#embed "Public/views/inspect/timeplot.js"
  NEXT("/views/inspect/worker.js", JAVASCRIPT)
#embed "Public/views/inspect/worker.js"
  NEXT("/views/inspect/sound/box.js", JAVASCRIPT)
#embed "Public/views/inspect/sound/box.js"
  NEXT("/views/inspect/sound/decoding.js", JAVASCRIPT)
#embed "Public/views/inspect/sound/decoding.js"
  NEXT("/views/inspect/sound/picture.js", JAVASCRIPT)
#embed "Public/views/inspect/sound/picture.js"
  NEXT("/views/inspect/sound/sample-seeker.js", JAVASCRIPT)
#embed "Public/views/inspect/sound/sample-seeker.js"
  NEXT("/views/inspect/sound/spectrum.js", JAVASCRIPT)
#embed "Public/views/inspect/sound/spectrum.js"
  NEXT("/views/inspect/sound/surfaces.js", JAVASCRIPT)
#embed "Public/views/inspect/sound/surfaces.js"
  NEXT("/views/inspect/sound/worker.js", JAVASCRIPT)
#embed "Public/views/inspect/sound/worker.js"
  NEXT("/views/library/changes.js", JAVASCRIPT)
#embed "Public/views/library/changes.js"
  NEXT("/views/library/list.js", JAVASCRIPT)
#embed "Public/views/library/list.js"
  NEXT("/views/library/player.js", JAVASCRIPT)
#embed "Public/views/library/player.js"
  NEXT("/views/library/row.js", JAVASCRIPT)
#embed "Public/views/library/row.js"
  NEXT("/views/library/wave.js", JAVASCRIPT)
#embed "Public/views/library/wave.js"
  NEXT("/views/record/coding.js", JAVASCRIPT)
#embed "Public/views/record/coding.js"
  NEXT("/views/record/controls.js", JAVASCRIPT)
#embed "Public/views/record/controls.js"
  NEXT("/views/record/eventlist.js", JAVASCRIPT)
#embed "Public/views/record/eventlist.js"
  NEXT("/views/record/outputs.js", JAVASCRIPT)
#embed "Public/views/record/outputs.js"
  NEXT("/views/record/source.js", JAVASCRIPT)
#embed "Public/views/record/source.js"
  NEXT("/views/record/transport.js", JAVASCRIPT)
#embed "Public/views/record/transport.js"
  , 0}, 0}
};

size_t aacorn_page_file_count(void) { return sizeof files / sizeof files[0]; }

aacorn_page_file aacorn_page_file_at(size_t index) {
  aacorn_page_file file = files[index];
  if (file.size == 0) file.size = strlen((const char *)file.bytes);
  return file;
}
