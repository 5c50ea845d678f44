/** `sparring minimise`: the smallest part of a recording that still fails. */
import { minimiseArguments, minimiseFlags, minimiseGroups } from './minimise/flags.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

export const minimiseVerb = defineVerb({
  name: 'minimise',
  summary: 'reduce a recording to the smallest part that still fails',
  arguments: minimiseArguments,
  flags: minimiseFlags,
  groups: minimiseGroups,
  details: `
Looks for the smallest part of the recording that still shows its most severe failure, or the failure that --failure or
--at selects. It removes requests and replays the rest, preserving the failure. Each replay uses new ids, so your service
needs no cleanup in between. Requests are sent to a service that is called; for a service that polls, our state machine
repeats the decisions of the recorded partner.

The outputs are the small recording, a scenario, a Vitest test and a curl script; a summary for a bug report is printed.
Each output is run once before it is written: it must fail against your service and, with --fixed, pass against the fixed
one. An output that proves nothing is not written, and the reason is printed.

Examples:
  sparring minimise bug.rec.ndjson --to http://127.0.0.1:3000
  sparring minimise bug.rec.ndjson --to http://127.0.0.1:3000 --driver partner --max-replays 50 -o small
  sparring minimise storm.rec.ndjson --start 'npm start' --driver partner
  git bisect run sparring replay small.rec.ndjson --to http://127.0.0.1:3000 --bisect

Exits with 0 when a smallest part was found, 1 when the limit was reached first (a smaller part may exist), 2 when a flag
is wrong, 3 when your service cannot be reached, 5 when the failure does not occur reliably or nothing could be proven,
130 when interrupted; the smallest part found so far is then written too.`,
  async run(options, io) {
    const { runMinimise } = await import('./minimise/run-minimise.ts')
    return runMinimise(options, io)
  },
})
