/** The arguments and flags of `sparring replay`, and the options that they are parsed into. */
import {
  configFlag,
  contractFlag,
  faultFlag,
  jsonFlag,
  noColorFlag,
  noMouseFlag,
  plainFlag,
  reporterFlag,
  roleChoice,
} from '../../../terminal/cli/flags.ts'
import type { FlagGroups, FlagRow, OptionsOf } from '../../../terminal/cli/verb.ts'
import { driverNames } from '../../../core/traffic/recording/replay-report.ts'

/** The flags that say which failure is meant; apart from their use, since every start loads all flags. */
const failureFlags = [
  {
    name: 'failure',
    value: '<n or text>',
    summary:
      'select a failure by its number in the list that a replay prints, or by part of its text',
  },
  {
    name: 'at',
    value: '<#n>',
    summary: "select the failure at this exchange of the recording, such as '#147'",
  },
] as const satisfies readonly FlagRow[]

export interface FailureChoiceFlags {
  readonly failure?: string | undefined
  readonly at?: string | undefined
  /** `recordId` of an exchange whose failure is taken where it has one and no flag says otherwise. */
  readonly preferred?: string
}

export const replayArguments = [
  {
    name: 'recording',
    path: 'read',
    summary: 'a recording, such as bug.rec.ndjson',
    required: true,
  },
] as const

export const replayFlags = [
  configFlag,
  {
    name: 'driver',
    value: '<driver>',
    summary:
      'how it is replayed: client sends the recorded requests to your service, server answers the requests of your service, partner runs our state machine with the decisions of the recorded partner (default: client with --to, else partner)',
    choices: driverNames,
  },
  { name: 'to', value: '<url>', summary: 'URL of your service, to which requests are sent' },
  {
    name: 'start',
    value: '<command>',
    summary:
      'command that starts your service, as in sparring run --start; instead of --to: it is ended and started again where the recording says so',
  },
  {
    name: 'subject',
    value: '<url>',
    summary: 'with --driver server: URL of your service, for recorded webhooks',
  },
  {
    name: 'on-miss',
    value: '<answer>',
    summary:
      'answer to a call that is not in the recording: fail (501 with the reason), synth (by our state machine), a status, or forward=<url> (by the partner there, and recorded) (default: synth on a terminal, otherwise fail)',
  },
  { name: 'synth', summary: 'short for --on-miss synth' },
  {
    name: 'faithful-failures',
    summary: 'answer recorded failed attempts as recorded, before the successful one',
  },
  {
    name: 'require-all',
    summary: 'a recorded call that your service does not make is a difference',
  },
  {
    name: 'until',
    value: '<end>',
    summary: 'stop the server when every recorded call was made',
    choices: ['all'],
  },
  {
    name: 'idle',
    value: '<time>',
    summary: 'stop the server after this time without calls other than idle polls, such as 30s',
  },
  {
    name: 'no-answers',
    summary: 'do not answer calls of your service from the recording',
  },
  {
    name: 'call-timeout',
    value: '<time>',
    summary:
      'how long to wait for a call that your service makes in the recording (default: derived from the recording)',
  },
  {
    name: 'as',
    value: '<role>',
    summary: 'role of your service (default: that of the service in the recording)',
    ...roleChoice,
  },
  {
    name: 'speed',
    value: '<speed>',
    summary:
      'original (recorded session time), 2x (twice as fast), or asap (wait for causes only) (default: original)',
  },
  {
    name: 'rate',
    value: '<n>',
    summary: 'send this many requests per second, instead of at recorded times',
    number: { min: 0.001, max: 100_000, fraction: true },
  },
  { name: 'step', summary: 'send one request at a time: Enter sends the next' },
  { name: 'max-gap', value: '<time>', summary: 'longest pause between requests, such as 2s' },
  {
    name: 'timing',
    value: '<timing>',
    summary:
      'when your service is slower than recorded: causal delays the requests that depend on its answers, recorded keeps the recorded times (default: causal)',
    choices: ['causal', 'recorded'],
  },
  { name: 'same-ids', summary: 'keep recorded ids instead of generating new ones' },
  {
    name: 'repeat',
    value: '<k>',
    summary: 'send each request this many times',
    number: { min: 2, max: 100 },
  },
  {
    name: 'twice',
    summary:
      'replay twice to detect values that change by themselves; exits with 5 when that is not possible',
  },
  {
    name: 'write-rules',
    summary:
      'with --twice: add values that change by themselves to the rules of the recording, each with a reason',
  },
  {
    name: 'only',
    value: '<filter>',
    summary:
      'only exchanges that match all terms, such as "confirmOrder to:SS !failed", or \'#147\'',
  },
  {
    name: 'from',
    value: '<#n>',
    summary: 'start with this exchange; earlier ones count as done',
  },
  {
    name: 'set',
    value: '<edit>',
    summary: 'edit an exchange before it is replayed, such as \'#147 $.reason="x"\'; repeatable',
    many: true,
  },
  { name: 'dialect', path: 'read', value: '<name|file>', summary: 'dialect of the recording' },
  contractFlag,
  {
    name: 'rules',
    path: 'read',
    value: '<file>',
    summary: 'rules for allowed differences, as in sparring diff',
  },
  {
    name: 'map',
    path: 'write',
    value: '<file>',
    summary: 'write recorded and new ids to this file',
  },
  {
    name: 'seed',
    value: '<n>',
    summary: 'seed for new ids (default: a new one for each replay; the report names it)',
    number: { min: 0, max: Number.MAX_SAFE_INTEGER },
  },
  faultFlag,
  {
    name: 'allow-target',
    value: '<host>',
    summary: 'allow this target host, which is not this machine; repeatable',
    many: true,
  },
  { name: 'no-replay-headers', summary: 'do not send X-Replay-Run and X-Replay-Of' },
  ...failureFlags,
  {
    name: 'bisect',
    summary: 'for git bisect run: exit with 125 instead of 3, 4 and 5, which prove nothing',
  },
  {
    name: 'port',
    short: 'p',
    value: '<n>',
    summary: 'base port, as in sparring up; 0 chooses free ports (default: 7100)',
    number: { min: 0, max: 65_535 },
  },
  reporterFlag('pretty, json, junit or sarif'),
  {
    name: 'record',
    path: 'write',
    value: '<file>',
    summary:
      'record the replay to this file (default with --on-miss forward: recordings/<time>-<role>.rec.ndjson)',
  },
  jsonFlag,
  {
    name: 'ready-file',
    path: 'write',
    value: '<path>',
    summary: 'also write the readiness line of the server to this file, as JSON',
  },
  { name: 'quiet', summary: 'print differences only' },
  noColorFlag,
  plainFlag,
  noMouseFlag,
] as const satisfies readonly FlagRow[]

/** Groups of the flags in help. */
export const replayGroups = {
  Target: ['driver', 'to', 'start', 'as', 'subject', 'config', 'dialect', 'port', 'allow-target'],
  Selection: ['only', 'from', 'set', 'repeat'],
  Timing: ['speed', 'rate', 'max-gap', 'timing', 'step'],
  'Ids and faults': ['same-ids', 'seed', 'map', 'fault', 'no-replay-headers'],
  'Answers to your service': [
    'on-miss',
    'synth',
    'faithful-failures',
    'no-answers',
    'require-all',
    'until',
    'idle',
    'call-timeout',
  ],
  Comparison: ['rules', 'contract', 'twice', 'write-rules', 'failure', 'at', 'bisect'],
  Output: ['reporter', 'json', 'quiet', 'no-color', 'plain', 'no-mouse', 'record', 'ready-file'],
} as const satisfies FlagGroups<(typeof replayFlags)[number]['name']>

export type ReplayFlags = OptionsOf<typeof replayArguments, typeof replayFlags>
