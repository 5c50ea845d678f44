/** Flags of `sparring minimise`: the replay flags that apply to every trial, and the search limits. */
import { type replayArguments, replayFlags } from '../replay/flags.ts'
import { driverNames } from '../../../core/traffic/recording/replay-report.ts'
import type { FlagGroups, FlagRow, OptionsOf } from '../../../terminal/cli/verb.ts'

/** Without the flags for stepping, for repeating and for reports. */
const trialFlagNames = [
  'config',
  'dialect',
  'to',
  'as',
  'speed',
  'max-gap',
  'rules',
  'seed',
  'fault',
  'allow-target',
  'failure',
  'at',
  'no-replay-headers',
  'port',
  'json',
  'quiet',
  'no-color',
] as const

type TrialFlag = Extract<(typeof replayFlags)[number], { name: (typeof trialFlagNames)[number] }>

const isTrialFlag = (flag: (typeof replayFlags)[number]): flag is TrialFlag =>
  (trialFlagNames as readonly string[]).includes(flag.name)

export const minimiseArguments = [
  {
    name: 'recording',
    path: 'read',
    summary: 'a recording that shows a failure, such as bug.rec.ndjson',
    required: true,
  },
] as const satisfies typeof replayArguments | readonly object[]

const ownFlags = [
  {
    name: 'driver',
    value: '<driver>',
    summary:
      'how each trial is replayed: client sends the recorded requests, server answers a service that polls, partner runs our state machine with the recorded decisions (default: client or server, as recorded; partner when the failure does not occur that way)',
    choices: driverNames,
  },
  {
    name: 'max-replays',
    value: '<n>',
    summary: 'maximum number of replays (default: 60)',
    number: { min: 4, max: 10_000 },
  },
  {
    name: 'max-time',
    value: '<time>',
    summary: 'time limit of the search (default: 5m)',
  },
  {
    name: 'output',
    path: 'write',
    short: 'o',
    value: '<name>',
    summary:
      'name of the output files, without extension (default: that of the recording, with .min)',
  },
  {
    name: 'start',
    value: '<command>',
    summary:
      'command that starts your service, executed for each replay on separate ports, as in sparring run --start; instead of --to',
  },
  {
    name: 'fixed',
    value: '<url or command>',
    summary:
      'URL of a fixed service, or a command that starts it, as in sparring run --start: the outputs must pass against it',
  },
  { name: 'force', summary: 'overwrite existing files' },
] as const satisfies readonly FlagRow[]

export const minimiseFlags: readonly (TrialFlag | (typeof ownFlags)[number])[] = [
  ...replayFlags.filter(isTrialFlag),
  ...ownFlags,
]

/** Groups of the flags in help. */
export const minimiseGroups = {
  Target: ['driver', 'to', 'start', 'fixed', 'as', 'config', 'dialect', 'port', 'allow-target'],
  Search: ['failure', 'at', 'max-replays', 'max-time', 'rules'],
  Replays: ['speed', 'max-gap', 'seed', 'fault', 'no-replay-headers'],
  Output: ['output', 'force', 'json', 'quiet', 'no-color'],
} as const satisfies FlagGroups<(typeof minimiseFlags)[number]['name']>

export type MinimiseFlags = OptionsOf<typeof minimiseArguments, typeof minimiseFlags> & {
  /** Index of the exchange whose failure is preferred: the one that is selected in the dashboard. */
  readonly place?: number
}
