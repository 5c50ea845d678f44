/** The arguments and flags of `sparring export`, and the options that they are parsed into. */
import { noColorFlag } from '../../../terminal/cli/flags.ts'
import type { OptionsOf } from '../../../terminal/cli/verb.ts'

export const exportArguments = [
  { name: 'recording', path: 'read', summary: 'a recording', required: true },
] as const

export const exportFlags = [
  {
    name: 'format',
    value: '<format>',
    summary:
      'har, curl, scenario, vitest, k6, or recording for part of it (default: by the name of the output, otherwise har)',
  },
  {
    name: 'only',
    value: '<filter>',
    summary:
      'only exchanges that match all terms, such as "seq>=1000 seq<2000 !idle", or the id of an order',
  },
  {
    name: 'output',
    path: 'write',
    short: 'o',
    value: '<file>',
    summary: 'output file (default: stdout)',
  },
  { name: 'force', summary: 'overwrite an existing file' },
  { name: 'plain', summary: 'with har: without our own extensions', isTypedOnly: true },
  { name: 'base', value: '<url>', summary: 'base URL for requests, instead of the recorded one' },
  noColorFlag,
] as const

export type ExportOptions = OptionsOf<typeof exportArguments, typeof exportFlags>
