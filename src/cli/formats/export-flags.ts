/** The arguments and flags of `sparring export`, and the options that they are parsed into. */
import { noColorFlag } from '../flags.ts'
import type { OptionsOf } from '../verb.ts'

export const exportArguments = [
  { name: 'recording', summary: 'a recording', required: true },
] as const

export const exportFlags = [
  {
    name: 'format',
    value: '<format>',
    summary:
      'har, curl, scenario, vitest, k6, or recording for a part of it (default: what the output is called, else har)',
  },
  {
    name: 'only',
    value: '<filter>',
    summary: 'only these: words that all hold, such as "seq>=1000 seq<2000 !idle" or an order’s id',
  },
  { name: 'output', short: 'o', value: '<file>', summary: 'where to (default: stdout)' },
  { name: 'force', summary: 'write over a file that is there already' },
  { name: 'plain', summary: 'har: without what only we can read' },
  { name: 'base', value: '<url>', summary: 'where requests go, in place of where they went' },
  noColorFlag,
] as const

export type ExportOptions = OptionsOf<typeof exportArguments, typeof exportFlags>
