/** `sparring up`: starts the counterparts, and shows them: a dashboard on a terminal, log lines elsewhere. */
import { jsonFlag, noColorFlag, sessionFlags } from '../flags.ts'
import { roleNames, themes } from '../name-lists.ts'
import { defineVerb, type OptionsOf } from '../verb.ts'

const args = [
  {
    name: 'role',
    summary: 'roles to start; all that your service does not play when none is named',
    many: true,
    choices: roleNames,
  },
] as const

const flags = [
  ...sessionFlags,
  { name: 'token', value: '<token>', summary: 'token that the control API asks for' },
  jsonFlag,
  { name: 'quiet', summary: 'nothing but the readiness line and problems' },
  noColorFlag,
  {
    name: 'theme',
    value: '<name>',
    summary: 'colours of the dashboard (default: auto, those of the terminal)',
    choices: themes,
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
    number: { least: 0, most: 86_400, fraction: true },
  },
] as const

export type UpOptions = OptionsOf<typeof args, typeof flags>

export const up = defineVerb({
  name: 'up',
  summary: 'start counterparts; dashboard on a terminal, log lines otherwise',
  arguments: args,
  flags,
  details: `
Examples:
  sparring up                                           everybody, talking to each other
  sparring up --as software-service                     your service polls our Ordering Application
  sparring up --as software-service --subject http://127.0.0.1:3000 --channel webhook
  sparring up --port 0 --ready-file ready.json --json   for scripts`,
  async run(options, io) {
    // All that a session needs comes at once: to fetch it piece by piece would take longer.
    const { runUp } = await import('../up/run-up.ts')
    return runUp(options, io)
  },
})
