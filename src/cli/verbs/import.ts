/** `sparring import`: traffic that another program wrote down, as a recording of ours. */
import { jsonFlag, noColorFlag } from '../flags.ts'
import { roleNames } from '../name-lists.ts'
import { defineVerb, type OptionsOf } from '../verb.ts'

const args = [
  {
    name: 'file',
    summary: 'what another program saved; - for what is piped in',
    required: true,
  },
] as const

const flags = [
  {
    name: 'format',
    value: '<format>',
    summary: 'what it is (default: what it looks like): har, curl, logs, mitmproxy, postman …',
  },
  {
    name: 'output',
    short: 'o',
    value: '<file>',
    summary: 'the recording (default: recordings/<name>.rec.ndjson)',
  },
  { name: 'force', summary: 'take the place of a recording that is there already' },
  {
    name: 'raw',
    summary: 'leave secrets and people in it; only where git ignores the file',
  },
  {
    name: 'as',
    value: '<role>',
    summary: 'role of your service (default: whoever makes the first call)',
    choices: roleNames,
  },
  {
    name: 'host',
    value: '<url=role>',
    summary: 'which role answers there: https://partner.example=crm; may be given again',
    many: true,
  },
  {
    name: 'mapping',
    value: '<file>',
    summary: 'where log lines have what, by JSONPath; YAML or JSON',
  },
  { name: 'name', value: '<name>', summary: 'what the recording is called (default: as the file)' },
  jsonFlag,
  noColorFlag,
] as const

export type ImportOptions = OptionsOf<typeof args, typeof flags>

export const importVerb = defineVerb({
  name: 'import',
  summary: 'HAR, curl, logs, mitmproxy, Postman … as a recording, redacted',
  arguments: args,
  flags,
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
