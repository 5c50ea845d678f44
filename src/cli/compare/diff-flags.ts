/** The arguments and flags of `sparring diff`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag } from '../flags.ts'
import type { OptionsOf } from '../verb.ts'

export const diffArguments = [
  { name: 'a', summary: 'the recording that is right', required: true },
  { name: 'b', summary: 'the recording that is held against it', required: true },
] as const

export const diffFlags = [
  {
    name: 'rules',
    value: '<file>',
    summary: 'what may differ (default: <a>.rules.json, when it is there)',
  },
  {
    name: 'reporter',
    value: '<name[=file]>',
    summary: 'pretty, json, junit or sarif, to a file or to stdout; may be given again',
    many: true,
  },
  jsonFlag,
  { name: 'all', summary: 'what is the same too, and what a rule accepts, with the rule' },
  { name: 'quiet', summary: 'nothing but what differs' },
  noColorFlag,
] as const

export type DiffOptions = OptionsOf<typeof diffArguments, typeof diffFlags>
