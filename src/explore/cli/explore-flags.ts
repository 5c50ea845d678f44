/** The flags of `sparring explore` and `sparring explore merge`, and the options that they are parsed into. */
import {
  glyphsFlag,
  jsonFlag,
  noColorFlag,
  noMouseFlag,
  plainFlag,
  reporterFlag,
  sessionFlags,
  themeFlag,
} from '../../terminal/cli/flags.ts'
import { runFlags } from '../../terminal/cli/run/run-flags.ts'
import {
  mergedShardsFlag,
  mergeWaitFlag,
  partFilesArgument,
  shardsFlag,
  uploadFlag,
} from '../../terminal/cli/shards/shard-flags.ts'
import {
  type FlagGroups,
  type FlagRow,
  flagsNamed,
  type OptionsOf,
} from '../../terminal/cli/verb.ts'

/** Flags of a session that a campaign does not set by itself. */
const sessionFlagNames = [
  'config',
  'clock',
  'speed',
  'port',
  'host',
  'public-url',
  'tls',
  'as',
  'dialect',
  'subject',
  'replicas',
  'channel',
  'menu',
  'merchants',
] as const

/** The folder of reproducers when none is named. */
export const defaultCorpus = 'regressions'
/** The time limit by default. */
export const defaultMaxTime = '5m'

const reporter = reporterFlag('pretty, json, junit, sarif or github')
const quietFlag = { name: 'quiet', summary: 'print what was found only' } as const satisfies FlagRow

const ownFlags = [
  {
    name: 'start',
    value: '<command>',
    summary:
      'command that starts your service, as in run: executed for each session and stopped after it; with --reset once for all of them',
  },
  {
    name: 'reset',
    value: '<command or url>',
    summary:
      'your service is kept: this command is run, or POST sent to this URL, before each session',
  },
  {
    name: 'crashes',
    summary:
      'also end your service, a few times in a session, and start it again; with --start, and for a service that keeps its orders when it ends',
  },
  {
    name: 'ghosts',
    summary:
      'also let another app of the store acknowledge events, confirm and cancel orders first; for a Software Service',
  },
  {
    name: 'evolution',
    summary: 'also write bodies as other implementations of the partner do (evolve)',
  },
  {
    name: 'allow-target',
    value: '<host>',
    summary: 'allow a service on this host; by default only this machine is called; repeatable',
    many: true,
  },
  {
    name: 'seed',
    value: '<n>',
    summary:
      'seed of the campaign: the same seed draws the same schedules (default: a new one, which is printed)',
    number: { min: 0, max: Number.MAX_SAFE_INTEGER },
  },
  {
    name: 'max-time',
    value: '<time>',
    summary: `time limit of the search, such as 30m (default: ${defaultMaxTime}, when no other limit is given)`,
  },
  {
    name: 'max-runs',
    value: '<n>',
    summary: 'maximum number of schedules, of all shards together',
    number: { min: 1, max: 1_000_000_000 },
  },
  {
    name: 'until',
    value: '<state>',
    summary: 'covered: stop when every kind of fault was exercised and little new is expected',
    choices: ['covered'],
  },
  {
    name: 'workload',
    path: 'read',
    value: '<name or file>',
    summary:
      'a built-in workload, or a scenario file whose orders and steps are played; repeatable (default: all built-in ones of the role)',
    many: true,
  },
  {
    name: 'concurrency',
    value: '<n>',
    summary:
      'schedules that run side by side, in one session at a time (default: found by itself, as many as your service and this machine allow: up to 384, or 96 in each of up to 8 sessions, where --start gives each a service of its own)',
    number: { min: 1, max: 384 },
  },
  {
    name: 'shard',
    value: '<k/n>',
    summary:
      'run only part k of n: 1/8 (default, and what auto insists on: from JOB_COMPLETION_INDEX with --shards, or the variables of GitLab, CircleCI, Buildkite, Semaphore, Bitbucket or Cloud Run)',
  },
  shardsFlag,
  {
    name: 'corpus',
    path: 'write',
    value: '<folder>',
    summary: `folder of reproducers: those in it are run first, new ones are written to it (default: ${defaultCorpus}); {part} in it, and in other names of outputs, is the number of the part`,
  },
  {
    name: 'out',
    path: 'write',
    short: 'o',
    value: '<file>',
    summary: 'write the records of the campaign to this file, for --resume and explore merge',
  },
  {
    name: 'resume',
    summary:
      'continue the campaign whose records are in the file of --out; where there are none yet, begin it',
  },
  uploadFlag,
  reporter,
  jsonFlag,
  quietFlag,
  noColorFlag,
  plainFlag,
  themeFlag,
  glyphsFlag,
  noMouseFlag,
] as const satisfies readonly FlagRow[]

export const exploreFlags = [
  ...flagsNamed(sessionFlags, sessionFlagNames),
  ...flagsNamed(runFlags, ['wait-for-subject']),
  ...ownFlags,
]

/** Groups of the flags in help. */
export const exploreGroups = {
  'Your service': [
    'as',
    'subject',
    'replicas',
    'start',
    'crashes',
    'ghosts',
    'evolution',
    'reset',
    'channel',
    'dialect',
    'wait-for-subject',
    'allow-target',
  ],
  Search: ['seed', 'max-time', 'max-runs', 'until', 'workload', 'concurrency', 'shard', 'shards'],
  'What is kept': ['corpus', 'out', 'resume', 'upload'],
  Session: ['config', 'clock', 'speed', 'merchants', 'menu'],
  Network: ['port', 'host', 'public-url', 'tls'],
  Output: ['reporter', 'json', 'quiet', 'no-color', 'plain', 'theme', 'glyphs', 'no-mouse'],
} as const satisfies FlagGroups<(typeof exploreFlags)[number]['name']>

export type ExploreFlags = OptionsOf<[], typeof exploreFlags>

export const exploreMergeArguments = [partFilesArgument] as const

export const exploreMergeFlags = [
  {
    name: 'corpus',
    path: 'write',
    value: '<folder>',
    summary: 'write the reproducers of all shards to this folder',
    isTypedOnly: true,
  },
  mergedShardsFlag,
  mergeWaitFlag,
  reporter,
  jsonFlag,
  quietFlag,
  noColorFlag,
] as const satisfies readonly FlagRow[]

export type MergeOptions = OptionsOf<typeof exploreMergeArguments, typeof exploreMergeFlags>
