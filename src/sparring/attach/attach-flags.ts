/** The arguments and flags of `sparring attach`. */
import {
  controlFlags,
  glyphsFlag,
  jsonFlag,
  noColorFlag,
  noMouseFlag,
  plainFlag,
  themeFlag,
} from '../../terminal/cli/flags.ts'
import type { FlagGroups, OptionsOf } from '../../terminal/cli/verb.ts'

export const attachArguments = [
  {
    name: 'url',
    summary:
      'control URL of the session, as sparring up printed it (default: http://127.0.0.1:7100, or the only session that runs)',
  },
] as const

export const attachFlags = [
  {
    name: 'read-only',
    summary: 'look only: keys that change something say so and do nothing',
  },
  {
    name: 'give-up',
    value: '<s>',
    summary:
      'end after this many seconds without a connection (default: never with a dashboard, 60 with log lines)',
    number: { min: 0, max: 86_400, fraction: true },
  },
  ...controlFlags,
  {
    name: 'ca',
    path: 'read',
    value: '<file>',
    summary:
      'certificate authority to trust for an https URL, as PEM (NODE_EXTRA_CA_CERTS is respected too)',
  },
  jsonFlag,
  { name: 'all', summary: 'in the log, also the traffic between the roles that the session plays' },
  { name: 'new', summary: 'in the log, only what happens from now on' },
  noColorFlag,
  plainFlag,
  themeFlag,
  glyphsFlag,
  noMouseFlag,
] as const

/** Groups of the flags in help. */
export const attachGroups = {
  Session: ['read-only', 'give-up', 'control', 'token', 'ca'],
  Output: ['json', 'all', 'new', 'no-color', 'plain', 'theme', 'glyphs', 'no-mouse'],
} as const satisfies FlagGroups<(typeof attachFlags)[number]['name']>

export type AttachFlags = OptionsOf<typeof attachArguments, typeof attachFlags>
