/** `sparring attach`: the dashboard or the log of a session that runs in another process, or on another machine. */
import { attachArguments, attachFlags, attachGroups } from '../attach/attach-flags.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

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
  async run(options, io) {
    const { runAttach } = await import('../attach/run-attach.ts')
    return runAttach(options, io)
  },
})
