/** Flags of `sparring minimise`: the replay flags that apply to every trial, and the search limits. */
import { type replayArguments, replayFlags } from '../replay/flags.ts'
import type { FlagRow, OptionsOf } from '../verb.ts'

/** Without the flags for stepping, for repeating and for reports. */
const trialFlagNames = [
  'config',
  'to',
  'role',
  'speed',
  'max-gap',
  'rules',
  'seed',
  'fault',
  'allow-target',
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
    name: 'as',
    value: '<driver>',
    summary:
      'how each trial is played: client sends, both lets our counterparts decide again as they did (default: client with --to, else both)',
    // No `server`: the subject decides when to call, so no trial would end.
    choices: ['client', 'both'],
  },
  {
    name: 'max-replays',
    value: '<n>',
    summary: 'replays at most (default: 100)',
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
  { name: 'force', summary: 'write over what is there' },
] as const satisfies readonly FlagRow[]

export const minimiseFlags: readonly (TrialFlag | (typeof ownFlags)[number])[] = [
  ...replayFlags.filter(isTrialFlag),
  ...ownFlags,
]

export type MinimiseFlags = OptionsOf<typeof minimiseArguments, typeof minimiseFlags>
