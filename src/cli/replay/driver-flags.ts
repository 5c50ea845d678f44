/** The drivers that each flag applies to; a flag without effect is rejected instead of ignored. */
import { problem } from '../../problem.ts'
import type { DriverName } from '../../traffic/replay/replay-report.ts'
import type { ReplayFlags } from './flags.ts'

const sending = ['client', 'server'] as const

/** Flags that are not listed apply to every driver. */
const driversByFlag = {
  rate: sending,
  'max-gap': sending,
  timing: sending,
  'same-ids': sending,
  only: sending,
  from: sending,
  set: sending,
  'no-replay-headers': sending,
  'on-miss': sending,
  synth: sending,
  'faithful-failures': sending,
  step: ['client'],
  repeat: ['client'],
  'no-answers': ['client'],
  'call-timeout': ['client'],
  twice: ['client', 'partner'],
  'write-rules': ['client', 'partner'],
  subject: ['server'],
  until: ['server'],
  idle: ['server'],
  'require-all': ['server'],
  'ready-file': ['server'],
} as const satisfies Partial<Record<keyof ReplayFlags, readonly DriverName[]>>

const names = Object.keys(driversByFlag) as readonly (keyof typeof driversByFlag)[]

const driverDescriptions: Readonly<Record<DriverName, string>> = {
  client: 'here what was recorded is sent to your service',
  server: 'here your service calls, and is answered',
  partner: 'here the partner decides again',
}

/** Throws a problem on the first flag that does not apply to the driver, or not without another. */
export function rejectForeignFlags(flags: ReplayFlags, driver: DriverName): void {
  if (flags['write-rules'] && !flags.twice)
    throw problem(
      'reading --write-rules',
      'what changes by itself is known after two replays',
      'Say --twice too.',
    )
  for (const name of names) {
    const drivers: readonly DriverName[] = driversByFlag[name]
    if (flags[name] === undefined || drivers.includes(driver)) continue
    throw problem(
      `reading --${name}`,
      `it is for --driver ${drivers.join(' or --driver ')}, and ${driverDescriptions[driver]}`,
      `Leave it out, or say --driver ${drivers[0]}.`,
    )
  }
}
