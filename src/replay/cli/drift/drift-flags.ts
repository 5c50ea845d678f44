/** The arguments and flags of `sparring drift`, and the options that they are parsed into. */
import { sessionFlags } from '../../../terminal/cli/flags.ts'
import { type FlagRow, flagsNamed, type OptionsOf } from '../../../terminal/cli/verb.ts'
import { replayArguments, replayFlags } from '../replay/flags.ts'

export const driftArguments = replayArguments

const ownFlags = [
  {
    name: 'to',
    path: 'read',
    value: '<url|file>',
    summary:
      'URL of the partner’s sandbox, or a configuration (YAML, JSON) whose counterparts.<role>.url it is; it is called, wherever it is',
  },
  {
    name: 'slower-than',
    value: '<time>',
    summary:
      'an answer that takes longer than this, and than any recorded one of its operation, is drift, such as 2s (default: none is)',
  },
] as const satisfies readonly FlagRow[]

export const driftFlags = [
  ...ownFlags,
  ...flagsNamed(sessionFlags, ['config', 'dialect', 'contract']),
  ...flagsNamed(replayFlags, ['rules', 'only', 'same-ids', 'json', 'no-color']),
] as const

export type DriftFlags = OptionsOf<typeof driftArguments, typeof driftFlags>
