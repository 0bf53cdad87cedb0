// A stub of Apple's CoreAudio: the declarations that this package uses, with Apple's types and
// values. README.md documents which of them are simulated.
//
// Devices and their properties exist only on Macs.
#pragma once
#include "../CoreAudioTypes/CoreAudioTypes.h"

#if defined(__ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__) || defined(SIMULATED_APPLE)

// AudioHardwareBase.h, macOS 10.4.
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

// AudioHardwareBase.h, AudioHardware.h, macOS 10.4.
CF_ENUM(AudioObjectID) { kAudioObjectUnknown = 0 };
CF_ENUM(int) { kAudioObjectSystemObject = 1 };
CF_ENUM(AudioObjectPropertyScope) {
  kAudioObjectPropertyScopeGlobal = 'glob',
  kAudioObjectPropertyScopeInput = 'inpt',
  kAudioObjectPropertyScopeOutput = 'outp',
};
// AudioHardwareBase.h, macOS 12.
CF_ENUM(AudioObjectPropertyScope) { kAudioObjectPropertyElementMain = 0 };
// AudioHardwareBase.h, AudioHardware.h, macOS 10.4.
CF_ENUM(AudioObjectPropertySelector) {
  kAudioObjectPropertyName = 'lnam',
  kAudioObjectPropertyManufacturer = 'lmak',
  kAudioHardwarePropertyDevices = 'dev#',
  kAudioHardwarePropertyDefaultInputDevice = 'dIn ',
  kAudioHardwarePropertyDefaultOutputDevice = 'dOut',
  kAudioHardwarePropertyServiceRestarted = 'srst',
  // AudioHardwareDeprecated.h, macOS 10.3; the header does not mark it as deprecated.
  kAudioHardwarePropertyRunLoop = 'rnlp',
  // AudioHardwareBase.h, AudioHardware.h, macOS 10.4.
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
// AudioHardwareBase.h, macOS 10.4.
CF_ENUM(UInt32) {
  kAudioStreamTerminalTypeUnknown = 0,
  kAudioStreamTerminalTypeSpeaker = 'spkr',
  kAudioStreamTerminalTypeHeadphones = 'hdph',
  kAudioStreamTerminalTypeMicrophone = 'micr',
};

// AudioHardware.h, macOS 10.4.
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
