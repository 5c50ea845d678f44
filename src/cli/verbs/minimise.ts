/** `sparring minimise`: the smallest part of a recording that still fails. */
import { minimiseArguments, minimiseFlags } from '../minimise/flags.ts'
import { defineVerb } from '../verb.ts'

export const minimiseVerb = defineVerb({
  name: 'minimise',
  summary: 'the smallest part of a recording that still fails',
  arguments: minimiseArguments,
  flags: minimiseFlags,
  details: `
Looks for the failure that the recording shows, the worst first, or the one that --failure or --at names: in small parts of
it first, by what came of what, then on trial. Each trial uses fresh ids, so your service needs no cleaning in between. A
service that is called is sent the recording; for one that polls, our counterparts decide again as the partner did. It
writes the small recording, a scenario, a Vitest test and a curl script beside it, and prints a paragraph that you can send
to somebody.
Each is run once before it is written: it must fail against your service, and with --fixed pass against a mended one. What
proves nothing is not written, and it says why.

Examples:
  sparring minimise bug.rec.ndjson --to http://127.0.0.1:3000
  sparring minimise bug.rec.ndjson --to http://127.0.0.1:3000 --driver partner --max-replays 50 -o small
  sparring minimise storm.rec.ndjson --start 'npm start' --driver partner
  git bisect run sparring replay small.rec.ndjson --to http://127.0.0.1:3000 --bisect

Ends with 0 when it found a smallest part, 1 when it was broken off at the best so far, 2 when a flag is wrong, 3 when your
service cannot be reached, 5 when the failure does not come, or too seldom, or nothing could be proven, 130 when it was
interrupted: the best so far is written then too.`,
  async run(options, io) {
    const { runMinimise } = await import('../minimise/run-minimise.ts')
    return runMinimise(options, io)
  },
})
