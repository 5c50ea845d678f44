/** `sparring replay`: replays a recording and reports the differences. */
import { defineVerb } from '../../terminal/cli/verb.ts'
import { replayArguments, replayFlags, replayGroups } from './replay/flags.ts'

export const replayVerb = defineVerb({
  name: 'replay',
  summary:
    'replay a recording: send it to your service, answer your service from it, or repeat the decisions of the recorded partner',
  arguments: replayArguments,
  flags: replayFlags,
  groups: replayGroups,
  details: `
Examples:
  sparring replay bug.rec.ndjson --to http://127.0.0.1:3000             sends the recorded requests, with new ids and tokens
  sparring replay bug.rec.ndjson --to http://127.0.0.1:3000 --speed asap --json
  sparring replay bug.rec.ndjson --to http://127.0.0.1:3000 --twice     detects values that change by themselves
  sparring replay bug.rec.ndjson --driver server                        answers your service on the ports of sparring up
  sparring replay bug.rec.ndjson --driver server --on-miss forward=http://127.0.0.1:4000 --record more.rec.ndjson
  sparring replay bug.rec.ndjson --driver server --subject http://127.0.0.1:3000 --speed asap
  sparring replay bug.rec.ndjson --to http://127.0.0.1:3000 --only '#147' --set '#147 $.reason="x"'
  git bisect run sparring replay min.rec.ndjson --to http://127.0.0.1:3000 --bisect

On a terminal the dashboard opens, paused before the first exchange: n sends the next one, space plays, enter compares the
recorded and the new exchange, i accepts a difference, e edits an exchange in $EDITOR, S sends it alone, ? lists all keys.
Without --to nothing is sent: the dashboard only shows the recording. With --json, --quiet, --reporter, --step or --driver
partner the output is lines instead.

--set edits an exchange before it is replayed: the request that we send, or the answer that your service gets. #147 is the
number of the exchange, followed by $.path=<JSON> (JSONPath; may add a member), header.<name>=…, query.<name>=…, method=…,
path=…, status=… or body=…, or by delete and one of these. The recorded values are edited: recorded ids, times, token and
signature are replaced afterwards as always, except a token or signature header that you set. --only '#147' sends this
exchange alone, --from '#147' starts with it; with --same-ids both refer to data that the service has from the recording.

The report lists which failures of the recording (no answer, 5xx, 4xx) occurred again, which are gone and which are new. A
failure that occurs as recorded, and a missing answer or 5xx that now succeeds, are not differences.

Exits with 0 when nothing differs, 1 when something differs, 2 when the recording or a flag is wrong, 3 when your service
cannot be reached or rejects our credentials, 4 when ids could not be resolved, 5 when --twice gave different results,
130 when interrupted: the report then covers what was replayed.`,
  async run(options, io) {
    const { runReplay } = await import('./replay/run-replay.ts')
    return runReplay(options, io)
  },
})
