/** Flags of `sparring minimise`: the replay flags that apply to every trial, and the search limits. */
import { type replayArguments, replayFlags } from '../replay/flags.ts'
import { driverNames } from '../../traffic/replay/replay-report.ts'
import type { FlagRow, OptionsOf } from '../verb.ts'

/** Without the flags for stepping, for repeating and for reports. */
const trialFlagNames = [
  'config',
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
  { name: 'recording', summary: 'a recording that fails, such as bug.rec.ndjson', required: true },
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
    summary: 'replays at most (default: 60)',
    number: { min: 4, max: 10_000 },
  },
  { name: 'max-time', value: '<time>', summary: 'no longer than this (default: 5m)' },
  {
    name: 'output',
    short: 'o',
    value: '<name>',
    summary:
      'beginning of the names of what is written (default: that of the recording, with .min)',
  },
  {
    name: 'start',
    value: '<command>',
    summary:
      'start your service with this, anew for each replay, on ports of its own, as by sparring run --start; instead of --to',
  },
  {
    name: 'fixed',
    value: '<url or command>',
    summary:
      'a mended service: what is written must pass there; a command is started as by sparring run --start, with ports of its own',
  },
  { name: 'force', summary: 'write over what is there' },
] as const satisfies readonly FlagRow[]

export const minimiseFlags: readonly (TrialFlag | (typeof ownFlags)[number])[] = [
  ...replayFlags.filter(isTrialFlag),
  ...ownFlags,
]

export type MinimiseFlags = OptionsOf<typeof minimiseArguments, typeof minimiseFlags> & {
  /** Index of the exchange whose failure is preferred: the one that is selected in the dashboard. */
  readonly place?: number
}
