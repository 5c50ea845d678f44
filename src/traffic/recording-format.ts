/**
 * The format of a recording, public and versioned: a text file of lines, each a JSON object whose first key is `_rec`,
 * so that the beginning of a line tells what it is. The first line is a header; a line of type `http` is at the same
 * time an entry of the HTTP Archive format (HAR 1.2), whose one private field is `_rec`.
 *
 * Readers keep members that they do not know. An addition leaves `v` as it is; a change that old readers would
 * misunderstand raises it.
 */
import { z } from 'zod'
import { Role } from '../protocol/role.ts'

export const formatVersion = 1
export const lineTypes = ['header', 'http', 'open', 'mark', 'state', 'end'] as const

/** What every line says of itself. */
const anyRec = {
  /** The version of this format. */
  v: z.literal(formatVersion),
  /** 26 letters and digits, as a ULID is written; stays with the line whatever is done to the file. */
  id: z.string().min(1),
  /** Place in the order in which requests began. The header has 0. */
  seq: z.int().min(0),
}

const Microseconds = z.int()
const Party = z.looseObject({ role: Role, party: z.string() })

/** What the decoded text of a body does not tell about its bytes. */
const Wire = z.looseObject({
  enc: z.string().optional().describe('content coding: gzip, br, deflate, zstd'),
  bytes: z.int().min(0).optional(),
  sha256: z.string().optional(),
  /** The name of the file that holds the bytes. */
  blob: z.string().optional(),
  /** The length that it had before it was cut. */
  trunc: z.int().optional(),
})

const Redacted = z.looseObject({
  p: z.string().describe('where: q.url, q.headers.authorization, p.body/customer/name; lists as *'),
  c: z.string().describe('class; never the value'),
})

const HttpRec = z.looseObject({
  ...anyRec,
  type: z.literal('http'),
  t: z
    .looseObject({
      q0: Microseconds.describe('request begins'),
      q1: Microseconds.describe('request ends'),
      p0: Microseconds.nullable().describe('response begins; null when there was none'),
      p1: Microseconds.nullable().describe('response ends'),
    })
    .describe('whole microseconds since t0 of the header; the truth about time'),
  lt: z.int().describe('logical time: above that of every cause'),
  dir: z.string().describe('sut>mock, mock>sut, mock>mock, sut>partner, partner>sut'),
  from: Party,
  to: Party,
  via: z.string().describe('mock, proxy, import:<format>, replay:<run>'),
  op: z.string().nullable().describe('the operation, by the name that manifests declare'),
  route: z.string().nullable().describe('its path, with {name} for a parameter'),
  params: z.record(z.string(), z.string()).optional(),
  corr: z
    .looseObject({
      order: z.string().optional(),
      delivery: z.string().optional(),
      merchant: z.string().optional(),
      events: z.array(z.string()).optional().describe('events that it hands over'),
      acks: z.array(z.string()).optional().describe('events that it acknowledges'),
    })
    .describe('what the exchange is about'),
  attempt: z.int().min(1).optional().describe('the n-th try of the same message'),
  idem: z.string().optional().describe('what marks the tries of one message as one'),
  err: z
    .looseObject({
      phase: z.enum(['dns', 'connect', 'tls', 'send', 'wait', 'receive']),
      code: z.string(),
      message: z.string().optional(),
    })
    .optional()
    .describe('why there is no response; then its status is 0'),
  red: z.array(Redacted).optional().describe('what was redacted'),
  wire: z.looseObject({ q: Wire.optional(), p: Wire.optional() }).optional(),
  warn: z.array(z.string()).optional(),
})

const Header = z.looseObject({ name: z.string(), value: z.string() })

export const HttpLine = z.looseObject({
  _rec: HttpRec,
  startedDateTime: z.string().describe('for readers of HAR; t is exact'),
  time: z.number().describe('milliseconds that it took'),
  request: z.looseObject({
    method: z.string(),
    url: z.string(),
    headers: z.array(Header).describe('order, case and duplicates as on the wire'),
    postData: z
      .looseObject({ mimeType: z.string().optional(), text: z.string().optional() })
      .optional(),
  }),
  response: z.looseObject({
    status: z.int(),
    headers: z.array(Header),
    content: z
      .looseObject({ mimeType: z.string().optional(), text: z.string().optional() })
      .optional(),
  }),
})
export type HttpLine = z.infer<typeof HttpLine>

export const HeaderLine = z.looseObject({
  _rec: z.looseObject({
    ...anyRec,
    type: z.literal('header'),
    name: z.string(),
    tool: z.string().describe('what wrote it, with its version'),
    created: z.string(),
    t0: z.string().describe('the wall clock at t = 0, RFC 3339'),
    protocol: z.looseObject({ name: z.string(), version: z.string() }),
    parties: z.array(z.looseObject({ party: z.string(), role: Role, base: z.string().optional() })),
    redaction: z.looseObject({
      policy: z.string(),
      /** Which key made the stand-ins; never the key. */
      keyId: z.string().nullable(),
      mode: z.enum(['pseudonym', 'mask', 'none']),
    }),
    seed: z.number().optional(),
  }),
})
export type HeaderLine = z.infer<typeof HeaderLine>

/** The last line of a recording that was closed; without it, the recorder was interrupted. */
export const EndLine = z.looseObject({
  _rec: z.looseObject({
    ...anyRec,
    type: z.literal('end'),
    counts: z.looseObject({ http: z.int().min(0) }),
    dropped: z.int().min(0).describe('exchanges that could not be written'),
    sha256: z.string().describe('of every byte before this line'),
  }),
})
export type EndLine = z.infer<typeof EndLine>

/** A request still in flight, a bookmark, a snapshot: read and kept, whatever they hold. */
export const OtherLine = z.looseObject({
  _rec: z.looseObject({ ...anyRec, type: z.enum(['open', 'mark', 'state']) }),
})
export type OtherLine = z.infer<typeof OtherLine>
