/** `sparring report`: one HTML page to show, of a recording or of a running session. */
import { reportArguments, reportFlags } from '../../terminal/cli/report/report-flags.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

export const reportVerb = defineVerb({
  name: 'report',
  summary:
    'write one HTML page of a recording or a running session: sequence, both views of each order, faults, verdicts',
  arguments: reportArguments,
  flags: reportFlags,
  details: `
Examples:
  sparring report lunch.rec.ndjson                   writes lunch.report.html, which opens from the file
  sparring report                                    of the session that runs, to report.html
  sparring report http://127.0.0.1:7100 --order o2   of one order of that session
  sparring report week/ --failed -o failed.html      only failed exchanges, and those with faults
  sparring report traffic.har --only "confirmOrder"  of what another program saved

The page loads nothing, and no secret of the traffic is on it: what is read from a session is redacted like a recording. A
long recording is cut down to the exchanges that tell most, and the page says what is left out.

Exits with 0 when the page was written, 2 when the source or a flag is wrong, 3 when the session cannot be reached.`,
  run: async (options, io) => (await import('../report/run-report.ts')).runReport(options, io),
})
