/** The drivers that each flag applies to; a flag without effect is rejected instead of ignored. */
import { problem } from '../../problem.ts'
import type { PlayedSides } from '../../traffic/replay/replay-report.ts'
import type { ReplayFlags } from './flags.ts'

const sending = ['client', 'server'] as const

/** Flags that are not listed apply to every driver. */
const driversByFlag = {
  rate: sending,
  'max-gap': sending,
  anchor: sending,
  'same-ids': sending,
  only: sending,
  from: sending,
  set: sending,
  'no-replay-headers': sending,
  'on-miss': sending,
  synth: sending,
  'faithful-failures': sending,
  step: ['client'],
  dup: ['client'],
  'no-answers': ['client'],
  patience: ['client'],
  twice: ['client', 'both'],
  'write-rules': ['client', 'both'],
  subject: ['server'],
  until: ['server'],
  idle: ['server'],
  'require-all': ['server'],
  'ready-file': ['server'],
} as const satisfies Partial<Record<keyof ReplayFlags, readonly PlayedSides[]>>

const names = Object.keys(driversByFlag) as readonly (keyof typeof driversByFlag)[]

const driverDescriptions: Readonly<Record<PlayedSides, string>> = {
  client: 'here what was recorded is sent to your service',
  server: 'here your service calls, and is answered',
  both: 'here the partner decides again',
}

/** Throws a problem on the first flag that does not apply to the driver, or not without another. */
export function rejectForeignFlags(flags: ReplayFlags, driver: PlayedSides): void {
  if (flags['write-rules'] && !flags.twice)
    throw problem(
      'reading --write-rules',
      'what changes by itself is known after two replays',
      'Say --twice too.',
    )
  for (const name of names) {
    const drivers: readonly PlayedSides[] = driversByFlag[name]
    if (flags[name] === undefined || drivers.includes(driver)) continue
    throw problem(
      `reading --${name}`,
      `it is for --as ${drivers.join(' or --as ')}, and ${driverDescriptions[driver]}`,
      `Leave it out, or say --as ${drivers[0]}.`,
    )
  }
}
