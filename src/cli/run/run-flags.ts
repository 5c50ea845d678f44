/** The arguments and flags of `sparring run`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag, sessionFlags } from '../flags.ts'
import type { OptionsOf } from '../verb.ts'

export const runArguments = [
  {
    name: 'scenario',
    summary: 'files or patterns such as scenarios/*.yaml',
    required: true,
    many: true,
  },
] as const

export const runFlags = [
  ...sessionFlags,
  {
    name: 'start',
    value: '<command>',
    summary:
      'start your service with this, anew for each run, and stop it after; it finds our addresses in {ordering-application} … and in its environment, and the port to listen on in {port} and PORT',
  },
  {
    name: 'wait-for-subject',
    value: '<s>',
    summary:
      'how long your service may take to answer, or to call (default: 30 with --start, else 10)',
    number: { min: 0, max: 86_400, fraction: true },
  },
  { name: 'grep', value: '<text>', summary: 'only runs with this in their title' },
  { name: 'shard', value: '<k/n>', summary: 'only every n-th, from the k-th on: 1/4' },
  {
    name: 'repeat',
    value: '<n>',
    summary: 'play each so often; ends with 5 when the same one comes out differently',
    number: { min: 1, max: 1000 },
  },
  { name: 'bail', summary: 'stop at the first that fails' },
  {
    name: 'reporter',
    value: '<name[=file]>',
    summary:
      'pretty, json, junit, tap, sarif or github, to a file or to stdout; may be given again',
    many: true,
  },
  jsonFlag,
  { name: 'quiet', summary: 'nothing but what failed' },
  noColorFlag,
] as const

export type RunOptions = OptionsOf<typeof runArguments, typeof runFlags>
