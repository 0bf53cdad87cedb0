/* The element aacornenc: samples in, AAC units out. */
#ifndef AACORNENC_H
#define AACORNENC_H

#include <gst/audio/audio.h>

#define AACORN_TYPE_ENC (aacorn_enc_get_type())
G_DECLARE_FINAL_TYPE(AacornEnc, aacorn_enc, AACORN, ENC, GstAudioEncoder)

#endif
