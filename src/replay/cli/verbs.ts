/** The verbs about recordings: record, replay, diff, drift, import, export and minimise. */
import { defineVerb } from '../../terminal/cli/verb.ts'
import { recordFlags, recordGroups } from './record/record-flags.ts'
import { replayArguments, replayFlags, replayGroups } from './replay/flags.ts'
import { diffArguments, diffFlags } from './compare/diff-flags.ts'
import { importArguments, importFlags } from './formats/import-flags.ts'
import { driftArguments, driftFlags } from './drift/drift-flags.ts'
import { exportArguments, exportFlags } from './formats/export-flags.ts'
import { minimiseArguments, minimiseFlags, minimiseGroups } from './minimise/flags.ts'

/** `sparring record`: a recording proxy between the user's service and a real partner. */
export const recordVerb = defineVerb({
  name: 'record',
  summary: 'record the traffic between your service and a real partner, as a proxy',
  arguments: [],
  flags: recordFlags,
  groups: recordGroups,
  details: `
Your service calls the address that the readiness line shows for the partner; a partner that sends webhooks calls the
address shown for your service. Messages pass through unchanged except for the Host header; a redacted copy is recorded.

Examples:
  sparring record --to https://sandbox.partner.example --as software-service
  sparring record --to https://sandbox.partner.example --as software-service --subject http://127.0.0.1:3000
  sparring record --to http://127.0.0.1:7101 --as software-service --port 7200 -o recordings/happy-path.rec.ndjson

Exits with 0 when it is stopped; the recording up to then is complete and readable. Where it is not whole (a full disk), with 2.`,
  run: async (options, io) => (await import('./record/run-record.ts')).runRecord(options, io),
})

/** `sparring replay`: replays a recording and reports the differences. */
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

Exits with 0 when nothing differs, 1 when something differs, 2 when the recording or a flag is wrong or an output is
not whole, 3 when your service cannot be reached or rejects our credentials, 4 when ids could not be resolved, 5 when
--twice gave different results, 130 when interrupted: the report then covers what was replayed.`,
  run: async (options, io) => (await import('./replay/run-replay.ts')).runReplay(options, io),
})

/** `sparring diff`: compares two recordings and reports their differences. */
export const diffVerb = defineVerb({
  name: 'diff',
  summary: 'compare two recordings; new ids and shifted times are no differences',
  arguments: diffArguments,
  flags: diffFlags,
  details: `
Examples:
  sparring diff yesterday.rec.ndjson today.rec.ndjson
  sparring diff a.rec.ndjson b.rec.ndjson --all               also differences that a rule accepts
  sparring diff a.rec.ndjson b.rec.ndjson --reporter pretty --reporter junit=report.xml

Allowed differences are listed in <a>.rules.json:
  { "version": 1, "rules": [
    { "at": "$.body..observations", "operation": "getOrder", "compare": "ignore", "reason": "typed by hand" },
    { "at": "$.body..preparedAt", "compare": { "as": "time", "within": "5s" }, "reason": "our own clock" } ] }

--json writes one line per exchange and a summary at the end. Idle polls, reads without news and token requests
are counted, not compared.

Exits with 0 when nothing differs beyond noise, 1 when something differs, 2 when a file is invalid.`,
  run: async (options, io) => (await import('./compare/diff.ts')).diffRecordings(options, io),
})

/** `sparring drift`: says what a partner answers otherwise than it did. */
export const driftVerb = defineVerb({
  name: 'drift',
  summary:
    'send the recorded calls of your service to the sandbox of its partner, and say what has changed in its answers',
  arguments: driftArguments,
  flags: driftFlags,
  details: `
Examples:
  sparring drift lunch.rec.ndjson --to https://sandbox.partner.example
  sparring drift lunch.rec.ndjson --to partner.yaml --contract partner-openapi.yaml --json
  sparring drift lunch.rec.ndjson --to http://127.0.0.1:7101 --slower-than 2s

Compared are statuses, members and types of answers with the recorded ones, with the schemas of the operations and with your own
contracts. Values are no drift: a sandbox has its own orders. The credentials are subject.credentials of the configuration.

Exits with 0 when nothing has changed, 1 when something has, 2 when the recording or a flag is wrong, 3 when the partner
cannot be reached or rejects your credentials.`,
  run: async (options, io) => (await import('./drift/run-drift.ts')).runDrift(options, io),
})

/** `sparring import`: converts the traffic logs of other programs to a recording. */
export const importVerb = defineVerb({
  name: 'import',
  summary: 'convert HAR, curl, logs, mitmproxy, Postman … to a redacted recording',
  arguments: importArguments,
  flags: importFlags,
  details: `
Examples:
  sparring import partner.har --as software-service       a file saved by a browser or proxy
  pbpaste | sparring import - --format curl               a curl command from the clipboard
  sparring import access.log --mapping fields.yaml        log lines, one JSON object each
  sparring import raw.rec.ndjson -o clean.rec.ndjson      redacts a recording made with --raw

A truncated file is read up to its end. Exits with 0 when something was read, 2 when nothing could be read,
130 when interrupted; what was written up to then is complete.`,
  run: async (options, io) => (await import('./formats/run-import.ts')).runImport(options, io),
})

/** `sparring export`: converts a recording to a format of other programs. */
export const exportVerb = defineVerb({
  name: 'export',
  summary:
    'convert a recording, or part of it, to HAR, a curl script, a scenario, a Vitest test or a k6 archive',
  arguments: exportArguments,
  flags: exportFlags,
  details: `
Examples:
  sparring export lunch.rec.ndjson --plain -o lunch.har         opens in any browser; without --plain it can be re-imported
  sparring export lunch.rec.ndjson --format curl -o lunch.sh    a shell script that takes tokens from the environment
  sparring export lunch.rec.ndjson --format scenario            a scenario for sparring run
  sparring export lunch.rec.ndjson --format k6 -o lunch.har     for har-to-k6 lunch.har -o lunch.js, then k6 run lunch.js
  sparring export week/ --only "seq>=90000 seq<95000" -o part.rec.ndjson    part of a recording that is too large to replay

Exits with 0 when everything was written, 2 when the recording cannot be read or the output cannot be written.`,
  run: async (options, io) => (await import('./formats/run-export.ts')).runExport(options, io),
})

/** `sparring minimise`: the smallest part of a recording that still fails. */
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
repeats the decisions of the recorded partner. A failure that the recording shows is looked for first, by each driver and
at the recording's own pace too; any other must show at that pace, or at that of --speed.

The outputs are the small recording, a scenario, a Vitest test and a curl script; a summary for a bug report is printed.
Each output is run before it is written: it must fail against your service in three runs (one that fails in two is
written, and named flaky) and, with --fixed, pass against the fixed one. An output that proves nothing is not written,
and the reason is printed.

Examples:
  sparring minimise bug.rec.ndjson --to http://127.0.0.1:3000
  sparring minimise bug.rec.ndjson --to http://127.0.0.1:3000 --driver partner --max-replays 50 -o small
  sparring minimise storm.rec.ndjson --start 'npm start' --driver partner
  git bisect run sparring replay small.rec.ndjson --to http://127.0.0.1:3000 --bisect

Exits with 0 when a smallest part was found, 1 when the limit was reached first (a smaller part may exist), 2 when a flag
is wrong or an output is not whole, 3 when your service cannot be reached, 5 when the failure does not occur reliably or
nothing could be proven, 130 when interrupted; the smallest part found so far is then written too.`,
  run: async (options, io) => (await import('./minimise/run-minimise.ts')).runMinimise(options, io),
})
