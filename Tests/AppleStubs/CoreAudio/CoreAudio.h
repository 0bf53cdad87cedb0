// A stand-in for Apple's CoreAudio: the declarations that this package uses, with Apple's types and
// values. README.md says what of it is simulated.
//
// Devices and their properties exist on macOS alone. They are from AudioHardwareBase.h and
// AudioHardware.h, and the run loop's from AudioHardwareDeprecated.h, which does not mark it as
// deprecated; nothing is newer than macOS 12, which brought `kAudioObjectPropertyElementMain`.
#pragma once
#include "../CoreAudioTypes/CoreAudioTypes.h"

#if defined(__ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__) || defined(SIMULATED_APPLE)

typedef UInt32 AudioObjectID;
typedef UInt32 AudioObjectPropertySelector;
typedef UInt32 AudioObjectPropertyScope;
typedef UInt32 AudioObjectPropertyElement;

struct AudioObjectPropertyAddress {
  AudioObjectPropertySelector mSelector;
  AudioObjectPropertyScope mScope;
  AudioObjectPropertyElement mElement;
};
typedef struct AudioObjectPropertyAddress AudioObjectPropertyAddress;

CF_ENUM(AudioObjectID) { kAudioObjectUnknown = 0 };
CF_ENUM(int) { kAudioObjectSystemObject = 1 };
CF_ENUM(AudioObjectPropertyScope) {
  kAudioObjectPropertyScopeGlobal = 'glob',
  kAudioObjectPropertyScopeInput = 'inpt',
  kAudioObjectPropertyScopeOutput = 'outp',
};
CF_ENUM(AudioObjectPropertyElement) { kAudioObjectPropertyElementMain = 0 };
CF_ENUM(AudioObjectPropertySelector) {
  kAudioObjectPropertyName = 'lnam',
  kAudioObjectPropertyManufacturer = 'lmak',
  kAudioHardwarePropertyDevices = 'dev#',
  kAudioHardwarePropertyDefaultInputDevice = 'dIn ',
  kAudioHardwarePropertyDefaultOutputDevice = 'dOut',
  kAudioHardwarePropertyServiceRestarted = 'srst',
  kAudioHardwarePropertyRunLoop = 'rnlp',
  kAudioDevicePropertyDeviceUID = 'uid ',
  kAudioDevicePropertyDeviceIsAlive = 'livn',
  kAudioDevicePropertyIsHidden = 'hidn',
  kAudioDevicePropertyLatency = 'ltnc',
  kAudioDevicePropertyStreams = 'stm#',
  kAudioDevicePropertySafetyOffset = 'saft',
  kAudioDevicePropertyNominalSampleRate = 'nsrt',
  kAudioDevicePropertyPreferredChannelsForStereo = 'dch2',
  kAudioDevicePropertyPreferredChannelLayout = 'srnd',
  kAudioDevicePropertyStreamConfiguration = 'slay',
  kAudioDevicePropertyBufferFrameSize = 'fsiz',
  kAudioDevicePropertyBufferFrameSizeRange = 'fsz#',
  kAudioStreamPropertyLatency = 'ltnc',
  kAudioStreamPropertyTerminalType = 'term',
};
CF_ENUM(UInt32) {
  kAudioStreamTerminalTypeUnknown = 0,
  kAudioStreamTerminalTypeSpeaker = 'spkr',
  kAudioStreamTerminalTypeHeadphones = 'hdph',
  kAudioStreamTerminalTypeMicrophone = 'micr',
};

typedef OSStatus (*AudioObjectPropertyListenerProc)(
    AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *_Nonnull addresses,
    void *_Nullable context);

OSStatus AudioObjectGetPropertyDataSize(
    AudioObjectID object, const AudioObjectPropertyAddress *_Nonnull address,
    UInt32 qualifierSize, const void *_Nullable qualifier, UInt32 *_Nonnull size);
OSStatus AudioObjectGetPropertyData(
    AudioObjectID object, const AudioObjectPropertyAddress *_Nonnull address,
    UInt32 qualifierSize, const void *_Nullable qualifier, UInt32 *_Nonnull size,
    void *_Nonnull data);
OSStatus AudioObjectSetPropertyData(
    AudioObjectID object, const AudioObjectPropertyAddress *_Nonnull address,
    UInt32 qualifierSize, const void *_Nullable qualifier, UInt32 size,
    const void *_Nonnull data);
OSStatus AudioObjectAddPropertyListener(
    AudioObjectID object, const AudioObjectPropertyAddress *_Nonnull address,
    _Nonnull AudioObjectPropertyListenerProc listener, void *_Nullable context);
OSStatus AudioObjectRemovePropertyListener(
    AudioObjectID object, const AudioObjectPropertyAddress *_Nonnull address,
    _Nonnull AudioObjectPropertyListenerProc listener, void *_Nullable context);

#endif
