/** The arguments and flags of `sparring report`, and the options that they are parsed into. */
import { controlFlags, noColorFlag, orderFlag } from '../flags.ts'
import type { OptionsOf } from '../verb.ts'

export const reportArguments = [
  {
    name: 'source',
    path: 'read',
    summary:
      'a recording, what sparring import reads, or the control URL of a session (default: the session that runs)',
  },
] as const

export const reportFlags = [
  {
    name: 'output',
    path: 'write',
    short: 'o',
    value: '<file>',
    summary:
      'the page (default: <recording>.report.html, or report.html for a session); - is stdout',
  },
  { name: 'force', summary: 'overwrite an existing file' },
  orderFlag,
  {
    name: 'failed',
    summary: 'only failed exchanges, and those with faults or that a verdict names',
  },
  {
    name: 'only',
    value: '<filter>',
    summary: 'only exchanges that match all terms, such as "confirmOrder status>=400"',
  },
  {
    name: 'limit',
    value: '<n>',
    summary: 'exchanges of the page at most, those that tell most first (default: 2000)',
    number: { min: 1, max: 50_000 },
  },
  noColorFlag,
  ...controlFlags,
] as const

export type ReportOptions = OptionsOf<typeof reportArguments, typeof reportFlags>
