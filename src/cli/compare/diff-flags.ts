/** The arguments and flags of `sparring diff`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag } from '../flags.ts'
import type { OptionsOf } from '../verb.ts'

export const diffArguments = [
  { name: 'a', summary: 'the reference recording', required: true },
  { name: 'b', summary: 'the recording to compare', required: true },
] as const

export const diffFlags = [
  {
    name: 'rules',
    value: '<file>',
    summary: 'rules for allowed differences (default: <a>.rules.json, if it exists)',
  },
  {
    name: 'reporter',
    value: '<name[=file]>',
    summary: 'pretty, json, junit or sarif; to stdout or to a file; repeatable',
    many: true,
  },
  jsonFlag,
  { name: 'all', summary: 'also print what is the same, and what a rule accepts, with the rule' },
  { name: 'quiet', summary: 'print differences only' },
  noColorFlag,
] as const

export type DiffOptions = OptionsOf<typeof diffArguments, typeof diffFlags>
