// The files of the page. The compiler embeds them in the program, so that it reads no files at run time and needs
// no earlier build step.

#include "studio_page.h"

// `#embed` is an extension before C23; all compilers of this project support it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Public/index.html"
};
static const unsigned char app_js[] = {
#embed "Public/app.js"
};
static const unsigned char browser_css[] = {
#embed "Public/browser.css"
};
static const unsigned char chosen_theme_js[] = {
#embed "Public/chosen-theme.js"
};
static const unsigned char dom_js[] = {
#embed "Public/dom.js"
};
static const unsigned char format_js[] = {
#embed "Public/format.js"
};
static const unsigned char icon_svg[] = {
#embed "Public/icon.svg"
};
static const unsigned char icons_js[] = {
#embed "Public/icons.js"
};
static const unsigned char inspect_css[] = {
#embed "Public/inspect.css"
};
static const unsigned char library_css[] = {
#embed "Public/library.css"
};
static const unsigned char login_css[] = {
#embed "Public/login.css"
};
static const unsigned char login_html[] = {
#embed "Public/login.html"
};
static const unsigned char login_js[] = {
#embed "Public/login.js"
};
static const unsigned char record_css[] = {
#embed "Public/record.css"
};
static const unsigned char request_js[] = {
#embed "Public/request.js"
};
static const unsigned char studio_js[] = {
#embed "Public/studio.js"
};
static const unsigned char style_css[] = {
#embed "Public/style.css"
};
static const unsigned char text_js[] = {
#embed "Public/text.js"
};
static const unsigned char theme_js[] = {
#embed "Public/theme.js"
};
static const unsigned char aacorn_aacorn_decoder_wasm[] = {
#embed "Public/aacorn/aacorn-decoder.wasm"
};
static const unsigned char aacorn_aacorn_inspector_wasm[] = {
#embed "Public/aacorn/aacorn-inspector.wasm"
};
static const unsigned char aacorn_aacorn_samples_wasm[] = {
#embed "Public/aacorn/aacorn-samples.wasm"
};
static const unsigned char aacorn_aacorn_sound_wasm[] = {
#embed "Public/aacorn/aacorn-sound.wasm"
};
static const unsigned char aacorn_aacorn_js[] = {
#embed "Public/aacorn/aacorn.js"
};
static const unsigned char aacorn_aacorn_wasm[] = {
#embed "Public/aacorn/aacorn.wasm"
};
static const unsigned char aacorn_addresses_js[] = {
#embed "Public/aacorn/addresses.js"
};
static const unsigned char aacorn_columns_js[] = {
#embed "Public/aacorn/columns.js"
};
static const unsigned char aacorn_conversion_js[] = {
#embed "Public/aacorn/conversion.js"
};
static const unsigned char aacorn_decoder_js[] = {
#embed "Public/aacorn/decoder.js"
};
static const unsigned char aacorn_encoder_js[] = {
#embed "Public/aacorn/encoder.js"
};
static const unsigned char aacorn_engine_js[] = {
#embed "Public/aacorn/engine.js"
};
static const unsigned char aacorn_errors_js[] = {
#embed "Public/aacorn/errors.js"
};
static const unsigned char aacorn_file_assembler_js[] = {
#embed "Public/aacorn/file-assembler.js"
};
static const unsigned char aacorn_file_bytes_js[] = {
#embed "Public/aacorn/file-bytes.js"
};
static const unsigned char aacorn_file_tags_js[] = {
#embed "Public/aacorn/file-tags.js"
};
static const unsigned char aacorn_inspector_js[] = {
#embed "Public/aacorn/inspector.js"
};
static const unsigned char aacorn_module_js[] = {
#embed "Public/aacorn/module.js"
};
static const unsigned char aacorn_options_js[] = {
#embed "Public/aacorn/options.js"
};
static const unsigned char aacorn_sound_file_js[] = {
#embed "Public/aacorn/sound-file.js"
};
static const unsigned char aacorn_sound_reader_js[] = {
#embed "Public/aacorn/sound-reader.js"
};
static const unsigned char aacorn_sound_source_js[] = {
#embed "Public/aacorn/sound-source.js"
};
static const unsigned char aacorn_speakers_js[] = {
#embed "Public/aacorn/speakers.js"
};
static const unsigned char drawing_colormap_js[] = {
#embed "Public/drawing/colormap.js"
};
static const unsigned char drawing_columns_js[] = {
#embed "Public/drawing/columns.js"
};
static const unsigned char drawing_framestrip_js[] = {
#embed "Public/drawing/framestrip.js"
};
static const unsigned char drawing_levelmeter_js[] = {
#embed "Public/drawing/levelmeter.js"
};
static const unsigned char drawing_levelview_js[] = {
#embed "Public/drawing/levelview.js"
};
static const unsigned char drawing_scroller_js[] = {
#embed "Public/drawing/scroller.js"
};
static const unsigned char drawing_soundview_js[] = {
#embed "Public/drawing/soundview.js"
};
static const unsigned char drawing_spectrogram_js[] = {
#embed "Public/drawing/spectrogram.js"
};
static const unsigned char drawing_surface_js[] = {
#embed "Public/drawing/surface.js"
};
static const unsigned char drawing_thumbnail_js[] = {
#embed "Public/drawing/thumbnail.js"
};
static const unsigned char drawing_waveform_js[] = {
#embed "Public/drawing/waveform.js"
};
static const unsigned char views_browser_js[] = {
#embed "Public/views/browser.js"
};
static const unsigned char views_coding_js[] = {
#embed "Public/views/coding.js"
};
static const unsigned char views_inspect_js[] = {
#embed "Public/views/inspect.js"
};
static const unsigned char views_library_js[] = {
#embed "Public/views/library.js"
};
static const unsigned char views_position_js[] = {
#embed "Public/views/position.js"
};
static const unsigned char views_record_js[] = {
#embed "Public/views/record.js"
};
static const unsigned char views_transport_js[] = {
#embed "Public/views/transport.js"
};
static const unsigned char views_browser_capture_js[] = {
#embed "Public/views/browser/capture.js"
};
static const unsigned char views_browser_coding_js[] = {
#embed "Public/views/browser/coding.js"
};
static const unsigned char views_browser_continuity_js[] = {
#embed "Public/views/browser/continuity.js"
};
static const unsigned char views_browser_conversion_row_js[] = {
#embed "Public/views/browser/conversion-row.js"
};
static const unsigned char views_browser_conversion_js[] = {
#embed "Public/views/browser/conversion.js"
};
static const unsigned char views_browser_convert_worker_js[] = {
#embed "Public/views/browser/convert-worker.js"
};
static const unsigned char views_browser_converter_js[] = {
#embed "Public/views/browser/converter.js"
};
static const unsigned char views_browser_decode_js[] = {
#embed "Public/views/browser/decode.js"
};
static const unsigned char views_browser_devices_js[] = {
#embed "Public/views/browser/devices.js"
};
static const unsigned char views_browser_encode_worker_js[] = {
#embed "Public/views/browser/encode-worker.js"
};
static const unsigned char views_browser_entries_js[] = {
#embed "Public/views/browser/entries.js"
};
static const unsigned char views_browser_follow_js[] = {
#embed "Public/views/browser/follow.js"
};
static const unsigned char views_browser_frames_js[] = {
#embed "Public/views/browser/frames.js"
};
static const unsigned char views_browser_input_js[] = {
#embed "Public/views/browser/input.js"
};
static const unsigned char views_browser_microphone_worklet_js[] = {
#embed "Public/views/browser/microphone-worklet.js"
};
static const unsigned char views_browser_microphone_js[] = {
#embed "Public/views/browser/microphone.js"
};
static const unsigned char views_browser_modules_js[] = {
#embed "Public/views/browser/modules.js"
};
static const unsigned char views_browser_names_js[] = {
#embed "Public/views/browser/names.js"
};
static const unsigned char views_browser_notes_js[] = {
#embed "Public/views/browser/notes.js"
};
static const unsigned char views_browser_problems_js[] = {
#embed "Public/views/browser/problems.js"
};
static const unsigned char views_browser_recorder_js[] = {
#embed "Public/views/browser/recorder.js"
};
static const unsigned char views_browser_recording_js[] = {
#embed "Public/views/browser/recording.js"
};
static const unsigned char views_browser_result_js[] = {
#embed "Public/views/browser/result.js"
};
static const unsigned char views_browser_settingscard_js[] = {
#embed "Public/views/browser/settingscard.js"
};
static const unsigned char views_browser_sniff_js[] = {
#embed "Public/views/browser/sniff.js"
};
static const unsigned char views_browser_store_js[] = {
#embed "Public/views/browser/store.js"
};
static const unsigned char views_browser_stored_js[] = {
#embed "Public/views/browser/stored.js"
};
static const unsigned char views_browser_transport_js[] = {
#embed "Public/views/browser/transport.js"
};
static const unsigned char views_browser_units_js[] = {
#embed "Public/views/browser/units.js"
};
static const unsigned char views_browser_upload_js[] = {
#embed "Public/views/browser/upload.js"
};
static const unsigned char views_browser_wake_js[] = {
#embed "Public/views/browser/wake.js"
};
static const unsigned char views_browser_wave_js[] = {
#embed "Public/views/browser/wave.js"
};
static const unsigned char views_inspect_drop_js[] = {
#embed "Public/views/inspect/drop.js"
};
static const unsigned char views_inspect_facts_js[] = {
#embed "Public/views/inspect/facts.js"
};
static const unsigned char views_inspect_faults_js[] = {
#embed "Public/views/inspect/faults.js"
};
static const unsigned char views_inspect_framewords_js[] = {
#embed "Public/views/inspect/framewords.js"
};
static const unsigned char views_inspect_gaps_js[] = {
#embed "Public/views/inspect/gaps.js"
};
static const unsigned char views_inspect_inspection_js[] = {
#embed "Public/views/inspect/inspection.js"
};
static const unsigned char views_inspect_open_js[] = {
#embed "Public/views/inspect/open.js"
};
static const unsigned char views_inspect_picker_js[] = {
#embed "Public/views/inspect/picker.js"
};
static const unsigned char views_inspect_placelist_js[] = {
#embed "Public/views/inspect/placelist.js"
};
static const unsigned char views_inspect_plot_js[] = {
#embed "Public/views/inspect/plot.js"
};
static const unsigned char views_inspect_plotinput_js[] = {
#embed "Public/views/inspect/plotinput.js"
};
static const unsigned char views_inspect_plotsurface_js[] = {
#embed "Public/views/inspect/plotsurface.js"
};
static const unsigned char views_inspect_positionline_js[] = {
#embed "Public/views/inspect/positionline.js"
};
static const unsigned char views_inspect_replication_js[] = {
#embed "Public/views/inspect/replication.js"
};
static const unsigned char views_inspect_report_js[] = {
#embed "Public/views/inspect/report.js"
};
static const unsigned char views_inspect_rows_js[] = {
#embed "Public/views/inspect/rows.js"
};
static const unsigned char views_inspect_scroll_js[] = {
#embed "Public/views/inspect/scroll.js"
};
static const unsigned char views_inspect_side_js[] = {
#embed "Public/views/inspect/side.js"
};
static const unsigned char views_inspect_summary_js[] = {
#embed "Public/views/inspect/summary.js"
};
static const unsigned char views_inspect_table_js[] = {
#embed "Public/views/inspect/table.js"
};
static const unsigned char views_inspect_timeplot_js[] = {
#embed "Public/views/inspect/timeplot.js"
};
static const unsigned char views_inspect_words_js[] = {
#embed "Public/views/inspect/words.js"
};
static const unsigned char views_inspect_worker_js[] = {
#embed "Public/views/inspect/worker.js"
};
static const unsigned char views_inspect_zoombuttons_js[] = {
#embed "Public/views/inspect/zoombuttons.js"
};
static const unsigned char views_inspect_sound_box_js[] = {
#embed "Public/views/inspect/sound/box.js"
};
static const unsigned char views_inspect_sound_concealed_js[] = {
#embed "Public/views/inspect/sound/concealed.js"
};
static const unsigned char views_inspect_sound_decoding_js[] = {
#embed "Public/views/inspect/sound/decoding.js"
};
static const unsigned char views_inspect_sound_mixdown_js[] = {
#embed "Public/views/inspect/sound/mixdown.js"
};
static const unsigned char views_inspect_sound_overview_js[] = {
#embed "Public/views/inspect/sound/overview.js"
};
static const unsigned char views_inspect_sound_picture_js[] = {
#embed "Public/views/inspect/sound/picture.js"
};
static const unsigned char views_inspect_sound_player_js[] = {
#embed "Public/views/inspect/sound/player.js"
};
static const unsigned char views_inspect_sound_readout_js[] = {
#embed "Public/views/inspect/sound/readout.js"
};
static const unsigned char views_inspect_sound_sample_seeker_js[] = {
#embed "Public/views/inspect/sound/sample-seeker.js"
};
static const unsigned char views_inspect_sound_spectrum_js[] = {
#embed "Public/views/inspect/sound/spectrum.js"
};
static const unsigned char views_inspect_sound_surfaces_js[] = {
#embed "Public/views/inspect/sound/surfaces.js"
};
static const unsigned char views_inspect_sound_worker_js[] = {
#embed "Public/views/inspect/sound/worker.js"
};
static const unsigned char views_library_changes_js[] = {
#embed "Public/views/library/changes.js"
};
static const unsigned char views_library_deleted_js[] = {
#embed "Public/views/library/deleted.js"
};
static const unsigned char views_library_list_js[] = {
#embed "Public/views/library/list.js"
};
static const unsigned char views_library_order_js[] = {
#embed "Public/views/library/order.js"
};
static const unsigned char views_library_player_js[] = {
#embed "Public/views/library/player.js"
};
static const unsigned char views_library_rename_js[] = {
#embed "Public/views/library/rename.js"
};
static const unsigned char views_library_row_js[] = {
#embed "Public/views/library/row.js"
};
static const unsigned char views_library_thumbnails_js[] = {
#embed "Public/views/library/thumbnails.js"
};
static const unsigned char views_library_wave_js[] = {
#embed "Public/views/library/wave.js"
};
static const unsigned char views_library_words_js[] = {
#embed "Public/views/library/words.js"
};
static const unsigned char views_record_coding_js[] = {
#embed "Public/views/record/coding.js"
};
static const unsigned char views_record_controls_js[] = {
#embed "Public/views/record/controls.js"
};
static const unsigned char views_record_effects_js[] = {
#embed "Public/views/record/effects.js"
};
static const unsigned char views_record_encoder_js[] = {
#embed "Public/views/record/encoder.js"
};
static const unsigned char views_record_eventlist_js[] = {
#embed "Public/views/record/eventlist.js"
};
static const unsigned char views_record_keys_js[] = {
#embed "Public/views/record/keys.js"
};
static const unsigned char views_record_loudness_js[] = {
#embed "Public/views/record/loudness.js"
};
static const unsigned char views_record_memory_js[] = {
#embed "Public/views/record/memory.js"
};
static const unsigned char views_record_outputs_js[] = {
#embed "Public/views/record/outputs.js"
};
static const unsigned char views_record_presets_js[] = {
#embed "Public/views/record/presets.js"
};
static const unsigned char views_record_profile_js[] = {
#embed "Public/views/record/profile.js"
};
static const unsigned char views_record_source_js[] = {
#embed "Public/views/record/source.js"
};
static const unsigned char views_record_transport_js[] = {
#embed "Public/views/record/transport.js"
};

#define FILE_AT(path, type, bytes) {path, type, bytes, sizeof bytes}
#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define JAVASCRIPT "text/javascript; charset=utf-8"
#define WASM "application/wasm"
#define SVG "image/svg+xml"

static const aacorn_page_file files[] = {
    FILE_AT("/index.html", HTML, index_html),
    FILE_AT("/app.js", JAVASCRIPT, app_js),
    FILE_AT("/browser.css", CSS, browser_css),
    FILE_AT("/chosen-theme.js", JAVASCRIPT, chosen_theme_js),
    FILE_AT("/dom.js", JAVASCRIPT, dom_js),
    FILE_AT("/format.js", JAVASCRIPT, format_js),
    FILE_AT("/icon.svg", SVG, icon_svg),
    FILE_AT("/icons.js", JAVASCRIPT, icons_js),
    FILE_AT("/inspect.css", CSS, inspect_css),
    FILE_AT("/library.css", CSS, library_css),
    FILE_AT("/login.css", CSS, login_css),
    FILE_AT("/login.html", HTML, login_html),
    FILE_AT("/login.js", JAVASCRIPT, login_js),
    FILE_AT("/record.css", CSS, record_css),
    FILE_AT("/request.js", JAVASCRIPT, request_js),
    FILE_AT("/studio.js", JAVASCRIPT, studio_js),
    FILE_AT("/style.css", CSS, style_css),
    FILE_AT("/text.js", JAVASCRIPT, text_js),
    FILE_AT("/theme.js", JAVASCRIPT, theme_js),
    FILE_AT("/aacorn/aacorn-decoder.wasm", WASM, aacorn_aacorn_decoder_wasm),
    FILE_AT("/aacorn/aacorn-inspector.wasm", WASM, aacorn_aacorn_inspector_wasm),
    FILE_AT("/aacorn/aacorn-samples.wasm", WASM, aacorn_aacorn_samples_wasm),
    FILE_AT("/aacorn/aacorn-sound.wasm", WASM, aacorn_aacorn_sound_wasm),
    FILE_AT("/aacorn/aacorn.js", JAVASCRIPT, aacorn_aacorn_js),
    FILE_AT("/aacorn/aacorn.wasm", WASM, aacorn_aacorn_wasm),
    FILE_AT("/aacorn/addresses.js", JAVASCRIPT, aacorn_addresses_js),
    FILE_AT("/aacorn/columns.js", JAVASCRIPT, aacorn_columns_js),
    FILE_AT("/aacorn/conversion.js", JAVASCRIPT, aacorn_conversion_js),
    FILE_AT("/aacorn/decoder.js", JAVASCRIPT, aacorn_decoder_js),
    FILE_AT("/aacorn/encoder.js", JAVASCRIPT, aacorn_encoder_js),
    FILE_AT("/aacorn/engine.js", JAVASCRIPT, aacorn_engine_js),
    FILE_AT("/aacorn/errors.js", JAVASCRIPT, aacorn_errors_js),
    FILE_AT("/aacorn/file-assembler.js", JAVASCRIPT, aacorn_file_assembler_js),
    FILE_AT("/aacorn/file-bytes.js", JAVASCRIPT, aacorn_file_bytes_js),
    FILE_AT("/aacorn/file-tags.js", JAVASCRIPT, aacorn_file_tags_js),
    FILE_AT("/aacorn/inspector.js", JAVASCRIPT, aacorn_inspector_js),
    FILE_AT("/aacorn/module.js", JAVASCRIPT, aacorn_module_js),
    FILE_AT("/aacorn/options.js", JAVASCRIPT, aacorn_options_js),
    FILE_AT("/aacorn/sound-file.js", JAVASCRIPT, aacorn_sound_file_js),
    FILE_AT("/aacorn/sound-reader.js", JAVASCRIPT, aacorn_sound_reader_js),
    FILE_AT("/aacorn/sound-source.js", JAVASCRIPT, aacorn_sound_source_js),
    FILE_AT("/aacorn/speakers.js", JAVASCRIPT, aacorn_speakers_js),
    FILE_AT("/drawing/colormap.js", JAVASCRIPT, drawing_colormap_js),
    FILE_AT("/drawing/columns.js", JAVASCRIPT, drawing_columns_js),
    FILE_AT("/drawing/framestrip.js", JAVASCRIPT, drawing_framestrip_js),
    FILE_AT("/drawing/levelmeter.js", JAVASCRIPT, drawing_levelmeter_js),
    FILE_AT("/drawing/levelview.js", JAVASCRIPT, drawing_levelview_js),
    FILE_AT("/drawing/scroller.js", JAVASCRIPT, drawing_scroller_js),
    FILE_AT("/drawing/soundview.js", JAVASCRIPT, drawing_soundview_js),
    FILE_AT("/drawing/spectrogram.js", JAVASCRIPT, drawing_spectrogram_js),
    FILE_AT("/drawing/surface.js", JAVASCRIPT, drawing_surface_js),
    FILE_AT("/drawing/thumbnail.js", JAVASCRIPT, drawing_thumbnail_js),
    FILE_AT("/drawing/waveform.js", JAVASCRIPT, drawing_waveform_js),
    FILE_AT("/views/browser.js", JAVASCRIPT, views_browser_js),
    FILE_AT("/views/coding.js", JAVASCRIPT, views_coding_js),
    FILE_AT("/views/inspect.js", JAVASCRIPT, views_inspect_js),
    FILE_AT("/views/library.js", JAVASCRIPT, views_library_js),
    FILE_AT("/views/position.js", JAVASCRIPT, views_position_js),
    FILE_AT("/views/record.js", JAVASCRIPT, views_record_js),
    FILE_AT("/views/transport.js", JAVASCRIPT, views_transport_js),
    FILE_AT("/views/browser/capture.js", JAVASCRIPT, views_browser_capture_js),
    FILE_AT("/views/browser/coding.js", JAVASCRIPT, views_browser_coding_js),
    FILE_AT("/views/browser/continuity.js", JAVASCRIPT, views_browser_continuity_js),
    FILE_AT("/views/browser/conversion-row.js", JAVASCRIPT, views_browser_conversion_row_js),
    FILE_AT("/views/browser/conversion.js", JAVASCRIPT, views_browser_conversion_js),
    FILE_AT("/views/browser/convert-worker.js", JAVASCRIPT, views_browser_convert_worker_js),
    FILE_AT("/views/browser/converter.js", JAVASCRIPT, views_browser_converter_js),
    FILE_AT("/views/browser/decode.js", JAVASCRIPT, views_browser_decode_js),
    FILE_AT("/views/browser/devices.js", JAVASCRIPT, views_browser_devices_js),
    FILE_AT("/views/browser/encode-worker.js", JAVASCRIPT, views_browser_encode_worker_js),
    FILE_AT("/views/browser/entries.js", JAVASCRIPT, views_browser_entries_js),
    FILE_AT("/views/browser/follow.js", JAVASCRIPT, views_browser_follow_js),
    FILE_AT("/views/browser/frames.js", JAVASCRIPT, views_browser_frames_js),
    FILE_AT("/views/browser/input.js", JAVASCRIPT, views_browser_input_js),
    FILE_AT("/views/browser/microphone-worklet.js", JAVASCRIPT, views_browser_microphone_worklet_js),
    FILE_AT("/views/browser/microphone.js", JAVASCRIPT, views_browser_microphone_js),
    FILE_AT("/views/browser/modules.js", JAVASCRIPT, views_browser_modules_js),
    FILE_AT("/views/browser/names.js", JAVASCRIPT, views_browser_names_js),
    FILE_AT("/views/browser/notes.js", JAVASCRIPT, views_browser_notes_js),
    FILE_AT("/views/browser/problems.js", JAVASCRIPT, views_browser_problems_js),
    FILE_AT("/views/browser/recorder.js", JAVASCRIPT, views_browser_recorder_js),
    FILE_AT("/views/browser/recording.js", JAVASCRIPT, views_browser_recording_js),
    FILE_AT("/views/browser/result.js", JAVASCRIPT, views_browser_result_js),
    FILE_AT("/views/browser/settingscard.js", JAVASCRIPT, views_browser_settingscard_js),
    FILE_AT("/views/browser/sniff.js", JAVASCRIPT, views_browser_sniff_js),
    FILE_AT("/views/browser/store.js", JAVASCRIPT, views_browser_store_js),
    FILE_AT("/views/browser/stored.js", JAVASCRIPT, views_browser_stored_js),
    FILE_AT("/views/browser/transport.js", JAVASCRIPT, views_browser_transport_js),
    FILE_AT("/views/browser/units.js", JAVASCRIPT, views_browser_units_js),
    FILE_AT("/views/browser/upload.js", JAVASCRIPT, views_browser_upload_js),
    FILE_AT("/views/browser/wake.js", JAVASCRIPT, views_browser_wake_js),
    FILE_AT("/views/browser/wave.js", JAVASCRIPT, views_browser_wave_js),
    FILE_AT("/views/inspect/drop.js", JAVASCRIPT, views_inspect_drop_js),
    FILE_AT("/views/inspect/facts.js", JAVASCRIPT, views_inspect_facts_js),
    FILE_AT("/views/inspect/faults.js", JAVASCRIPT, views_inspect_faults_js),
    FILE_AT("/views/inspect/framewords.js", JAVASCRIPT, views_inspect_framewords_js),
    FILE_AT("/views/inspect/gaps.js", JAVASCRIPT, views_inspect_gaps_js),
    FILE_AT("/views/inspect/inspection.js", JAVASCRIPT, views_inspect_inspection_js),
    FILE_AT("/views/inspect/open.js", JAVASCRIPT, views_inspect_open_js),
    FILE_AT("/views/inspect/picker.js", JAVASCRIPT, views_inspect_picker_js),
    FILE_AT("/views/inspect/placelist.js", JAVASCRIPT, views_inspect_placelist_js),
    FILE_AT("/views/inspect/plot.js", JAVASCRIPT, views_inspect_plot_js),
    FILE_AT("/views/inspect/plotinput.js", JAVASCRIPT, views_inspect_plotinput_js),
    FILE_AT("/views/inspect/plotsurface.js", JAVASCRIPT, views_inspect_plotsurface_js),
    FILE_AT("/views/inspect/positionline.js", JAVASCRIPT, views_inspect_positionline_js),
    FILE_AT("/views/inspect/replication.js", JAVASCRIPT, views_inspect_replication_js),
    FILE_AT("/views/inspect/report.js", JAVASCRIPT, views_inspect_report_js),
    FILE_AT("/views/inspect/rows.js", JAVASCRIPT, views_inspect_rows_js),
    FILE_AT("/views/inspect/scroll.js", JAVASCRIPT, views_inspect_scroll_js),
    FILE_AT("/views/inspect/side.js", JAVASCRIPT, views_inspect_side_js),
    FILE_AT("/views/inspect/summary.js", JAVASCRIPT, views_inspect_summary_js),
    FILE_AT("/views/inspect/table.js", JAVASCRIPT, views_inspect_table_js),
    FILE_AT("/views/inspect/timeplot.js", JAVASCRIPT, views_inspect_timeplot_js),
    FILE_AT("/views/inspect/words.js", JAVASCRIPT, views_inspect_words_js),
    FILE_AT("/views/inspect/worker.js", JAVASCRIPT, views_inspect_worker_js),
    FILE_AT("/views/inspect/zoombuttons.js", JAVASCRIPT, views_inspect_zoombuttons_js),
    FILE_AT("/views/inspect/sound/box.js", JAVASCRIPT, views_inspect_sound_box_js),
    FILE_AT("/views/inspect/sound/concealed.js", JAVASCRIPT, views_inspect_sound_concealed_js),
    FILE_AT("/views/inspect/sound/decoding.js", JAVASCRIPT, views_inspect_sound_decoding_js),
    FILE_AT("/views/inspect/sound/mixdown.js", JAVASCRIPT, views_inspect_sound_mixdown_js),
    FILE_AT("/views/inspect/sound/overview.js", JAVASCRIPT, views_inspect_sound_overview_js),
    FILE_AT("/views/inspect/sound/picture.js", JAVASCRIPT, views_inspect_sound_picture_js),
    FILE_AT("/views/inspect/sound/player.js", JAVASCRIPT, views_inspect_sound_player_js),
    FILE_AT("/views/inspect/sound/readout.js", JAVASCRIPT, views_inspect_sound_readout_js),
    FILE_AT("/views/inspect/sound/sample-seeker.js", JAVASCRIPT, views_inspect_sound_sample_seeker_js),
    FILE_AT("/views/inspect/sound/spectrum.js", JAVASCRIPT, views_inspect_sound_spectrum_js),
    FILE_AT("/views/inspect/sound/surfaces.js", JAVASCRIPT, views_inspect_sound_surfaces_js),
    FILE_AT("/views/inspect/sound/worker.js", JAVASCRIPT, views_inspect_sound_worker_js),
    FILE_AT("/views/library/changes.js", JAVASCRIPT, views_library_changes_js),
    FILE_AT("/views/library/deleted.js", JAVASCRIPT, views_library_deleted_js),
    FILE_AT("/views/library/list.js", JAVASCRIPT, views_library_list_js),
    FILE_AT("/views/library/order.js", JAVASCRIPT, views_library_order_js),
    FILE_AT("/views/library/player.js", JAVASCRIPT, views_library_player_js),
    FILE_AT("/views/library/rename.js", JAVASCRIPT, views_library_rename_js),
    FILE_AT("/views/library/row.js", JAVASCRIPT, views_library_row_js),
    FILE_AT("/views/library/thumbnails.js", JAVASCRIPT, views_library_thumbnails_js),
    FILE_AT("/views/library/wave.js", JAVASCRIPT, views_library_wave_js),
    FILE_AT("/views/library/words.js", JAVASCRIPT, views_library_words_js),
    FILE_AT("/views/record/coding.js", JAVASCRIPT, views_record_coding_js),
    FILE_AT("/views/record/controls.js", JAVASCRIPT, views_record_controls_js),
    FILE_AT("/views/record/effects.js", JAVASCRIPT, views_record_effects_js),
    FILE_AT("/views/record/encoder.js", JAVASCRIPT, views_record_encoder_js),
    FILE_AT("/views/record/eventlist.js", JAVASCRIPT, views_record_eventlist_js),
    FILE_AT("/views/record/keys.js", JAVASCRIPT, views_record_keys_js),
    FILE_AT("/views/record/loudness.js", JAVASCRIPT, views_record_loudness_js),
    FILE_AT("/views/record/memory.js", JAVASCRIPT, views_record_memory_js),
    FILE_AT("/views/record/outputs.js", JAVASCRIPT, views_record_outputs_js),
    FILE_AT("/views/record/presets.js", JAVASCRIPT, views_record_presets_js),
    FILE_AT("/views/record/profile.js", JAVASCRIPT, views_record_profile_js),
    FILE_AT("/views/record/source.js", JAVASCRIPT, views_record_source_js),
    FILE_AT("/views/record/transport.js", JAVASCRIPT, views_record_transport_js),
};

size_t aacorn_page_file_count(void) { return sizeof files / sizeof files[0]; }

aacorn_page_file aacorn_page_file_at(size_t index) { return files[index]; }
