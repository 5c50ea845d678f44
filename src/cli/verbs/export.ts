/** `sparring export`: a recording in the form that other programs read. */
import { noColorFlag } from '../flags.ts'
import { defineVerb, type OptionsOf } from '../verb.ts'

const args = [{ name: 'recording', summary: 'a recording', required: true }] as const

const flags = [
  {
    name: 'format',
    value: '<format>',
    summary:
      'har, curl, scenario, vitest, k6, or recording for a part of it (default: what the output is called, else har)',
  },
  {
    name: 'only',
    value: '<filter>',
    summary: 'only these: words that all hold, such as "seq>=1000 seq<2000 !idle" or an order’s id',
  },
  { name: 'output', short: 'o', value: '<file>', summary: 'where to (default: stdout)' },
  { name: 'force', summary: 'write over a file that is there already' },
  { name: 'plain', summary: 'har: without what only we can read' },
  { name: 'base', value: '<url>', summary: 'where requests go, in place of where they went' },
  noColorFlag,
] as const

export type ExportOptions = OptionsOf<typeof args, typeof flags>

export const exportVerb = defineVerb({
  name: 'export',
  summary: 'a recording, or a part of it, as HAR, curl script, scenario, Vitest test or k6 archive',
  arguments: args,
  flags,
  details: `
Examples:
  sparring export lunch.rec.ndjson --plain -o lunch.har         opens in any browser; without --plain it can be imported back
  sparring export lunch.rec.ndjson --format curl -o lunch.sh    a shell script; tokens come from its environment
  sparring export lunch.rec.ndjson --format scenario            a story for sparring run
  sparring export lunch.rec.ndjson --format k6 -o lunch.har     for har-to-k6 lunch.har -o lunch.js, then k6 run lunch.js
  sparring export week/ --only "seq>=90000 seq<95000" -o part.rec.ndjson    a part of one that is too large to be played

Ends with 0 when all of it was written, 2 when the recording cannot be read or the output cannot be written.`,
  async run(options, io) {
    const { runExport } = await import('../formats/run-export.ts')
    return runExport(options, io)
  },
})
