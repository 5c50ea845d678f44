/**
 * The arguments and flags of `sparring certify` and `sparring certify verify`, and the options that they are parsed
 * into.
 */
import {
  glyphsFlag,
  jsonFlag,
  noColorFlag,
  plainFlag,
  reporterFlag,
  sessionFlags,
  themeFlag,
} from '../../terminal/cli/flags.ts'
import { runFlags } from '../../terminal/cli/run/run-flags.ts'
import {
  type FlagGroups,
  type FlagRow,
  flagsNamed,
  type OptionsOf,
} from '../../terminal/cli/verb.ts'

/** Flags of a session that a certification does not set by itself. */
const sessionFlagNames = [
  'config',
  'seed',
  'port',
  'host',
  'public-url',
  'tls',
  'as',
  'dialect',
  'channel',
  'contract',
  'menu',
  'merchants',
] as const

export const certifyArguments = [
  { name: 'url', summary: 'URL of the service (default: that of the configuration file)' },
] as const

const ownFlags = [
  {
    name: 'profile',
    value: '<capabilities>',
    summary:
      'capabilities that are certified, such as orders,indoor (default: those that the manifest of the service declares)',
  },
  {
    name: 'only',
    value: '<clauses>',
    summary: 'clauses by their beginnings: ORD,AUT-TOK,ORD-TRA-02 (default: all)',
  },
  {
    name: 'data',
    path: 'read',
    value: '<file>',
    summary:
      'what exists at the service: merchants, tables, customers, programs and coupons, each a list of ids (YAML or JSON)',
  },
  {
    name: 'setup',
    value: '<command>',
    summary:
      'command that does at the service what no call of the protocol does: SPARRING_INSTRUCTION says it, SPARRING_WISH is its kind (create-order, cancel-order, deny-cancellation, emit-events, begin-anew, other), with SPARRING_ORDER_TYPE, SPARRING_ORDER (JSON: part of an order document, what it should have), SPARRING_ORDER_ID and SPARRING_EVENT_TYPES; for "other" SPARRING_OPERATION (the call to follow) at a SPARRING_TABLE, SPARRING_WHAT (what to show), SPARRING_CUSTOMER_ID, SPARRING_ACCOUNT_ID, SPARRING_POINTS and others; SPARRING_COMMANDS: those that do it in a session of Sparring, one a line',
  },
  { name: 'plan', summary: 'print what would be done, and what it needs; nothing is called' },
  {
    name: 'allow-target',
    value: '<host>',
    summary: 'allow a service on this host; by default only this machine is called; repeatable',
    many: true,
  },
  {
    name: 'bundle',
    path: 'write',
    value: '<file.tar>',
    summary:
      'write the report, the redacted recording and their hashes, for sparring certify verify',
  },
  reporterFlag('pretty, json, html, markdown, junit, sarif or github'),
  jsonFlag,
  { name: 'quiet', summary: 'print only what is not passed' },
  noColorFlag,
  plainFlag,
  themeFlag,
  glyphsFlag,
] as const satisfies readonly FlagRow[]

export const certifyFlags = [
  ...flagsNamed(sessionFlags, sessionFlagNames),
  ...flagsNamed(runFlags, ['wait-for-subject']),
  ...ownFlags,
]

/** Groups of the flags in help. */
export const certifyGroups = {
  Session: ['config', 'seed', 'host', 'port', 'public-url', 'tls', 'menu', 'merchants'],
  'Your service': [
    'as',
    'channel',
    'dialect',
    'contract',
    'wait-for-subject',
    'allow-target',
    'setup',
    'data',
  ],
  Selection: ['profile', 'only', 'plan'],
  Output: ['reporter', 'bundle', 'json', 'quiet', 'no-color', 'plain', 'theme', 'glyphs'],
} as const satisfies FlagGroups<(typeof certifyFlags)[number]['name']>

export type CertifyFlags = OptionsOf<typeof certifyArguments, typeof certifyFlags>

export const verifyArguments = [
  { name: 'bundle', path: 'read', summary: 'file that --bundle has written', required: true },
] as const
export const verifyFlags = [jsonFlag] as const
export type VerifyFlags = OptionsOf<typeof verifyArguments, typeof verifyFlags>
