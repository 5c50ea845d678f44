/** `sparring export`: converts a recording to a format of other programs. */
import { defineVerb } from '../../terminal/cli/verb.ts'
import { exportArguments, exportFlags } from './formats/export-flags.ts'

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
  async run(options, io) {
    const { runExport } = await import('./formats/run-export.ts')
    return runExport(options, io)
  },
})
