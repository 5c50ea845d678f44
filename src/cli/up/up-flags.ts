/** The arguments and flags of `sparring up`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag, roleChoice, sessionFlags } from '../flags.ts'
import { themeChoices } from '../name-lists.ts'
import type { OptionsOf } from '../verb.ts'

export const upArguments = [
  {
    name: 'role',
    summary: 'roles to start; all that your service does not play when none is named',
    many: true,
    ...roleChoice,
  },
] as const

export const upFlags = [
  ...sessionFlags,
  { name: 'token', value: '<token>', summary: 'token that the control API asks for' },
  jsonFlag,
  {
    name: 'all',
    summary:
      'also log what our counterparts say to each other, not only what concerns your service',
  },
  { name: 'quiet', summary: 'nothing but the readiness line and problems' },
  noColorFlag,
  {
    name: 'theme',
    value: '<name>',
    summary: 'colours of the dashboard (default: auto, those of the terminal)',
    choices: themeChoices,
  },
  {
    name: 'glyphs',
    value: '<set>',
    summary: 'signs of the dashboard; by the locale when not given',
    choices: ['unicode', 'ascii'],
  },
  { name: 'ready-file', value: '<path>', summary: 'write the readiness as JSON to this file too' },
  {
    name: 'wait-for-subject',
    value: '<s>',
    summary: 'wait so many seconds for your service to answer before anything starts',
    number: { min: 0, max: 86_400, fraction: true },
  },
] as const

export type UpOptions = OptionsOf<typeof upArguments, typeof upFlags>
