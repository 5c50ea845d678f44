/** The arguments and flags of `sparring import`, and the options that they are parsed into. */
import { jsonFlag, noColorFlag, unsafeRawFlag, roleChoice } from '../../../terminal/cli/flags.ts'
import type { OptionsOf } from '../../../terminal/cli/verb.ts'

export const importArguments = [
  {
    name: 'file',
    path: 'read',
    summary: 'file saved by another program; - reads stdin',
    required: true,
  },
] as const

export const importFlags = [
  {
    name: 'format',
    value: '<format>',
    summary: 'format of the file (default: detected): har, curl, logs, mitmproxy, postman …',
  },
  {
    name: 'output',
    path: 'write',
    short: 'o',
    value: '<file>',
    summary: 'output file (default: recordings/<name>.rec.ndjson)',
  },
  { name: 'force', summary: 'overwrite an existing recording' },
  {
    name: 'raw',
    summary: 'keep secrets and personal data; only to a file that git ignores',
  },
  unsafeRawFlag,
  {
    name: 'as',
    value: '<role>',
    summary: 'role of your service (default: the role that makes the first call)',
    ...roleChoice,
  },
  {
    name: 'host',
    value: '<url=role>',
    summary: 'role that serves a URL: https://partner.example=crm; repeatable',
    many: true,
  },
  {
    name: 'mapping',
    path: 'read',
    value: '<file>',
    summary: 'file that maps fields of log lines by JSONPath; YAML or JSON',
  },
  { name: 'name', value: '<name>', summary: 'name of the recording (default: that of the file)' },
  jsonFlag,
  noColorFlag,
] as const

export type ImportOptions = OptionsOf<typeof importArguments, typeof importFlags>
