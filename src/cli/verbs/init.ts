/** `sparring init`: writes a commented configuration file. */
import { exitCode } from '../exit-code.ts'
import { printLine } from '../io.ts'
import { defineVerb } from '../verb.ts'

const file = 'sparring.config.yaml'

/** Settings with their defaults, or commented out where there is none; a test validates both. */
export const configurationTemplate = `# yaml-language-server: $schema=./sparring.schema.json
# Made by: sparring init. For completion in your editor: sparring schema config > sparring.schema.json
# Flags and SPARRING_<FLAG> in the environment win over this file.

# The seed for generated data: the same seed gives the same ids. Without it sparring up draws a new one each time and
# prints it, and sparring run takes 42. A service with a database knows the orders of a seed once it has had them.
# seed: 42

# real follows the wall, stepped waits for you, virtual jumps to whatever is due next.
clock: real

# The control API; the counterparts take the next four ports. 0 finds free ones.
host: 127.0.0.1
port: 7100

# Your service. We play the other roles.
subject:
  # role: software-service
  # url: http://127.0.0.1:3000
  webhooks: { orders: /webhooks/orders }
  # What your service identifies itself with. Webhooks to it are signed with this secret (X-App-Signature).
  credentials: { clientId: subject, clientSecret: secret }
  # Where scenarios have your service ask to cancel an order, as a person at its screen would.
  asks: { cancellation: '/probe/orders/{orderId}/request-cancellation' }
  # Where your service tells an order as it sees it, if it lets somebody look: verdicts compare both views then.
  # probe: /orders/{orderId}

counterparts:
  ordering-application:
    # What it identifies itself with at your service, for a token to send webhooks with.
    credentials: { clientId: sparring-ordering-application, clientSecret: secret-of-ordering-application }
    # How it hands events over: polling, webhook or both.
    channel: polling
    # How it behaves of its own accord: prompt, slow, forgetful or hostile.
    temperament: prompt
    orders:
      # A new order this often; without it, orders come from you: sparring orders create.
      # every: 5s
      mix: { DELIVERY: 6, TAKEOUT: 3, INDOOR: 1 }
  software-service:
    credentials: { clientId: sparring-software-service, clientSecret: secret-of-software-service }
    temperament: prompt

# The last segment of /.well-known/<name>, the prefix of scopes, and the version that manifests declare.
protocol: { name: protocol, scopePrefix: proto, version: v2 }

# What the protocol leaves open and partners do differently. More of it: sparring schema config.
conduct:
  errorBody: wrapped
  emptyPoll: 204
  invalidTransition: { orders: 409 }
  strict: false

# What goes wrong from the beginning. What there is: sparring list faults, and sparring list profiles.
# faults: [{ duplicate: { event: CONFIRMED } }, "drop:event=DISPATCHED,nth=1", peak-hour]

# How patient the verdicts about your service are: how long after the end of faults everything may take, how long a
# reaction may take in calm weather, how close polls may come, how long a webhook may wait, how often a call may be tried
# in one go, and how long calls may still come that were on their way.
tolerances: { converge: 2m, grace: 10s, pollGap: 500ms, webhook: 5s, tries: 6, coolDown: 10s, inFlight: 1s }

# recording: { file: traffic.har, redact: true }
`

export const initVerb = defineVerb({
  name: 'init',
  summary: `write a commented ${file} here`,
  flags: [{ name: 'force', summary: 'overwrite the one that is there' }],
  async run({ force }, io) {
    const { problem } = await import('../../problem.ts')
    const { saveOutput } = await import('../../edge/files/output.ts')
    try {
      await saveOutput(file, configurationTemplate, { replace: force === true, cwd: io.cwd })
    } catch (error) {
      const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
      throw problem(
        `writing ${file} in ${io.cwd}`,
        exists ? 'there is one already' : String(error instanceof Error ? error.message : error),
        exists ? 'Overwrite it with --force.' : 'Go to a folder that can be written to.',
      )
    }
    await printLine(io.stdout, file)
    await printLine(
      io.stderr,
      'For completion in your editor: sparring schema config > sparring.schema.json',
    )
    return exitCode.done
  },
})
