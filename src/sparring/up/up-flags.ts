/** The arguments and flags of `sparring up`, and the options that they are parsed into. */
import {
  glyphsFlag,
  jsonFlag,
  noColorFlag,
  noMouseFlag,
  plainFlag,
  roleChoice,
  sessionFlags,
  sessionGroups,
  themeFlag,
} from '../../terminal/cli/flags.ts'
import type { FlagGroups, OptionsOf } from '../../terminal/cli/verb.ts'

export const upArguments = [
  {
    name: 'role',
    summary: 'roles to start (default: all that your service does not play)',
    many: true,
    ...roleChoice,
  },
] as const

/** Without those about a service that is started beside it. */
export const sessionOnlyFlags = [
  ...sessionFlags,
  {
    name: 'watch',
    summary:
      'take over changes of the configuration file, and of the menu and merchants files that it names, while the session runs (default: with the dashboard)',
  },
  { name: 'no-watch', summary: 'read the configuration file at the start only' },
  { name: 'token', value: '<token>', summary: 'token that the control API requires' },
  {
    name: 'view-token',
    value: '<token>',
    summary:
      'another token, for viewers: with it the session can be looked at, and nothing be changed',
  },
  jsonFlag,
  {
    name: 'all',
    summary: 'also log the traffic between our own roles, not only that with your service',
  },
  { name: 'quiet', summary: 'only the readiness line and problems' },
  noColorFlag,
  plainFlag,
  themeFlag,
  glyphsFlag,
  noMouseFlag,
  {
    name: 'ready-file',
    path: 'write',
    value: '<path>',
    summary: 'also write the readiness line to this file, as JSON',
  },
  {
    name: 'credentials',
    value: '<how>',
    summary:
      'client id and secret of your service with characters that a form has to encode, drawn from the seed',
    choices: ['random'],
  },
  {
    name: 'wait-for-subject',
    value: '<s>',
    summary: 'wait up to this many seconds for your service to answer before the session starts',
    number: { min: 0, max: 86_400, fraction: true },
  },
] as const

export const upFlags = [
  ...sessionOnlyFlags,
  {
    name: 'start',
    value: '<command>',
    summary:
      'command that starts your service, as in run: executed before the session starts, which waits for its answer or call (30 seconds, or --wait-for-subject), again when it ends, and stopped with the session',
  },
] as const

/** Groups of the flags in help. */
export const sessionOnlyGroups = {
  ...sessionGroups,
  Session: [...sessionGroups.Session, 'watch', 'no-watch'],
  'Your service': [...sessionGroups['Your service'], 'wait-for-subject', 'credentials'],
  Network: [...sessionGroups.Network, 'token', 'view-token'],
  Output: [
    'all',
    'json',
    'quiet',
    'no-color',
    'plain',
    'theme',
    'glyphs',
    'no-mouse',
    'ready-file',
  ],
} as const satisfies FlagGroups<(typeof sessionOnlyFlags)[number]['name']>

export const upGroups = {
  ...sessionOnlyGroups,
  'Your service': [...sessionOnlyGroups['Your service'], 'start'],
} as const satisfies FlagGroups<(typeof upFlags)[number]['name']>

export type UpOptions = OptionsOf<typeof upArguments, typeof upFlags>
