/** `sparring up`: starts the counterparts, with a dashboard on a terminal and log lines elsewhere. */
import { defineVerb } from '../../terminal/cli/verb.ts'
import { upArguments, upFlags, upGroups } from '../up/up-flags.ts'

export const upVerb = defineVerb({
  name: 'up',
  summary:
    'start a session with the partners of your service: a dashboard on a terminal, log lines otherwise',
  arguments: upArguments,
  flags: upFlags,
  groups: upGroups,
  details: `
Examples:
  sparring up                                           all four roles, talking to each other (live demo traffic)
  sparring up --as software-service                     your service polls our Ordering Application
  sparring up --as software-service --subject http://127.0.0.1:3000 --channel webhook
  sparring up --port 0 --ready-file ready.json --json   for scripts`,
  async run(options, io) {
    // One import for all modules of a session: importing them piece by piece would take longer.
    const { runUp } = await import('../up/run-up.ts')
    return runUp(options, io)
  },
})
