/** The arguments and flags of `sparring import`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag, unsafeRawFlag, roleChoice } from '../flags.ts'
import type { OptionsOf } from '../verb.ts'

export const importArguments = [
  {
    name: 'file',
    summary: 'what another program saved; - for what is piped in',
    required: true,
  },
] as const

export const importFlags = [
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
  unsafeRawFlag,
  {
    name: 'as',
    value: '<role>',
    summary: 'role of your service (default: whoever makes the first call)',
    ...roleChoice,
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

export type ImportOptions = OptionsOf<typeof importArguments, typeof importFlags>
