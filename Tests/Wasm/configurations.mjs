// The configurations for the comparison of builds: the lowest and highest rates, every rate control, effort
// and profile, and every number of channels with a separate code path in the encoder.

/** The command's option for each rate control mode. */
const option = { constant: '--bitrate', average: '--abr', variable: '--vbr' }

function configuration(rate, channels, mode, value, effort = 'balanced', extra = {}) {
  return {
    name: `${rate} Hz, ${channels} ch, ${mode} ${value}, ${effort}` +
      (extra.profile ? `, ${extra.profile}` : '') +
      (extra.isPoisoned ? ', with NaN' : extra.isFloat ? ', Float' : '') +
      (extra.isLong ? `, ${extra.seconds} s` : ''),
    rate, channels, mode, value, effort, ...extra,
    // The command distinguishes bitrates from 1000 and quality levels by the option.
    options: [option[mode], String(value), '--effort', effort,
      ...(extra.profile ? ['--profile', extra.profile] : [])],
  }
}

export const configurations = [
  configuration(8000, 1, 'constant', 16000),
  configuration(7350, 1, 'constant', 8000),
  configuration(22050, 2, 'constant', 32000, 'fast'),
  configuration(44100, 1, 'constant', 24000, 'best'),
  configuration(44100, 2, 'constant', 128000, 'fast'),
  configuration(44100, 2, 'constant', 128000, 'balanced'),
  configuration(44100, 2, 'constant', 128000, 'best'),
  configuration(44100, 2, 'constant', 128000, 'balanced', { isFloat: true }),
  configuration(44100, 2, 'constant', 96000, 'balanced', { isFloat: true, isPoisoned: true }),
  configuration(44100, 2, 'average', 96000),
  configuration(44100, 2, 'variable', 1),
  configuration(44100, 2, 'variable', 3),
  configuration(48000, 1, 'variable', 5, 'best'),
  configuration(48000, 2, 'constant', 575000),
  configuration(48000, 3, 'constant', 160000, 'fast'),
  configuration(48000, 6, 'constant', 384000),
  configuration(48000, 8, 'variable', 4, 'fast'),
  configuration(96000, 1, 'constant', 128000),
  configuration(96000, 2, 'constant', 1150000, 'fast'),
  configuration(96000, 8, 'constant', 4030000, 'fast', { seconds: 0.3 }),
  configuration(16000, 1, 'constant', 16000, 'fast', { profile: 'he' }),
  configuration(44100, 2, 'constant', 48000, 'balanced', { profile: 'he' }),
  configuration(48000, 2, 'average', 64000, 'best', { profile: 'he', isFloat: true }),
  configuration(48000, 6, 'constant', 160000, 'balanced', { profile: 'he' }),
  configuration(32000, 2, 'constant', 20000, 'fast', { profile: 'he2' }),
  configuration(44100, 2, 'constant', 32000, 'balanced', { profile: 'he2' }),
  configuration(48000, 2, 'average', 32000, 'best', {
    profile: 'he2', isFloat: true, isPoisoned: true,
  }),
  // Long enough to overflow 32-bit counters; too long for a debug build.
  configuration(8000, 1, 'constant', 16000, 'fast', { seconds: 300, isLong: true }),
]
