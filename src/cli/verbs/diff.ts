/** `sparring diff`: compares two recordings and reports their differences. */
import { defineVerb } from '../verb.ts'
import { diffArguments, diffFlags } from '../compare/diff-flags.ts'

export const diffVerb = defineVerb({
  name: 'diff',
  summary: 'compare two recordings after renaming ids and shifting times',
  arguments: diffArguments,
  flags: diffFlags,
  details: `
Examples:
  sparring diff yesterday.rec.ndjson today.rec.ndjson
  sparring diff a.rec.ndjson b.rec.ndjson --all               with what a rule accepts, and the rule
  sparring diff a.rec.ndjson b.rec.ndjson --reporter pretty --reporter junit=report.xml

What may differ is written in <a>.rules.json:
  { "version": 1, "rules": [
    { "at": "$.body..observations", "operation": "getOrder", "compare": "ignore", "reason": "typed by hand" },
    { "at": "$.body..preparedAt", "compare": { "as": "time", "within": "5s" }, "reason": "our own clock" } ] }

--json writes a line for each exchange, and a summary last. Idle polls, readings that find nothing new and the fetching
of tokens are not compared, only counted.

Ends with 0 when nothing differs beyond noise, 1 when something does, 2 when a file will not do.`,
  async run(options, io) {
    const { diffRecordings } = await import('../compare/diff.ts')
    return diffRecordings(options, io)
  },
})
