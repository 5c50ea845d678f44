/** Which flags are for which driver: one that would do nothing is told instead of passed over. */
import { problem } from '../../problem.ts'
import type { PlayedSides } from '../../traffic/replay/replay-report.ts'
import type { ReplayFlags } from './flags.ts'

const sending = ['client', 'server'] as const

/** The others are for every driver. */
const meantFor = {
  rate: sending,
  'max-gap': sending,
  anchor: sending,
  'same-ids': sending,
  only: sending,
  'no-replay-headers': sending,
  'on-miss': sending,
  synth: sending,
  'faithful-failures': sending,
  step: ['client'],
  dup: ['client'],
  'no-answers': ['client'],
  patience: ['client'],
  twice: ['client', 'both'],
  subject: ['server'],
  until: ['server'],
  idle: ['server'],
  'require-all': ['server'],
  'ready-file': ['server'],
} as const satisfies Partial<Record<keyof ReplayFlags, readonly PlayedSides[]>>

const names = Object.keys(meantFor) as readonly (keyof typeof meantFor)[]

const here: Readonly<Record<PlayedSides, string>> = {
  client: 'here what was recorded is sent to your service',
  server: 'here your service calls, and is answered',
  both: 'here the partner decides again',
}

/** Throws a problem on the first flag that says nothing to this driver. */
export function refuseForeign(flags: ReplayFlags, driver: PlayedSides): void {
  for (const name of names) {
    const drivers: readonly PlayedSides[] = meantFor[name]
    if (flags[name] === undefined || drivers.includes(driver)) continue
    throw problem(
      `reading --${name}`,
      `it is for --as ${drivers.join(' or --as ')}, and ${here[driver]}`,
      `Leave it out, or say --as ${drivers[0]}.`,
    )
  }
}
