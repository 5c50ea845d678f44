/** `sparring diff`: compares two recordings and reports their differences. */
import { defineVerb } from '../../terminal/cli/verb.ts'
import { diffArguments, diffFlags } from './compare/diff-flags.ts'

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
  async run(options, io) {
    const { diffRecordings } = await import('./compare/diff.ts')
    return diffRecordings(options, io)
  },
})
