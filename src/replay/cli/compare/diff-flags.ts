/** The arguments and flags of `sparring diff`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag, reporterFlag } from '../../../terminal/cli/flags.ts'
import type { OptionsOf } from '../../../terminal/cli/verb.ts'

export const diffArguments = [
  { name: 'a', path: 'read', summary: 'the reference recording', required: true },
  { name: 'b', path: 'read', summary: 'the recording to compare', required: true },
] as const

export const diffFlags = [
  {
    name: 'rules',
    path: 'read',
    value: '<file>',
    summary: 'rules for allowed differences (default: <a>.rules.json, if it exists)',
  },
  reporterFlag('pretty, json, junit or sarif'),
  jsonFlag,
  { name: 'all', summary: 'also print what is the same, and what a rule accepts, with the rule' },
  { name: 'quiet', summary: 'print differences only' },
  noColorFlag,
] as const

export type DiffOptions = OptionsOf<typeof diffArguments, typeof diffFlags>
