/** `sparring minimise`: the smallest part of a recording that still fails. */
import { minimiseArguments, minimiseFlags } from '../minimise/flags.ts'
import { defineVerb } from '../verb.ts'

export const minimiseVerb = defineVerb({
  name: 'minimise',
  summary: 'the smallest part of a recording that still fails',
  arguments: minimiseArguments,
  flags: minimiseFlags,
  details: `
Replays the recording, keeps to the failure that shows, and leaves out whatever it does not need: first by what came of
what, then on trial. Each trial uses fresh ids, so your service needs no cleaning in between. It writes the small
recording, a scenario, a Vitest test and a curl script beside it, and prints a paragraph that you can send to somebody.

Examples:
  sparring minimise bug.rec.ndjson --to http://127.0.0.1:3000
  sparring minimise bug.rec.ndjson --to http://127.0.0.1:3000 --as both --max-replays 50 -o small
  git bisect run sparring replay small.rec.ndjson --to http://127.0.0.1:3000 --bisect

Ends with 0 when it found a smallest part, 1 when it was broken off at the best so far, 2 when nothing fails or a flag is
wrong, 3 when your service cannot be reached, 5 when the failure comes too seldom, 130 when it was interrupted: the best
so far is written then too.`,
  async run(options, io) {
    const { runMinimise } = await import('../minimise/run-minimise.ts')
    return runMinimise(options, io)
  },
})
