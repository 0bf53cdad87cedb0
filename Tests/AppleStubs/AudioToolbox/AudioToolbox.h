// A stub of Apple's AudioToolbox: the declarations that this package uses, with Apple's types and
// values. README.md documents which of them are simulated. The simulation declares the functions of
// both phones and Macs.
#pragma once
#include "../CoreAudioTypes/CoreAudioTypes.h"

// AudioComponent.h, macOS 10.6, iOS 2.
struct AudioComponentDescription {
  OSType componentType;
  OSType componentSubType;
  OSType componentManufacturer;
  UInt32 componentFlags;
  UInt32 componentFlagsMask;
};
typedef struct AudioComponentDescription AudioComponentDescription;
typedef struct OpaqueAudioComponent *AudioComponent;
#ifdef __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__
// On Macs, an instance has the type of the former Component Manager (Components.h of CarbonCore).
struct ComponentInstanceRecord {
  long data[1];
};
typedef struct ComponentInstanceRecord ComponentInstanceRecord;
typedef struct ComponentInstanceRecord *AudioComponentInstance;
#else
typedef struct OpaqueAudioComponentInstance *AudioComponentInstance;
#endif
// AUComponent.h, macOS 10.0, iOS 2.
typedef AudioComponentInstance AudioUnit;
typedef UInt32 AudioUnitPropertyID;
typedef UInt32 AudioUnitScope;
typedef UInt32 AudioUnitElement;

CF_ENUM(UInt32) { kAudioUnitType_Output = 'auou' };
CF_ENUM(UInt32) { kAudioUnitManufacturer_Apple = 'appl' };
// AUComponent.h, macOS 10.7, iOS 3.
CF_ENUM(UInt32) { kAudioUnitSubType_VoiceProcessingIO = 'vpio' };
#if defined(__ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__) || defined(SIMULATED_APPLE)
// AUComponent.h, macOS 10.2; not on phones.
CF_ENUM(UInt32) { kAudioUnitSubType_HALOutput = 'ahal' };
// AudioUnitProperties.h, macOS 10.2; not on phones.
CF_ENUM(AudioUnitPropertyID) { kAudioOutputUnitProperty_CurrentDevice = 2000 };
#endif
#ifndef __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__
// AUComponent.h, iOS 2; not on Macs.
CF_ENUM(UInt32) { kAudioUnitSubType_RemoteIO = 'rioc' };
#endif
// AudioUnitProperties.h, macOS 10.2, iOS 2.
CF_ENUM(AudioUnitScope) {
  kAudioUnitScope_Global = 0,
  kAudioUnitScope_Input = 1,
  kAudioUnitScope_Output = 2,
};
CF_ENUM(AudioUnitPropertyID) {
  kAudioUnitProperty_StreamFormat = 8,
  kAudioUnitProperty_Latency = 12,
  kAudioUnitProperty_MaximumFramesPerSlice = 14,
  kAudioUnitProperty_SetRenderCallback = 23,
  kAudioUnitProperty_ShouldAllocateBuffer = 51,
};
CF_ENUM(AudioUnitPropertyID) {
  kAudioOutputUnitProperty_EnableIO = 2003,
  kAudioOutputUnitProperty_SetInputCallback = 2005,
};
// AudioUnitProperties.h, macOS 10.7, iOS 3.
CF_ENUM(AudioUnitPropertyID) {
  kAUVoiceIOProperty_BypassVoiceProcessing = 2100,
  kAUVoiceIOProperty_VoiceProcessingEnableAGC = 2101,
};
#if !defined(__ENVIRONMENT_TV_OS_VERSION_MIN_REQUIRED__) \
    && !defined(__ENVIRONMENT_WATCH_OS_VERSION_MIN_REQUIRED__)
// AudioUnitProperties.h, macOS 14, iOS 17; not on televisions and watches.
#pragma clang attribute push(                                                          \
    __attribute__((availability(macos, introduced = 14.0), availability(ios, introduced = 17.0))), \
    apply_to = any(enum, record, enum_constant))
typedef enum __attribute__((enum_extensibility(open))) AUVoiceIOOtherAudioDuckingLevel : UInt32 {
  kAUVoiceIOOtherAudioDuckingLevelDefault = 0,
  kAUVoiceIOOtherAudioDuckingLevelMin = 10,
  kAUVoiceIOOtherAudioDuckingLevelMid = 20,
  kAUVoiceIOOtherAudioDuckingLevelMax = 30,
} AUVoiceIOOtherAudioDuckingLevel;
struct AUVoiceIOOtherAudioDuckingConfiguration {
  Boolean mEnableAdvancedDucking;
  AUVoiceIOOtherAudioDuckingLevel mDuckingLevel;
};
typedef struct AUVoiceIOOtherAudioDuckingConfiguration AUVoiceIOOtherAudioDuckingConfiguration;
CF_ENUM(AudioUnitPropertyID) { kAUVoiceIOProperty_OtherAudioDuckingConfiguration = 2108 };
#pragma clang attribute pop
#endif

// AUComponent.h, macOS 10.2, iOS 2.
CF_OPTIONS(UInt32, AudioUnitRenderActionFlags) {
  kAudioUnitRenderAction_PreRender = (1U << 2),
  kAudioUnitRenderAction_PostRender = (1U << 3),
  kAudioUnitRenderAction_OutputIsSilence = (1U << 4),
  // Not used, but Swift removes the common prefix of all these names.
  kAudioOfflineUnitRenderAction_Preflight = (1U << 5),
};

typedef OSStatus (*AURenderCallback)(
    void *_Nonnull context, AudioUnitRenderActionFlags *_Nonnull flags,
    const AudioTimeStamp *_Nonnull time, UInt32 bus, UInt32 frameCount,
    AudioBufferList *_Nullable data);
// AudioUnitProperties.h, macOS 10.2, iOS 2.
struct AURenderCallbackStruct {
  AURenderCallback _Nullable inputProc;
  void *_Nullable inputProcRefCon;
};
typedef struct AURenderCallbackStruct AURenderCallbackStruct;

// AudioComponent.h, macOS 10.6, iOS 2.
_Nullable AudioComponent AudioComponentFindNext(
    _Nullable AudioComponent previous, const AudioComponentDescription *_Nonnull description);
OSStatus AudioComponentInstanceNew(
    _Nonnull AudioComponent component, _Nullable AudioComponentInstance *_Nonnull instance);
OSStatus AudioComponentInstanceDispose(_Nonnull AudioComponentInstance instance);
// AUComponent.h, macOS 10.2, iOS 2.
OSStatus AudioUnitInitialize(_Nonnull AudioUnit unit);
OSStatus AudioUnitUninitialize(_Nonnull AudioUnit unit);
OSStatus AudioUnitGetProperty(
    _Nonnull AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element, void *_Nonnull data, UInt32 *_Nonnull size);
OSStatus AudioUnitSetProperty(
    _Nonnull AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element, const void *_Nullable data, UInt32 size);
OSStatus AudioUnitRender(
    _Nonnull AudioUnit unit, AudioUnitRenderActionFlags *_Nullable flags,
    const AudioTimeStamp *_Nonnull time, UInt32 bus, UInt32 frameCount,
    AudioBufferList *_Nonnull data);
// AudioOutputUnit.h, macOS 10.2, iOS 2.
OSStatus AudioOutputUnitStart(_Nonnull AudioUnit unit);
OSStatus AudioOutputUnitStop(_Nonnull AudioUnit unit);

// ExtendedAudioFile.h, macOS 10.4, iOS 2; Overlays.swift declares the functions with objects.
typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
typedef UInt32 ExtAudioFilePropertyID;
CF_ENUM(ExtAudioFilePropertyID) {
  kExtAudioFileProperty_FileDataFormat = 'ffmt',
  kExtAudioFileProperty_FileChannelLayout = 'fclo',
  kExtAudioFileProperty_ClientDataFormat = 'cfmt',
  kExtAudioFileProperty_FileLengthFrames = '#frm',
};
OSStatus ExtAudioFileDispose(_Nonnull ExtAudioFileRef file);
OSStatus ExtAudioFileRead(
    _Nonnull ExtAudioFileRef file, UInt32 *_Nonnull frameCount, AudioBufferList *_Nonnull data);
OSStatus ExtAudioFileSeek(_Nonnull ExtAudioFileRef file, SInt64 frame);
OSStatus ExtAudioFileGetProperty(
    _Nonnull ExtAudioFileRef file, ExtAudioFilePropertyID property, UInt32 *_Nonnull size,
    void *_Nonnull data);
OSStatus ExtAudioFileSetProperty(
    _Nonnull ExtAudioFileRef file, ExtAudioFilePropertyID property, UInt32 size,
    const void *_Nonnull data);
#ifdef SIMULATED_APPLE
// Not in Apple's headers: the implementation of the simulated functions in Overlays.swift.
OSStatus SimulatedExtAudioFileOpen(
    const char *_Nonnull path, _Nullable ExtAudioFileRef *_Nonnull file);
OSStatus SimulatedExtAudioFileGetPropertyInfo(
    _Nonnull ExtAudioFileRef file, ExtAudioFilePropertyID property, UInt32 *_Nullable size,
    Boolean *_Nullable isWritable);
#endif

// AudioFormat.h, macOS 10.3, iOS 2.
typedef UInt32 AudioFormatPropertyID;
CF_ENUM(AudioFormatPropertyID) {
  kAudioFormatProperty_Encoders = 'aven',
  kAudioFormatProperty_AvailableEncodeBitRates = 'aebr',
  kAudioFormatProperty_AvailableEncodeSampleRates = 'aesr',
};
OSStatus AudioFormatGetPropertyInfo(
    AudioFormatPropertyID property, UInt32 specifierSize, const void *_Nullable specifier,
    UInt32 *_Nonnull size);
OSStatus AudioFormatGetProperty(
    AudioFormatPropertyID property, UInt32 specifierSize, const void *_Nullable specifier,
    UInt32 *_Nullable size, void *_Nullable data);

// AudioConverter.h, macOS 10.1, iOS 2.
typedef struct OpaqueAudioConverter *AudioConverterRef;
typedef UInt32 AudioConverterPropertyID;

// AudioConverter.h, macOS 10.2, iOS 2.
typedef OSStatus (*AudioConverterComplexInputDataProc)(
    _Nonnull AudioConverterRef converter, UInt32 *_Nonnull packetCount,
    AudioBufferList *_Nonnull data,
    AudioStreamPacketDescription *_Nullable *_Nullable packetDescription,
    void *_Nullable context);

// AudioConverter.h, macOS 10.1, iOS 2.
OSStatus AudioConverterNew(
    const AudioStreamBasicDescription *_Nonnull source,
    const AudioStreamBasicDescription *_Nonnull destination,
    _Nullable AudioConverterRef *_Nonnull converter);

// AudioConverter.h, macOS 10.4, iOS 2.
OSStatus AudioConverterNewSpecific(
    const AudioStreamBasicDescription *_Nonnull source,
    const AudioStreamBasicDescription *_Nonnull destination, UInt32 descriptionCount,
    const AudioClassDescription *_Nonnull descriptions,
    _Nullable AudioConverterRef *_Nonnull converter);

// AudioConverter.h, macOS 10.1, iOS 2.
OSStatus AudioConverterDispose(_Nonnull AudioConverterRef converter);
OSStatus AudioConverterGetPropertyInfo(
    _Nonnull AudioConverterRef converter, AudioConverterPropertyID property,
    UInt32 *_Nullable size, Boolean *_Nullable isWritable);
OSStatus AudioConverterGetProperty(
    _Nonnull AudioConverterRef converter, AudioConverterPropertyID property,
    UInt32 *_Nonnull size, void *_Nonnull data);
OSStatus AudioConverterSetProperty(
    _Nonnull AudioConverterRef converter, AudioConverterPropertyID property, UInt32 size,
    const void *_Nonnull data);

// AudioConverter.h, macOS 10.2, iOS 2.
OSStatus AudioConverterFillComplexBuffer(
    _Nonnull AudioConverterRef converter, _Nonnull AudioConverterComplexInputDataProc input,
    void *_Nullable context, UInt32 *_Nonnull packetCount, AudioBufferList *_Nonnull data,
    AudioStreamPacketDescription *_Nullable packetDescriptions);
