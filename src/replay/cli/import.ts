/** `sparring import`: converts the traffic logs of other programs to a recording. */
import { defineVerb } from '../../terminal/cli/verb.ts'
import { importArguments, importFlags } from './formats/import-flags.ts'

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
  async run(options, io) {
    const { runImport } = await import('./formats/run-import.ts')
    return runImport(options, io)
  },
})
