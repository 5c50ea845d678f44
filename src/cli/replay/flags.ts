/** The arguments and flags of `sparring replay`, and the options that they are parsed into. */
import { configFlag, faultFlag, jsonFlag, noColorFlag, roleChoice } from '../flags.ts'
import { failureFlags } from './failure-flags.ts'
import type { FlagRow, OptionsOf } from '../verb.ts'
import { driverNames } from '../../traffic/replay/replay-report.ts'

export const replayArguments = [
  { name: 'recording', summary: 'a recording, such as bug.rec.ndjson', required: true },
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
  { name: 'to', value: '<url>', summary: 'your service, to which it is sent' },
  {
    name: 'subject',
    value: '<url>',
    summary: 'your service, to which the server pushes recorded webhooks when their causes are met',
  },
  {
    name: 'on-miss',
    value: '<answer>',
    summary:
      'what a call is answered that the recording does not know: fail (501, and why), synth, a status, or forward=<url>: the partner there, and it is recorded (default: synth on a terminal, else fail)',
  },
  { name: 'synth', summary: 'our state machine answers what the recording does not know' },
  { name: 'faithful-failures', summary: 'failed attempts answer as they did, before the good one' },
  { name: 'require-all', summary: 'what your service does not ask for differs' },
  {
    name: 'until',
    value: '<end>',
    summary: 'the server ends when all of the recording was asked for',
    choices: ['all'],
  },
  {
    name: 'idle',
    value: '<time>',
    summary:
      'the server ends after so long without calls but polls that bring nothing, such as 30s',
  },
  {
    name: 'no-answers',
    summary: 'what your service calls meanwhile is not answered from the recording',
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
      'original (the time of the recorded session, whatever its clock), 2x (twice as fast), asap (no waiting but for causes) (default: original)',
  },
  {
    name: 'rate',
    value: '<n>',
    summary: 'so many a second, whatever its own times are',
    number: { min: 0.001, max: 100_000, fraction: true },
  },
  { name: 'step', summary: 'one at a time: Enter sends the next' },
  { name: 'max-gap', value: '<time>', summary: 'no pause is longer, such as 2s' },
  {
    name: 'timing',
    value: '<timing>',
    summary:
      'when your service is slower than recorded: causal delays the requests that depend on its answers, recorded keeps the recorded times (default: causal)',
    choices: ['causal', 'recorded'],
  },
  { name: 'same-ids', summary: 'our ids as they were recorded, instead of fresh ones' },
  {
    name: 'repeat',
    value: '<k>',
    summary: 'send each request this many times',
    number: { min: 2, max: 100 },
  },
  {
    name: 'twice',
    summary: 'replay twice to find out what changes by itself; ends with 5 when nobody can tell',
  },
  {
    name: 'write-rules',
    summary:
      'with --twice: add what changes by itself to the rules of the recording, each with its reason',
  },
  {
    name: 'only',
    value: '<filter>',
    summary: 'only these: words that all hold, such as "confirmOrder to:SS !failed", or \'#147\'',
  },
  {
    name: 'from',
    value: '<#n>',
    summary: 'begin with this exchange: what came before counts as done',
  },
  {
    name: 'set',
    value: '<edit>',
    summary:
      'change an exchange before it is played, such as \'#147 $.reason="x"\'; may be given again',
    many: true,
  },
  { name: 'rules', value: '<file>', summary: 'what may differ, as sparring diff takes it' },
  { name: 'map', value: '<file>', summary: 'write old and new names to this file' },
  {
    name: 'seed',
    value: '<n>',
    summary: 'what fresh ids grow from (default: another one each time; the report says which)',
    number: { min: 0, max: Number.MAX_SAFE_INTEGER },
  },
  faultFlag,
  {
    name: 'allow-target',
    value: '<host>',
    summary: 'send to this host, which is not this machine; may be given again',
    many: true,
  },
  { name: 'no-replay-headers', summary: 'without X-Replay-Run and X-Replay-Of' },
  ...failureFlags,
  { name: 'bisect', summary: 'for git bisect run: what proves nothing (3, 4, 5) ends with 125' },
  {
    name: 'port',
    short: 'p',
    value: '<n>',
    summary:
      'our ports, as of sparring up; 0 finds free ones (default: those of sparring up, where your service looks for us)',
    number: { min: 0, max: 65_535 },
  },
  {
    name: 'reporter',
    value: '<name[=file]>',
    summary: 'pretty, json, junit or sarif, to a file or to stdout; may be given again',
    many: true,
  },
  {
    name: 'record',
    value: '<file>',
    summary:
      'record what happens now to this file (default with --on-miss forward: recordings/<time>-<role>.rec.ndjson)',
  },
  jsonFlag,
  {
    name: 'ready-file',
    value: '<path>',
    summary: 'write the readiness of the server as JSON to this file too',
  },
  { name: 'quiet', summary: 'nothing but what differs' },
  noColorFlag,
] as const satisfies readonly FlagRow[]

export type ReplayFlags = OptionsOf<typeof replayArguments, typeof replayFlags>
