/** Flags shared by several verbs: one name, one meaning, one line of help. */
import { roleAliases, roles } from '../../core/protocol/role.ts'
import {
  channelChoices,
  clockNames,
  dialectChoice,
  replicaLimit,
  themeChoices,
} from './name-lists.ts'
import type { FlagGroups, FlagRow } from './verb.ts'

export const jsonFlag = {
  name: 'json',
  summary: 'print JSON on stdout instead of text',
} as const satisfies FlagRow

/** `--reporter` of a verb that has these. */
export const reporterFlag = (names: string) =>
  ({
    name: 'reporter',
    path: 'write',
    value: '<name[=file]>',
    summary: `${names}; to stdout or to a file; repeatable`,
    many: true,
  }) as const satisfies FlagRow

/** What an argument or flag that takes a role understands. */
export const roleChoice = { choices: roles, aliases: roleAliases } as const

export const noColorFlag = {
  name: 'no-color',
  summary: 'no colours (NO_COLOR, FORCE_COLOR and CI are respected too)',
} as const satisfies FlagRow

export const noMouseFlag = {
  name: 'no-mouse',
  summary: 'leave the mouse to the terminal, for selecting text in the dashboard (else shift+drag)',
} as const satisfies FlagRow

export const plainFlag = {
  name: 'plain',
  summary:
    'lines of text and a line prompt instead of a dashboard, for screen readers: no escape sequences, words in place of signs',
} as const satisfies FlagRow

export const themeFlag = {
  name: 'theme',
  value: '<name>',
  summary: 'colours of the dashboard (default: auto, the colours of the terminal)',
  choices: themeChoices,
} as const satisfies FlagRow

export const glyphsFlag = {
  name: 'glyphs',
  value: '<set>',
  summary: 'glyphs of the dashboard (default: by the locale)',
  choices: ['unicode', 'ascii'],
} as const satisfies FlagRow

export interface RawChoice {
  /** Nothing is redacted. */
  readonly raw: boolean
  /** It may be written where git does not ignore it. */
  readonly unsafe: boolean
}

export function rawChoiceOf(options: {
  readonly raw?: true
  readonly 'raw=unsafe'?: true
}): RawChoice {
  const unsafe = options['raw=unsafe'] === true
  return { raw: options.raw === true || unsafe, unsafe }
}

/** As `--raw`, and the recording may be written anywhere. */
export const unsafeRawFlag = {
  name: 'raw=unsafe',
  summary: 'like --raw, and allow any output path',
} as const satisfies FlagRow

export const configFlag = {
  name: 'config',
  path: 'read',
  short: 'c',
  value: '<file>',
  summary: 'configuration file (default: sparring.config.{yaml,json,ts} in the current directory)',
} as const satisfies FlagRow

/** Every verb that opens a session takes faults. */
export const faultFlag = {
  name: 'fault',
  value: '<fault>',
  summary:
    'add a fault to those of the configuration: drop:event=CONFIRMED, or a profile such as peak-hour (sparring list faults); repeatable',
  many: true,
} as const satisfies FlagRow

/** Every verb that sees traffic takes contracts. */
export const contractFlag = {
  name: 'contract',
  path: 'read',
  value: '<file[=role]>',
  summary:
    'compare every exchange with your own OpenAPI document (3.0 or 3.1) of a host, as one more rule; the role is found by its paths, or named: openapi.yaml=pos; repeatable',
  many: true,
} as const satisfies FlagRow

export const publicUrlFlag = {
  name: 'public-url',
  value: '<[role=]url>',
  summary:
    'URL under which others reach us, for manifests and events, when it is not the listening address: http://sparring for a container, oa=https://… for a tunnel to one role; repeatable',
  many: true,
} as const satisfies FlagRow

const portBounds = { min: 0, max: 65_535 }

/** Flags that configure a session; session-options.ts maps each to its configuration key. */
export const sessionFlags = [
  configFlag,
  {
    name: 'seed',
    value: '<n>',
    summary:
      'seed for generated data: the same seed gives the same ids (default: a new one for each up and run, which is printed)',
    number: { min: 0, max: Number.MAX_SAFE_INTEGER },
  },
  {
    name: 'clock',
    value: '<mode>',
    summary:
      'clock mode; stepped waits for each step, virtual jumps to the next due action (default: real)',
    choices: clockNames,
  },
  {
    name: 'speed',
    value: '<x>',
    summary: 'speed factor of the real clock',
    number: { min: 0.001, max: 1000, fraction: true },
  },
  {
    name: 'port',
    short: 'p',
    value: '<n>',
    summary: 'control port; the roles use the next four; 0 chooses free ports (default: 7100)',
    number: portBounds,
  },
  { name: 'host', value: '<address>', summary: 'address to listen on (default: 127.0.0.1)' },
  publicUrlFlag,
  { name: 'tls', summary: 'serve HTTPS with a certificate generated on this machine' },
  {
    name: 'as',
    value: '<role>',
    summary: 'role of your service; Sparring plays the others',
    ...roleChoice,
  },
  {
    name: 'dialect',
    ...dialectChoice,
  },
  { name: 'subject', value: '<url>', summary: 'URL of your service' },
  {
    name: 'replicas',
    value: '<n>',
    summary:
      'processes of your service that --start starts, each with its {port} and {replica}; calls go to them in turn',
    number: { min: 1, max: replicaLimit },
  },
  {
    name: 'channel',
    value: '<channel>',
    summary: 'how events are delivered (default: polling)',
    choices: channelChoices,
  },
  {
    name: 'menu',
    path: 'read',
    value: '<file>',
    summary: 'your menu: orders are generated from its items (CSV, JSON or YAML)',
  },
  {
    name: 'merchants',
    path: 'read',
    value: '<file>',
    summary: 'your merchants, instead of generated ones (CSV, JSON or YAML)',
  },
  {
    name: 'orders-every',
    value: '<time>',
    summary:
      'create an order at this interval, such as 5s; 0 for none (default: 5s when Sparring plays every role)',
  },
  faultFlag,
  contractFlag,
  {
    name: 'record',
    path: 'write',
    value: '<file>',
    summary:
      'record every exchange to this file, or, if the name ends with a slash, to a folder (for long recordings)',
  },
  {
    name: 'fsync',
    value: '<when>',
    summary: 'when the recording is flushed to disk (default: timer, ten times a second)',
    choices: ['each', 'timer', 'off'],
  },
  {
    name: 'tracing',
    summary:
      'export a span for each exchange by OpenTelemetry, to OTEL_EXPORTER_OTLP_ENDPOINT (default: http://127.0.0.1:4318)',
  },
  {
    name: 'keep-binary',
    summary: 'also record binary bodies, which cannot be redacted',
  },
] as const satisfies readonly FlagRow[]

/** Groups of the session flags in help. */
export const sessionGroups = {
  'Your service': ['as', 'subject', 'replicas', 'channel', 'dialect', 'contract'],
  Session: ['config', 'seed', 'clock', 'speed'],
  'Orders and faults': ['merchants', 'menu', 'orders-every', 'fault'],
  Network: ['port', 'host', 'public-url', 'tls'],
  Recording: ['record', 'fsync', 'keep-binary', 'tracing'],
} as const satisfies FlagGroups<(typeof sessionFlags)[number]['name']>

/** Flags of the verbs that connect to a running session. */
export const controlFlags = [
  {
    name: 'control',
    value: '<url>',
    summary:
      'control URL of the session (default: http://127.0.0.1:7100, or the only session that runs)',
  },
  {
    name: 'token',
    value: '<token>',
    summary: 'token of the session, for a session of another user or machine',
  },
] as const satisfies readonly FlagRow[]

export const orderFlag = {
  name: 'order',
  value: '<id>',
  summary: 'only this order: its slot (o1), its id or the beginning of it, or its number',
} as const satisfies FlagRow

export const limitFlag = {
  name: 'limit',
  value: '<n>',
  summary: 'maximum number of rows (default: 50)',
  number: { min: 1, max: 1000 },
} as const satisfies FlagRow

/** Default number of rows in a list. */
export const defaultLimit = 50
