// A stub of Apple's CoreAudioTypes for Scripts/check-apple: only the declarations that this package
// uses, with Apple's types and values. It is for type checking on other systems and cannot be
// linked or run. It does not show how Apple's code behaves.
#pragma once

// MacTypes.h, macOS 10.0, iOS 2.
typedef signed char SInt8;
typedef short SInt16;
typedef unsigned int UInt32;
typedef int SInt32;
typedef long long SInt64;
typedef unsigned long long UInt64;
typedef double Float64;
typedef float Float32;
typedef SInt32 OSStatus;
typedef UInt32 OSType;
typedef unsigned char Boolean;

// As in CFAvailability.h: Swift imports such an enumeration as a struct or an option set.
#define CF_ENUM(type) enum __attribute__((enum_extensibility(open))) : type
#define CF_OPTIONS(type, name)                                                        \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type;              \
  typedef enum name name;                                                             \
  enum name : type

// CoreAudioBaseTypes.h, macOS 10.0, iOS 2.
typedef UInt32 AudioFormatID;
typedef UInt32 AudioFormatFlags;
CF_ENUM(AudioFormatID) { kAudioFormatLinearPCM = 'lpcm' };
CF_ENUM(AudioFormatFlags) {
  kAudioFormatFlagIsFloat = (1U << 0),
  kAudioFormatFlagIsPacked = (1U << 3),
};

struct AudioStreamBasicDescription {
  Float64 mSampleRate;
  AudioFormatID mFormatID;
  AudioFormatFlags mFormatFlags;
  UInt32 mBytesPerPacket;
  UInt32 mFramesPerPacket;
  UInt32 mBytesPerFrame;
  UInt32 mChannelsPerFrame;
  UInt32 mBitsPerChannel;
  UInt32 mReserved;
};
typedef struct AudioStreamBasicDescription AudioStreamBasicDescription;

struct AudioBuffer {
  UInt32 mNumberChannels;
  UInt32 mDataByteSize;
  void *_Nullable mData;
};
typedef struct AudioBuffer AudioBuffer;

struct AudioBufferList {
  UInt32 mNumberBuffers;
  AudioBuffer mBuffers[1];
};
typedef struct AudioBufferList AudioBufferList;

typedef enum __attribute__((enum_extensibility(open))) SMPTETimeType : UInt32 {
  kSMPTETimeType24 = 0,
} SMPTETimeType;
CF_OPTIONS(UInt32, SMPTETimeFlags) {
  kSMPTETimeUnknown = 0,
  kSMPTETimeValid = (1U << 0),
  kSMPTETimeRunning = (1U << 1),
};
struct SMPTETime {
  SInt16 mSubframes;
  SInt16 mSubframeDivisor;
  UInt32 mCounter;
  SMPTETimeType mType;
  SMPTETimeFlags mFlags;
  SInt16 mHours;
  SInt16 mMinutes;
  SInt16 mSeconds;
  SInt16 mFrames;
};
typedef struct SMPTETime SMPTETime;

CF_OPTIONS(UInt32, AudioTimeStampFlags) {
  kAudioTimeStampNothingValid = 0,
  kAudioTimeStampSampleTimeValid = (1U << 0),
  kAudioTimeStampHostTimeValid = (1U << 1),
  kAudioTimeStampRateScalarValid = (1U << 2),
  kAudioTimeStampWordClockTimeValid = (1U << 3),
  kAudioTimeStampSMPTETimeValid = (1U << 4),
};

struct AudioTimeStamp {
  Float64 mSampleTime;
  UInt64 mHostTime;
  Float64 mRateScalar;
  UInt64 mWordClockTime;
  SMPTETime mSMPTETime;
  AudioTimeStampFlags mFlags;
  UInt32 mReserved;
};
typedef struct AudioTimeStamp AudioTimeStamp;

// CoreAudioBaseTypes.h, macOS 10.2, iOS 2.
struct AudioStreamPacketDescription {
  SInt64 mStartOffset;
  UInt32 mVariableFramesInPacket;
  UInt32 mDataByteSize;
};
typedef struct AudioStreamPacketDescription AudioStreamPacketDescription;

// CoreAudioBaseTypes.h, macOS 10.2, iOS 2.
struct AudioClassDescription {
  OSType mType;
  OSType mSubType;
  OSType mManufacturer;
};
typedef struct AudioClassDescription AudioClassDescription;

// CoreAudioBaseTypes.h, macOS 10.0, iOS 2.
struct AudioValueRange {
  Float64 mMinimum;
  Float64 mMaximum;
};
typedef struct AudioValueRange AudioValueRange;

// CoreAudioBaseTypes.h, macOS 10.2, iOS 2.
typedef UInt32 AudioChannelLabel;
typedef UInt32 AudioChannelLayoutTag;

CF_OPTIONS(UInt32, AudioChannelBitmap) {
  kAudioChannelBit_Left = (1U << 0),
  kAudioChannelBit_Right = (1U << 1),
  kAudioChannelBit_Center = (1U << 2),
};

CF_OPTIONS(UInt32, AudioChannelFlags) {
  kAudioChannelFlags_AllOff = 0,
  kAudioChannelFlags_RectangularCoordinates = (1U << 0),
  kAudioChannelFlags_SphericalCoordinates = (1U << 1),
  kAudioChannelFlags_Meters = (1U << 2),
};

struct AudioChannelDescription {
  AudioChannelLabel mChannelLabel;
  AudioChannelFlags mChannelFlags;
  Float32 mCoordinates[3];
};
typedef struct AudioChannelDescription AudioChannelDescription;

struct AudioChannelLayout {
  AudioChannelLayoutTag mChannelLayoutTag;
  AudioChannelBitmap mChannelBitmap;
  UInt32 mNumberChannelDescriptions;
  AudioChannelDescription mChannelDescriptions[1];
};
typedef struct AudioChannelLayout AudioChannelLayout;
