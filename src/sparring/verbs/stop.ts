/** `sparring stop`: ends a session that runs on this machine, or all of them. */
import { jsonFlag, noColorFlag } from '../../terminal/cli/flags.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

export const stopVerb = defineVerb({
  name: 'stop',
  summary: 'stop a session that runs on this machine',
  arguments: [
    {
      name: 'which',
      summary: 'its process id, one of its ports or its control URL; not needed when only one runs',
    },
  ],
  flags: [
    { name: 'all', summary: 'stop every session of this user' },
    {
      name: 'token',
      value: '<token>',
      summary: 'token of the session, for a session of another user or machine',
    },
    jsonFlag,
    noColorFlag,
  ],
  details: `
The session ends as with Ctrl-C: its recording is completed and its summary printed, here too.
Exit codes: 0 ended, 1 it still runs, 2 several run and none is named, 3 there is none.

Examples:
  sparring stop          the only one
  sparring stop 7100     the one with this port
  sparring stop --all`,
  async run(options, io) {
    const { stopSessions } = await import('./support/stop-sessions.ts')
    return stopSessions(options, io)
  },
})
