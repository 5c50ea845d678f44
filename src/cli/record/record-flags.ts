/** The arguments and flags of `sparring record`, and the options that they are parsed into. */
import {
  configFlag,
  jsonFlag,
  noColorFlag,
  publicUrlFlag,
  unsafeRawFlag,
  roleChoice,
} from '../flags.ts'
import type { OptionsOf } from '../verb.ts'

export const recordFlags = [
  configFlag,
  {
    name: 'to',
    value: '<[role=]url>',
    summary:
      'the real partner; its role where that does not follow from --as: delivery-platform=https://…; may be given again',
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
    summary: 'where your service answers, for what the partner sends to it (webhooks)',
  },
  {
    name: 'output',
    short: 'o',
    value: '<file>',
    summary:
      'the recording; a name that ends with / is a folder, for long captures (default: recordings/<time>-<role>.rec.ndjson)',
  },
  {
    name: 'port',
    short: 'p',
    value: '<n>',
    summary:
      'each side listens where sparring up would play it: the ports after this one; 0 finds free ones (default: 7100)',
    number: { min: 0, max: 65_535 },
  },
  { name: 'host', value: '<address>', summary: 'address to listen on (default: 127.0.0.1)' },
  publicUrlFlag,
  { name: 'tls', summary: 'HTTPS, with a certificate made on this machine' },
  {
    name: 'ca',
    value: '<file>',
    summary: 'the certificate authority of a partner that has its own, as PEM',
  },
  { name: 'insecure', summary: 'any certificate of the partner will do' },
  { name: 'keep-host', summary: 'the Host header goes on as it came, in place of the partner’s' },
  {
    name: 'rewrite-manifest',
    summary:
      'the partner’s manifest says our address in place of its own: else a service that follows it goes past us',
  },
  {
    name: 'raw',
    summary: 'as it is on the wire, secrets and people included; only where git ignores the file',
  },
  unsafeRawFlag,
  jsonFlag,
  { name: 'quiet', summary: 'nothing but the readiness line and problems' },
  noColorFlag,
  { name: 'ready-file', value: '<path>', summary: 'write the readiness as JSON to this file too' },
] as const

export type RecordOptions = OptionsOf<[], typeof recordFlags>
