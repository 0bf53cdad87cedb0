/* The element aacorndec: AAC units in, samples out. */
#ifndef AACORNDEC_H
#define AACORNDEC_H

#include <gst/audio/audio.h>

#define AACORN_TYPE_DEC (aacorn_dec_get_type())
G_DECLARE_FINAL_TYPE(AacornDec, aacorn_dec, AACORN, DEC, GstAudioDecoder)

#endif
