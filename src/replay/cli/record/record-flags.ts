/** The arguments and flags of `sparring record`, and the options that they are parsed into. */
import {
  configFlag,
  contractFlag,
  jsonFlag,
  noColorFlag,
  publicUrlFlag,
  unsafeRawFlag,
  roleChoice,
} from '../../../terminal/cli/flags.ts'
import type { FlagGroups, OptionsOf } from '../../../terminal/cli/verb.ts'

export const recordFlags = [
  configFlag,
  contractFlag,
  {
    name: 'to',
    value: '<[role=]url>',
    summary:
      'URL of the real partner; with its role where --as does not imply it: dp=https://…; repeatable',
    many: true,
  },
  {
    name: 'as',
    value: '<role>',
    summary: 'role of your service',
    ...roleChoice,
  },
  {
    name: 'subject',
    value: '<url>',
    summary: 'URL of your service, for the webhooks of the partner',
  },
  {
    name: 'output',
    path: 'write',
    short: 'o',
    value: '<file>',
    summary:
      'output file; a name that ends with / is a folder, for long recordings (default: recordings/<time>-<role>.rec.ndjson)',
  },
  {
    name: 'port',
    short: 'p',
    value: '<n>',
    summary:
      'base port: each side listens on the port that sparring up would use for it; 0 chooses free ports (default: 7100)',
    number: { min: 0, max: 65_535 },
  },
  { name: 'host', value: '<address>', summary: 'address to listen on (default: 127.0.0.1)' },
  publicUrlFlag,
  { name: 'tls', summary: 'serve HTTPS with a certificate generated on this machine' },
  {
    name: 'ca',
    path: 'read',
    value: '<file>',
    summary: 'PEM file with the certificate authority of the partner',
  },
  { name: 'insecure', summary: 'accept any certificate of the partner' },
  {
    name: 'keep-host',
    summary: 'forward the Host header unchanged, instead of replacing it by that of the partner',
  },
  {
    name: 'rewrite-manifest',
    summary:
      'replace the address in the manifest of the partner by ours; otherwise a service that follows the manifest bypasses the proxy',
  },
  {
    name: 'raw',
    summary:
      'record without redaction, including secrets and personal data; only to a file that git ignores',
  },
  unsafeRawFlag,
  jsonFlag,
  { name: 'quiet', summary: 'only the readiness line and problems' },
  noColorFlag,
  {
    name: 'ready-file',
    path: 'write',
    value: '<path>',
    summary: 'also write the readiness line to this file, as JSON',
  },
] as const

/** Groups of the flags in help. */
export const recordGroups = {
  'Your service and the partner': ['to', 'as', 'subject', 'config', 'contract'],
  Recording: ['output', 'raw', 'raw=unsafe'],
  Network: ['port', 'host', 'public-url', 'tls', 'ca', 'insecure', 'keep-host', 'rewrite-manifest'],
  Output: ['json', 'quiet', 'no-color', 'ready-file'],
} as const satisfies FlagGroups<(typeof recordFlags)[number]['name']>

export type RecordOptions = OptionsOf<[], typeof recordFlags>
