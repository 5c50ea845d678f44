/** Flags shared by several verbs: one name, one meaning, one line of help. */
import { roleAliases, roles } from '../protocol/role.ts'
import { channelChoices, clockNames, dialectChoices } from './name-lists.ts'
import type { FlagRow } from './verb.ts'

export const jsonFlag = {
  name: 'json',
  summary: 'JSON on stdout instead of lines for people',
} as const satisfies FlagRow

/** What an argument or flag that takes a role understands. */
export const roleChoice = { choices: roles, aliases: roleAliases } as const

export const noColorFlag = {
  name: 'no-color',
  summary: 'no colours (NO_COLOR, FORCE_COLOR and CI are honoured too)',
} as const satisfies FlagRow

export interface RawWish {
  /** Nothing is redacted. */
  readonly raw: boolean
  /** It may be written where git does not ignore it. */
  readonly unsafe: boolean
}

export function rawWishOf(options: { readonly raw?: true; readonly 'raw=unsafe'?: true }): RawWish {
  const unsafe = options['raw=unsafe'] === true
  return { raw: options.raw === true || unsafe, unsafe }
}

/** As `--raw`, and the recording may be written anywhere. */
export const unsafeRawFlag = {
  name: 'raw=unsafe',
  summary: 'the same, to any place',
} as const satisfies FlagRow

export const configFlag = {
  name: 'config',
  short: 'c',
  value: '<file>',
  summary: 'configuration to read; else the sparring.config.{yaml,json,ts} that stands here',
} as const satisfies FlagRow

/** Every verb that opens a session takes faults. */
export const faultFlag = {
  name: 'fault',
  value: '<fault>',
  summary:
    'what goes wrong, besides what the configuration says: drop:event=CONFIRMED, a profile … (sparring list faults); may be given again',
  many: true,
} as const satisfies FlagRow

export const publicUrlFlag = {
  name: 'public-url',
  value: '<[role=]url>',
  summary:
    'where others find us, for manifests and events, when that is not the address to listen on: http://sparring for a container of that name, ordering-application=https://… for a tunnel; may be given again',
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
      'seed for generated data: the same seed gives the same ids (default: a new one for each up, which is printed; 42 in run)',
    number: { min: 0, max: Number.MAX_SAFE_INTEGER },
  },
  { name: 'clock', value: '<mode>', summary: 'how time passes', choices: clockNames },
  {
    name: 'speed',
    value: '<x>',
    summary: 'how fast the real clock runs',
    number: { min: 0.001, max: 1000, fraction: true },
  },
  {
    name: 'port',
    short: 'p',
    value: '<n>',
    summary: 'control port; the roles take the next four, 0 finds free ones (default: 7100)',
    number: portBounds,
  },
  { name: 'host', value: '<address>', summary: 'address to listen on (default: 127.0.0.1)' },
  publicUrlFlag,
  { name: 'tls', summary: 'HTTPS, with a certificate made on this machine' },
  {
    name: 'as',
    value: '<role>',
    summary: 'role of your service; we play the others',
    ...roleChoice,
  },
  {
    name: 'dialect',
    value: '<name>',
    summary: 'a partner’s way of speaking the protocol (default: that of the documents)',
    choices: dialectChoices,
  },
  { name: 'subject', value: '<url>', summary: 'where your service answers' },
  {
    name: 'channel',
    value: '<channel>',
    summary: 'how events are handed over (default: polling)',
    choices: channelChoices,
  },
  {
    name: 'menu',
    value: '<file>',
    summary: 'your menu: orders are made up from its items (CSV, JSON or YAML)',
  },
  {
    name: 'merchants',
    value: '<file>',
    summary: 'your merchants in place of the made-up ones (CSV, JSON or YAML)',
  },
  {
    name: 'orders-every',
    value: '<time>',
    summary: 'a new order this often, such as 5s; 0 for none (default: 5s when we play every role)',
  },
  faultFlag,
  {
    name: 'record',
    value: '<file>',
    summary:
      'record every exchange to this file, or for long into a folder: a name with a slash at its end',
  },
  {
    name: 'fsync',
    value: '<when>',
    summary: 'when the recording is forced to the disk (default: timer, ten times a second)',
    choices: ['each', 'timer', 'off'],
  },
  {
    name: 'keep-binary',
    summary: 'record bodies that are no text too, although nobody can redact them',
  },
] as const satisfies readonly FlagRow[]

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
    summary: 'its token, for a session of another user or machine',
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
  summary: 'this many at most (default: 50)',
  number: { min: 1, max: 1000 },
} as const satisfies FlagRow

/** Default number of rows in a list. */
export const defaultLimit = 50
