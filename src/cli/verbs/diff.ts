/** `sparring diff`: whether two recordings tell the same story, and where they first do not. */
import { jsonFlag, noColorFlag } from '../flags.ts'
import { defineVerb, type OptionsOf } from '../verb.ts'

const args = [
  { name: 'a', summary: 'the recording that is right', required: true },
  { name: 'b', summary: 'the recording that is held against it', required: true },
] as const

const flags = [
  {
    name: 'rules',
    value: '<file>',
    summary: 'what may differ (default: <a>.rules.json, when it is there)',
  },
  {
    name: 'reporter',
    value: '<name[=file]>',
    summary: 'pretty, json, junit or sarif, to a file or to stdout; may be given again',
    many: true,
  },
  jsonFlag,
  { name: 'all', summary: 'what is the same too, and what a rule accepts, with the rule' },
  { name: 'quiet', summary: 'nothing but what differs' },
  noColorFlag,
] as const

export type DiffOptions = OptionsOf<typeof args, typeof flags>

export const diff = defineVerb({
  name: 'diff',
  summary: 'compare two recordings after renaming ids and shifting times',
  arguments: args,
  flags,
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
