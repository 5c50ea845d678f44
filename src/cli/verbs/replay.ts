/** `sparring replay`: replays a recording and reports the differences. */
import { defineVerb } from '../verb.ts'
import { replayArguments, replayFlags } from '../replay/flags.ts'

export const replayVerb = defineVerb({
  name: 'replay',
  summary: 'play a recording again: send it, answer from it, or decide again as it did',
  arguments: replayArguments,
  flags: replayFlags,
  details: `
Examples:
  sparring replay bug.rec.ndjson --to http://127.0.0.1:3000             sends it as it was, with fresh ids and tokens
  sparring replay bug.rec.ndjson --to http://127.0.0.1:3000 --speed asap --json
  sparring replay bug.rec.ndjson --to http://127.0.0.1:3000 --twice     learns first what changes by itself
  sparring replay bug.rec.ndjson --driver server                            answers your service on the usual ports
  sparring replay bug.rec.ndjson --driver server --on-miss forward=http://127.0.0.1:4000 --record more.rec.ndjson
  sparring replay bug.rec.ndjson --driver server --subject http://127.0.0.1:3000 --speed asap
  sparring replay bug.rec.ndjson --to http://127.0.0.1:3000 --only '#147' --set '#147 $.reason="x"'
  git bisect run sparring replay min.rec.ndjson --to http://127.0.0.1:3000 --bisect

On a terminal the dashboard opens, paused before the first exchange: n sends the next, space plays, enter shows what was
beside what is now, i accepts a difference, e edits an exchange in $EDITOR, S sends it alone, ? has all keys. Without --to
nothing is sent: the recording is looked at. --json, --quiet, --reporter, --step and --driver partner go by lines instead.

--set changes an exchange before it is played: the request that we send, or the answer that your service gets. #147 is its
number; then $.path=<JSON> (JSONPath, also a new member), header.<name>=…, query.<name>=…, method=…, path=…, status=… or
body=…, or delete and one of these. The edit is of what was recorded: ids that the recording knows and times are renewed
after it as everywhere, and so are token and signature, unless their own header is set. --only '#147' sends it alone,
--from '#147' begins with it; with --same-ids both name what the service still has from the recording.

At the end it says which failures of the recording (no answer, 5xx, 4xx) came again, which are gone, and which are new. One that
comes again as it was recorded, and a missing answer or 5xx that is a success now, are no difference.

Ends with 0 when nothing differs, 1 when something does, 2 when the recording or a flag is wrong, 3 when your service
cannot be reached or turns us away, 4 when ids could not be carried over, 5 when --twice came out differently, 130 when
it was interrupted: what was replayed by then is reported.`,
  async run(options, io) {
    const { runReplay } = await import('../replay/run-replay.ts')
    return runReplay(options, io)
  },
})
