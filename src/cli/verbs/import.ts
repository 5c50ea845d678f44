/** `sparring import`: converts the traffic logs of other programs to a recording. */
import { defineVerb } from '../verb.ts'
import { importArguments, importFlags } from '../formats/import-flags.ts'

export const importVerb = defineVerb({
  name: 'import',
  summary: 'HAR, curl, logs, mitmproxy, Postman … as a recording, redacted',
  arguments: importArguments,
  flags: importFlags,
  details: `
Examples:
  sparring import partner.har --as software-service       what a browser or proxy saved
  pbpaste | sparring import - --format curl               a command that somebody pasted
  sparring import access.log --mapping fields.yaml        log lines, one JSON object each
  sparring import raw.rec.ndjson -o clean.rec.ndjson      redacts a recording that was made with --raw

A file that breaks off is read up to there. Ends with 0 when something was read, 2 when nothing could be,
130 when it was interrupted; what was written until then is whole.`,
  async run(options, io) {
    const { runImport } = await import('../formats/run-import.ts')
    return runImport(options, io)
  },
})
