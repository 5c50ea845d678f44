/**
 * The recording format, public and versioned: a text file of lines, each a JSON object whose first key is `_rec`, so
 * that the beginning of a line identifies its type. The first line is a header; a line of type `http` is also an
 * entry of the HTTP Archive format (HAR 1.2), with `_rec` as its only private field. Readers keep unknown members. An
 * addition leaves `v` unchanged; a change that old readers would misunderstand increments it.
 *
 * There is one axis of time, that of the events and deadlines in the messages: the clock of the recorded session. It is
 * the wall clock unless the session ran at another speed, stepped or virtual, which `clock` of the header says, and a
 * `state` line wherever it changed. Exchanges then have their measured times as `wall`. Time goes back only where a
 * session was reset or forked, or a recording was resumed on another clock.
 */
import { z } from 'zod'
import { processSignals } from '../../engine/session/commands.ts'
import { RoleName } from '../../protocol/role-schema.ts'
import { sessionEndMembers } from './session-end.ts'
import { looseObject } from '../../base/lazy-object.ts'
import { standings } from './standing.ts'

// Members of a header by which a recording says to what failure it was cut down, and how that
// failure shows.

/** Signature of a failure (traffic/replay/replay-report.ts). */
const Failure = z.discriminatedUnion('kind', [
  looseObject(() => ({
    kind: z.literal('difference'),
    operation: z.string(),
    standing: z.enum(standings),
    where: z.string(),
    statusClass: z.int(),
    order: z.string().optional(),
  })),
  looseObject(() => ({
    kind: z.literal('invariant'),
    name: z.string(),
    order: z.string().optional(),
  })),
  looseObject(() => ({
    kind: z.literal('answer'),
    operation: z.string(),
    status: z.int(),
    by: z.enum(['subject', 'partner']).optional(),
    event: z.string().optional(),
    error: z.string().optional(),
    order: z.string().optional(),
    state: z.string().optional(),
  })),
  looseObject(() => ({ kind: z.literal('repeat'), operation: z.string(), order: z.string() })),
  looseObject(() => ({
    kind: z.literal('ending'),
    order: z.string(),
    state: z.string(),
    call: z.string().optional(),
  })),
])

const cutDownTo = () => ({
  failure: Failure.optional().describe(
    'what it was cut down to: a replay can say whether it still shows',
  ),
  driver: z
    .enum(['server', 'client', 'partner'])
    .optional()
    .describe('what is played from it so that this failure shows: replay takes it'),
  settle: z
    .number()
    .min(0)
    .optional()
    .describe(
      'how long your service takes to make its next call at most, in ms, as the whole recording showed it',
    ),
  pace: z
    .literal('asap')
    .optional()
    .describe('how it is played so that this failure shows: as fast as causality allows'),
  gap: z
    .number()
    .min(0)
    .optional()
    .describe('the longest pause at its own pace so that this failure shows, in ms'),
  crash: z
    .strictObject({
      signal: z.enum(processSignals),
      down: z.number().min(0).describe('in ms'),
    })
    .optional()
    .describe('how its crashes end the service, and for how long, where not as usual'),
})

export const formatVersion = 1
export const lineTypes = ['header', 'http', 'open', 'mark', 'state', 'end'] as const

/** Members of `_rec` that every line has. */
const anyRec = {
  /** The version of this format. */
  v: z.literal(formatVersion),
  /** 26 characters in the form of a ULID; stays with the line whatever is done to the file. */
  id: z.string().min(1),
  /** Sequence number in the order in which requests began. The header has 0. */
  seq: z.int().min(0),
}

const Microseconds = z.int()

/** The clock of the recorded session from its line on. */
const Clock = looseObject(() => ({
  mode: z
    .enum(['real', 'stepped', 'virtual'])
    .describe(
      'real: the wall clock, times speed; stepped: it waited for the operator; virtual: it jumped to what was due next',
    ),
  speed: z.number().positive().describe('how fast the real clock ran'),
}))
export type RecordedClock = z.infer<typeof Clock>
const Party = looseObject(() => ({ role: RoleName, party: z.string() }))

const Header = looseObject(() => ({ name: z.string(), value: z.string() }))

/** Facts about the bytes of a body that its decoded text does not show. */
const Wire = looseObject(() => ({
  enc: z.string().optional().describe('content coding: gzip, br, deflate, zstd'),
  bytes: z.int().min(0).optional().describe('on the wire, before its coding was undone'),
  sha256: z.string().optional().describe('of those bytes'),
  blob: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .optional()
    .describe('the body lies in blobs/<name>, as text or, where encoding says base64, as bytes'),
  trunc: z.int().optional().describe('the length of a body that was cut or left out'),
  trailers: z
    .array(Header)
    .optional()
    .describe('fields behind a chunked body: order, case and duplicates as on the wire'),
}))

/** Kinds of causes of an exchange. */
export const causeKinds = [
  'session',
  'followup',
  'event',
  'ack',
  'retry',
  'callback',
  'order',
] as const

const Cause = looseObject(() => ({
  id: z.string().describe('the line that it came of'),
  kind: z
    .enum(causeKinds)
    .describe(
      'session: needs its token or set-up; followup: the effect of an accepted call; event: the event handed over; ack: the handover acknowledged; retry: the same message again; callback: an answer to a call of the other side; order: the same order before',
    ),
  p: z.number().optional().describe('below 1: how sure, where it was inferred'),
}))

const Redacted = looseObject(() => ({
  p: z.string().describe('where: q.url, q.headers.authorization, p.body/customer/name; lists as *'),
  c: z.string().describe('class; never the value'),
}))

const HttpRec = looseObject(() => ({
  ...anyRec,
  type: z
    .enum(['http', 'open'])
    .describe('open: still under way when this was written; a later http line of the id wins'),
  t: z
    .looseObject({
      q0: Microseconds.describe('request begins'),
      q1: Microseconds.describe('request ends'),
      p0: Microseconds.nullable().describe('response begins; null when there was none'),
      p1: Microseconds.nullable().describe('response ends'),
    })
    .describe('whole microseconds since t0 of the header; the truth about time'),
  wall: z
    .looseObject({ q0: Microseconds, p1: Microseconds, speed: z.number().positive().optional() })
    .optional()
    .describe(
      'begin and end on the wall clock, where the clock of the session is another: microseconds since t0 too; and how fast that ran, if it ran',
    ),
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
  cause: z.array(Cause).optional().describe('what it came of'),
  attempt: z.int().min(1).optional().describe('the n-th try of the same message'),
  idem: z.string().optional().describe('what marks the tries of one message as one'),
  err: z
    .looseObject({
      phase: z.enum(['dns', 'connect', 'tls', 'send', 'wait', 'receive']),
      code: z.string(),
      message: z.string().optional(),
    })
    .optional()
    .describe('why there is no response, whose status is 0 then, or why it is not whole'),
  fault: z.string().optional().describe('the fault that distorted it, and what that did'),
  conn: z.int().optional().describe('which connection: order inside keep-alive'),
  rep: z
    .looseObject({ n: z.int().min(1), everyUs: z.int() })
    .optional()
    .describe('so many idle polls that were all the same'),
  red: z.array(Redacted).optional().describe('what was redacted'),
  wire: z.looseObject({ q: Wire.optional(), p: Wire.optional() }).optional(),
  warn: z.array(z.string()).optional(),
}))

const Body = looseObject(() => ({
  mimeType: z.string().optional(),
  text: z
    .string()
    .optional()
    .describe(
      'a redacted recording has ~body(<length> bytes of <media type>, hmac-sha256 <keyed hash>) for a body that is neither JSON nor a form nor plain text',
    ),
  encoding: z.string().optional().describe('base64 where the body is no lossless UTF-8 text'),
}))

/** Members of a HAR entry as our recorder writes it. */
const ownEntry = {
  startedDateTime: z.string().describe('for readers of HAR; t is exact'),
  time: z.number().describe('milliseconds that it took, on the same clock'),
  request: looseObject(() => ({
    method: z.string(),
    url: z.string(),
    httpVersion: z.string().optional(),
    headers: z.array(Header).describe('order, case and duplicates as on the wire'),
    postData: Body.optional(),
  })),
  response: looseObject(() => ({
    status: z.int(),
    httpVersion: z.string().optional(),
    headers: z.array(Header),
    content: Body.optional(),
  })),
}

export const RecordedHttpLine = looseObject(() => ({ _rec: HttpRec, ...ownEntry }))

/**
 * A line with an entry of an imported archive, unchanged: header values may be no strings, members may be missing or
 * of another type. `har-message.ts` reads such entries.
 */
export const HttpLine = looseObject(() => ({ _rec: HttpRec }))
export type HttpLine = z.infer<typeof HttpLine>

export const HeaderLine = looseObject(() => ({
  _rec: z.looseObject({
    ...anyRec,
    type: z.literal('header'),
    name: z.string(),
    tool: z.string().describe('what wrote it, with its version'),
    created: z.string().describe('the wall clock at t = 0, RFC 3339'),
    t0: z.string().describe('the clock of the session at t = 0, RFC 3339'),
    clock: Clock.optional().describe('absent: t is the wall clock’s'),
    protocol: z.looseObject({ name: z.string(), version: z.string() }),
    parties: z.array(
      z.looseObject({ party: z.string(), role: RoleName, base: z.string().optional() }),
    ),
    redaction: z.looseObject({
      policy: z.string(),
      /** Identifies the key of the pseudonyms; never the key. */
      keyId: z.string().nullable(),
      mode: z.enum(['pseudonym', 'mask', 'none']),
    }),
    seed: z.number().optional(),
    ...cutDownTo(),
    segment: z
      .looseObject({
        number: z.int().min(1),
        http: z.int().min(0).describe('exchanges in the segments before'),
        seq: z.int().min(0).describe('the highest number in the segments before'),
      })
      .optional()
      .describe('of a recording in a folder: which of its files this is'),
    source: z
      .looseObject({ kind: z.string(), file: z.string(), sha256: z.string().optional() })
      .optional()
      .describe('what it was imported from; what came through a pipe has its hash in the end line'),
    har: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('members of a foreign log before its entries, for an export without loss'),
    harBeside: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('members of the foreign document before its log'),
  }),
}))
export type HeaderLine = z.infer<typeof HeaderLine>

/** The last line of a closed recording; without it, the recorder was interrupted. */
export const EndLine = looseObject(() => ({
  _rec: z.looseObject({
    ...anyRec,
    type: z.literal('end'),
    counts: z.looseObject({ http: z.int().min(0) }),
    dropped: z.int().min(0).describe('exchanges that could not be written'),
    sha256: z.string().describe('of every byte before this line'),
    goesOn: z.literal(true).optional().describe('the recording goes on in its next segment'),
    har: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('members of a foreign log behind its entries'),
    harBeside: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('members of the foreign document behind its log'),
  }),
}))
export type EndLine = z.infer<typeof EndLine>

/** A bookmark or a note set while recording. */
export const MarkLine = looseObject(() => ({
  _rec: z.looseObject({
    ...anyRec,
    type: z.literal('mark'),
    t: z.looseObject({ q0: Microseconds }).optional(),
    of: z
      .int()
      .min(1)
      .optional()
      .describe(
        'the exchange that the text is a note on, the last one counts, an empty one is none',
      ),
    text: z.string().optional(),
  }),
}))
export type MarkLine = z.infer<typeof MarkLine>

/** A snapshot with any content. */
export const StateLine = looseObject(() => ({
  _rec: z.looseObject({
    ...anyRec,
    type: z.literal('state'),
    t: z.looseObject({ q0: Microseconds }).optional(),
    clock: Clock.optional().describe('from here on'),
    ...sessionEndMembers(),
  }),
}))
export type StateLine = z.infer<typeof StateLine>
