/** The verbs about running sessions: up, attach, status, reset and stop. */
import { defineVerb } from '../../terminal/cli/verb.ts'
import { upArguments, upFlags, upGroups } from '../up/up-flags.ts'
import { attachArguments, attachFlags, attachGroups } from '../attach/attach-flags.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { jsonFlag, noColorFlag } from '../../terminal/cli/flags.ts'
import { printJson, printLine } from '../../terminal/cli/io.ts'
import { defineSessionVerb } from './support/session-verb.ts'

/**
 * `sparring up`: starts the counterparts, with a dashboard on a terminal and log lines elsewhere.
 */
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

/**
 * `sparring attach`: the dashboard or the log of a session that runs in another process, or on
 * another machine.
 */
export const attachVerb = defineVerb({
  name: 'attach',
  summary:
    'open the dashboard of a session that runs elsewhere: in a container, in CI, of a colleague',
  arguments: attachArguments,
  flags: attachFlags,
  groups: attachGroups,
  details: `
Several viewers can be attached to a session, each with a screen of its own. Quitting leaves the session as it is. Where the
session asks for a token, the one of --token or SPARRING_TOKEN is sent; else it is asked for on the terminal. When the
connection is lost, the viewer connects again and says what came meanwhile (W shows it).

Examples:
  sparring attach                                      the session that runs on this machine
  sparring attach http://ci-4.example:7100 --read-only
  sparring attach https://sparring.example --ca ca.pem --token "$TOKEN"
  sparring attach http://127.0.0.1:7100 --json         the log as NDJSON, until the session ends

Exits with 0 when it is quit, or when the session of a log is stopped, 2 when a flag is wrong or the session has another
version, 3 when no session answers or the token is wrong.`,
  run: async (options, io) => (await import('../attach/run-attach.ts')).runAttach(options, io),
})

/** `sparring status`: the sessions that run on this machine. */
export const statusVerb = defineVerb({
  name: 'status',
  summary: 'list the sessions that run on this machine',
  flags: [jsonFlag, noColorFlag],
  details: `
It lists what sparring up, record and replay --driver server of this user have started. Stop one with: sparring stop`,
  async run({ json }, io) {
    const { readSessionRegistry } = await import('../../core/runtime/registry/session-registry.ts')
    const { reportBrokenFiles, sessionJson, sessionText } =
      await import('./support/session-status.ts')
    const registry = readSessionRegistry()
    await reportBrokenFiles(registry, io)
    const { sessions } = registry
    if (json) await printJson(io, await Promise.all(sessions.map(sessionJson)))
    else if (sessions.length === 0)
      await printLine(io.stderr, 'no session runs; start one with: sparring up')
    else await printLine(io.stdout, (await Promise.all(sessions.map(sessionText))).join('\n\n'))
    return exitCode.done
  },
})

/** `sparring reset`: a fresh world in a running session. */
export const resetVerb = defineSessionVerb({
  name: 'reset',
  summary: 'a fresh world in a running session: no orders, the faults of its configuration',
  flags: [
    {
      name: 'seed',
      value: '<n>',
      summary:
        'the seed for generated data (default: the one after that of the world before, so that no id comes again)',
      number: { min: 0, max: Number.MAX_SAFE_INTEGER },
      isTypedOnly: true,
    },
  ],
  async run({ seed }, { connect, print, io }) {
    const session = await connect()
    await session.reset(seed)
    const { info } = await session.look({})
    return print({ seed: info.seed }, () =>
      printLine(io.stdout, `a fresh world, seed ${info.seed}`),
    )
  },
})

/** `sparring stop`: ends a session that runs on this machine, or all of them. */
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
