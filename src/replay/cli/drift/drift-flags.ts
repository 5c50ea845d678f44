/** The arguments and flags of `sparring drift`, and the options that they are parsed into. */
import {
  configFlag,
  contractFlag,
  jsonFlag,
  noColorFlag,
  roleChoice,
} from '../../../terminal/cli/flags.ts'
import { dialectChoice } from '../../../terminal/cli/name-lists.ts'
import type { FlagRow, OptionsOf } from '../../../terminal/cli/verb.ts'

export const driftArguments = [
  {
    name: 'recording',
    path: 'read',
    summary: 'a recording with calls of your service to the partner',
    required: true,
  },
] as const

export const driftFlags = [
  {
    name: 'to',
    value: '<url|file>',
    summary:
      'URL of the partner’s sandbox, or a configuration whose counterparts.<role>.url it is; it is called, wherever it is',
  },
  {
    name: 'as',
    value: '<role>',
    summary: 'role of the partner (default: the one that your service calls in the recording)',
    ...roleChoice,
  },
  configFlag,
  { name: 'dialect', ...dialectChoice },
  contractFlag,
  {
    name: 'rules',
    path: 'read',
    value: '<file>',
    summary: 'rules for allowed differences, as in sparring diff',
  },
  {
    name: 'only',
    value: '<filter>',
    summary: 'only exchanges that match all terms, such as "getOrder !failed", or \'#147\'',
  },
  {
    name: 'slower-than',
    value: '<time>',
    summary:
      'an answer that takes longer than this, and than any recorded one of its operation, is drift, such as 2s (default: none is)',
  },
  { name: 'same-ids', summary: 'keep recorded ids instead of generating new ones' },
  jsonFlag,
  noColorFlag,
] as const satisfies readonly FlagRow[]

export type DriftFlags = OptionsOf<typeof driftArguments, typeof driftFlags>
