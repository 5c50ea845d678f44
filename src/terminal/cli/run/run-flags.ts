/** The arguments and flags of `sparring run`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag, reporterFlag, sessionFlags, sessionGroups } from '../flags.ts'
import {
  mergedShardsFlag,
  mergeWaitFlag,
  partFilesArgument,
  shardsFlag,
  uploadFlag,
} from '../shards/shard-flags.ts'
import type { FlagGroups, FlagRow, OptionsOf } from '../verb.ts'

export const runArguments = [
  {
    name: 'scenario',
    path: 'read',
    summary: 'scenario files or patterns, such as scenarios/*.yaml',
    required: true,
    many: true,
  },
] as const

const reporter = reporterFlag('pretty, json, html, junit, tap, sarif or github')
const quietFlag = { name: 'quiet', summary: 'print failures only' } as const satisfies FlagRow

export const runFlags = [
  ...sessionFlags,
  {
    name: 'start',
    value: '<command>',
    summary:
      'command that starts your service, executed for each run and stopped after it; {ordering-application} … and environment variables hold our addresses, {port} and PORT the port to listen on, {folder} and SPARRING_FOLDER a folder for what outlasts a restart',
  },
  {
    name: 'wait-for-subject',
    value: '<s>',
    summary:
      'seconds to wait for the first answer or call of your service (default: 30 with --start, otherwise 10)',
    number: { min: 0, max: 86_400, fraction: true },
  },
  { name: 'grep', value: '<text>', summary: 'only runs with this in their title' },
  {
    name: 'shard',
    value: '<k/n>',
    summary:
      'run only part k of n: 1/4; auto: as JOB_COMPLETION_INDEX with --shards says, or the variables of GitLab, CircleCI, Buildkite, Semaphore, Bitbucket or Cloud Run',
  },
  shardsFlag,
  {
    name: 'repeat',
    value: '<n>',
    summary: 'run each scenario this many times; exits with 5 when its result varies',
    number: { min: 1, max: 1000 },
  },
  {
    name: 'parallel',
    value: '<n>',
    summary:
      'play this many runs side by side, each with a service of its own (--start), without --record; results come in order (default: 1)',
    number: { min: 1, max: 64 },
  },
  { name: 'bail', summary: 'stop at the first failure' },
  {
    name: 'require-exercised',
    summary:
      'fail a scenario when a rule that it claims (tests) was not exercised, instead of only saying so',
  },
  {
    name: 'out',
    path: 'write',
    short: 'o',
    value: '<file>',
    summary:
      'write each run to this file as it ends, for --resume and run merge; {part} in it, and in other names of outputs, is the number of the part',
  },
  {
    name: 'resume',
    summary: 'do not play again what is in the file of --out; where there is nothing yet, begin it',
  },
  uploadFlag,
  reporter,
  jsonFlag,
  quietFlag,
  noColorFlag,
] as const

/** Groups of the flags in help. */
export const runGroups = {
  ...sessionGroups,
  'Your service': [...sessionGroups['Your service'], 'start', 'wait-for-subject'],
  Selection: ['grep', 'shard', 'shards', 'repeat', 'parallel', 'bail', 'require-exercised'],
  'What is kept': ['out', 'resume', 'upload'],
  Output: ['reporter', 'json', 'quiet', 'no-color'],
} as const satisfies FlagGroups<(typeof runFlags)[number]['name']>

export type RunOptions = OptionsOf<typeof runArguments, typeof runFlags>

export const runMergeArguments = [partFilesArgument] as const

export const runMergeFlags = [
  mergedShardsFlag,
  mergeWaitFlag,
  reporter,
  jsonFlag,
  quietFlag,
  noColorFlag,
] as const

export type RunMergeOptions = OptionsOf<typeof runMergeArguments, typeof runMergeFlags>
