/** `sparring export`: converts a recording to a format of other programs. */
import { defineVerb } from '../verb.ts'
import { exportArguments, exportFlags } from '../formats/export-flags.ts'

export const exportVerb = defineVerb({
  name: 'export',
  summary: 'a recording, or a part of it, as HAR, curl script, scenario, Vitest test or k6 archive',
  arguments: exportArguments,
  flags: exportFlags,
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
