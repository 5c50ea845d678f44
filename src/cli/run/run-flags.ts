/** The arguments and flags of `sparring run`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag, sessionFlags, sessionGroups } from '../flags.ts'
import type { FlagGroups, OptionsOf } from '../verb.ts'

export const runArguments = [
  {
    name: 'scenario',
    summary: 'scenario files or patterns, such as scenarios/*.yaml',
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
      'command that starts your service, executed for each run and stopped after it; {ordering-application} … and environment variables hold our addresses, {port} and PORT the port to listen on',
  },
  {
    name: 'wait-for-subject',
    value: '<s>',
    summary:
      'seconds to wait for the first answer or call of your service (default: 30 with --start, otherwise 10)',
    number: { min: 0, max: 86_400, fraction: true },
  },
  { name: 'grep', value: '<text>', summary: 'only runs with this in their title' },
  { name: 'shard', value: '<k/n>', summary: 'run only part k of n: 1/4' },
  {
    name: 'repeat',
    value: '<n>',
    summary: 'run each scenario this many times; exits with 5 when its result varies',
    number: { min: 1, max: 1000 },
  },
  { name: 'bail', summary: 'stop at the first failure' },
  {
    name: 'reporter',
    value: '<name[=file]>',
    summary: 'pretty, json, html, junit, tap, sarif or github; to stdout or to a file; repeatable',
    many: true,
  },
  jsonFlag,
  { name: 'quiet', summary: 'print failures only' },
  noColorFlag,
] as const

/** Groups of the flags in help. */
export const runGroups = {
  ...sessionGroups,
  'Your service': [...sessionGroups['Your service'], 'start', 'wait-for-subject'],
  Selection: ['grep', 'shard', 'repeat', 'bail'],
  Output: ['reporter', 'json', 'quiet', 'no-color'],
} as const satisfies FlagGroups<(typeof runFlags)[number]['name']>

export type RunOptions = OptionsOf<typeof runArguments, typeof runFlags>
