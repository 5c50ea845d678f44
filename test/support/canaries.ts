/**
 * Canaries: unique secrets and personal data to plant in exchanges, and a reader that decodes output repeatedly in
 * order to find any of them, however encoded.
 */
import { Buffer } from 'node:buffer'
import type { Exchange } from '../../src/core/traffic/exchange.ts'
import { cnpjCheckDigits, cpfCheckDigits } from '../../src/core/traffic/redaction/digits.ts'

export interface CanaryKind {
  readonly name: string
  readonly key: string
  /** The n-th value, and the part of it that identifies it. */
  readonly make: (n: number) => { readonly value: string; readonly trace: string }
  /** Recognised by its pattern, without its key. */
  readonly byPattern?: true
}

const asWord = (n: number): string => {
  let rest = n
  let text = ''
  for (let index = 0; index < 5; index++) {
    text = String.fromCharCode(97 + (rest % 26)) + text
    rest = Math.floor(rest / 26)
  }
  return `qx${text}xq`
}
/** Seven digits, unique, and never starting like our redacted placeholders. */
const digits = (n: number): string => String(1_000_000 + ((n * 7919) % 8_000_000))

const word =
  (before: string, after = '') =>
  (n: number) => ({
    value: before + asWord(n) + after,
    trace: asWord(n),
  })

function luhn(base: string): string {
  const sum = Array.from(base)
    .toReversed()
    .reduce((all, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
      return all + (value > 9 ? value - 9 : value)
    }, 0)
  return base + String((10 - (sum % 10)) % 10)
}

export const canaryKinds: readonly CanaryKind[] = [
  { name: 'token', key: 'access_token', make: word('tok-') },
  { name: 'credentials', key: 'hint', make: word('Bearer a.'), byPattern: true },
  { name: 'secret', key: 'client_secret', make: word('s3c-') },
  { name: 'password', key: 'password', make: word('pw ') },
  { name: 'api key', key: 'x-api-key', make: word('k-') },
  { name: 'signature', key: 'signature', make: word('sha256=') },
  { name: 'name', key: 'customerName', make: word('Ana ', ' Souza') },
  { name: 'e-mail', key: 'contactInfo', make: word('ana.', '@provedor.com.br'), byPattern: true },
  { name: 'e-mail by its key', key: 'email', make: word('ana.', '@provedor.com.br') },
  {
    name: 'telephone number',
    key: 'phone',
    make: (n) => ({ value: `119${digits(n)}4`, trace: `9${digits(n)}4` }),
  },
  {
    name: 'telephone number with its country',
    key: 'said',
    make: (n) => ({ value: `+55119${digits(n)}4`, trace: `9${digits(n)}4` }),
    byPattern: true,
  },
  {
    name: 'CPF',
    key: 'ref',
    byPattern: true,
    make: (n) => {
      const base = `52${digits(n)}`
      const dotted = `${base.slice(0, 3)}.${base.slice(3, 6)}.${base.slice(6)}`
      return { value: `${dotted}-${cpfCheckDigits(base)}`, trace: dotted }
    },
  },
  {
    name: 'CPF in digits',
    key: 'cpf',
    make: (n) => ({
      value: `52${digits(n)}${cpfCheckDigits(`52${digits(n)}`)}`,
      trace: `52${digits(n)}`,
    }),
  },
  {
    name: 'CNPJ',
    key: 'cnpj',
    make: (n) => {
      const base = `1${digits(n)}0001`
      return { value: base + cnpjCheckDigits(base), trace: base }
    },
  },
  {
    name: 'CNPJ with letters',
    key: 'issuer',
    byPattern: true,
    make: (n) => {
      const base = `A${digits(n)}01DE`
      const all = base + cnpjCheckDigits(base)
      const dotted = `${all.slice(0, 2)}.${all.slice(2, 5)}.${all.slice(5, 8)}`
      return { value: `${dotted}/${all.slice(8, 12)}-${all.slice(12)}`, trace: dotted }
    },
  },
  { name: 'street', key: 'street', make: word('Rua ', ' 12') },
  { name: 'address in a place', key: 'referencePoint', make: word('by the ') },
  {
    name: 'coordinate',
    key: 'latitude',
    make: (n) => ({ value: `-23.55${digits(n)}9137`, trace: `${digits(n)}9137` }),
  },
  {
    name: 'card',
    key: 'info',
    byPattern: true,
    make: (n) => {
      const all = luhn(`4111111${digits(n)}1`)
      return {
        value: all.replaceAll(/(\d{4})(?=\d)/g, '$1 '),
        trace: `${all.slice(4, 8)} ${all.slice(8, 12)} ${all.slice(12)}`,
      }
    },
  },
  { name: 'instant payment', key: 'pixKey', make: word('') },
  {
    name: 'pickup code',
    key: 'pickupCode',
    make: (n) => ({ value: `${digits(n)}7391`, trace: `${digits(n)}7391` }),
  },
  { name: 'note', key: 'observations', make: word('ring for ', ' twice') },
  { name: 'picture', key: 'avatarUrl', make: word('https://img.example/', '.png') },
  { name: 'plate', key: 'licensePlate', make: word('') },
  {
    name: 'address of a machine',
    key: 'clientIp',
    make: (n) => ({
      value: `2001:db8:${digits(n).slice(0, 4)}:${digits(n).slice(4)}::a`,
      trace: `${digits(n).slice(0, 4)}:${digits(n).slice(4)}:`,
    }),
  },
  { name: 'device', key: 'deviceId', make: word('d-') },
]

const html = (text: string): string =>
  text.replaceAll(/[&<>"'@]/g, (char) => `&#${char.charCodeAt(0)};`)

/** A document that contains the canary, in several notations. */
export const canaryEncodings: Readonly<Record<string, (key: string, value: string) => string>> = {
  'as JSON': (key, value) => JSON.stringify({ [key]: value }),
  'as JSON in JSON': (key, value) => JSON.stringify({ a: JSON.stringify({ [key]: value }) }),
  'with escaped letters': (key, value) =>
    `{"${key}":"${Array.from(value)
      .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')}"}`,
  'percent-encoded': (key, value) => encodeURIComponent(JSON.stringify({ [key]: value })),
  'percent-encoded twice': (key, value) =>
    encodeURIComponent(encodeURIComponent(JSON.stringify({ [key]: value }))),
  'in base64': (key, value) => Buffer.from(JSON.stringify({ [key]: value })).toString('base64'),
  'in base64 of URLs': (key, value) =>
    Buffer.from(JSON.stringify({ [key]: value })).toString('base64url'),
  'in hexadecimal': (key, value) => Buffer.from(JSON.stringify({ [key]: value })).toString('hex'),
  'with entities': (key, value) => html(JSON.stringify({ [key]: value })),
  'as claims': (key, value) =>
    [{ alg: 'HS256' }, { [key]: value }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.') + '.c2ln',
  'as a query': (key, value) => `https://x.example/cb?${key}=${encodeURIComponent(value)}`,
}

export interface PlantedCanaries<Value> {
  readonly value: Value
  /** Location of each canary by its identifying part. */
  readonly traces: ReadonlyMap<string, string>
}

let planted = 0

function planter(kind: CanaryKind, encoding: string) {
  const traces = new Map<string, string>()
  const encode = canaryEncodings[encoding] ?? String
  return {
    traces,
    /** A text with a new canary. */
    at: (place: string): string => {
      const { value, trace } = kind.make(++planted)
      traces.set(trace, place)
      return encode(kind.key, value)
    },
  }
}

/** An exchange with a canary in every possible place. */
export function exchangeWithCanaries(
  exchange: Exchange,
  kind: CanaryKind,
  encoding: string,
): PlantedCanaries<Exchange> {
  const { at, traces } = planter(kind, encoding)
  const code = (place: string): string => encodeURIComponent(at(place))
  const boundary = 'b0'
  const value: Exchange = {
    ...exchange,
    request: {
      method: 'POST',
      url: `http://127.0.0.1/v2/orders/o-1?state=${code('a query')}&a=1#state=${code('a fragment')}`,
      headers: [
        ['Content-Type', `multipart/form-data; boundary=${boundary}`],
        ['Cookie', `sid=${code('a cookie')}`],
        ['X-Debug', at('a header')],
        ['Referer', `https://shop.example/p?state=${code('a referer')}`],
        ['Authorization', `Bearer ${at('credentials')}`],
      ],
      body: `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${at('a part')}\r\n--${boundary}--\r\n`,
    },
    reply: {
      status: 302,
      headers: [
        ['Location', `/callback?state=${code('a location')}`],
        ['Content-Type', 'application/json'],
        ['Set-Cookie', `sid=${code('a new cookie')}; Path=/`],
      ],
      body: JSON.stringify({
        a: { b: [{ c: at('a text in a body') }] },
        error: `cannot read ${at('an echo')} there`,
        list: [[at('a list of lists')]],
      }),
    },
    failure: { code: 'EPROTO', message: `it said ${at('a failure')}` },
  }
  return { value, traces }
}

type Members = Readonly<Record<string, unknown>>

/** An archive entry of another tool, and its surroundings, with a canary in every place that only those have. */
export function archiveEntryWithCanaries(
  kind: CanaryKind,
  encoding: string,
): PlantedCanaries<{ readonly entry: Members; readonly log: Members }> {
  const { at, traces } = planter(kind, encoding)
  const code = (place: string): string => encodeURIComponent(at(place))
  const entry = {
    startedDateTime: '2026-11-20T12:00:00.000Z',
    time: 3,
    comment: at('a comment'),
    request: {
      method: 'POST',
      url: `https://shop.example/p?state=${code('an URL')}`,
      headers: [{ name: 'X-Debug', value: at('a header'), comment: at('its comment') }],
      cookies: [{ name: 'sid', value: at('a cookie'), comment: at('its comment') }],
      queryString: [
        { name: 'state', value: at('a parameter') },
        { name: 'coded', value: code('a parameter in code') },
      ],
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        params: [{ name: 'state', value: at('a field of a form'), fileName: at('a file name') }],
        text: `state=${code('a form')}`,
      },
    },
    response: {
      status: 200,
      statusText: at('a status'),
      headers: [],
      cookies: [],
      redirectURL: `/next?state=${code('where it leads')}`,
      content: {
        mimeType: 'application/json',
        encoding: 'base64',
        text: Buffer.from(JSON.stringify({ note2: at('a body in base64') })).toString('base64'),
      },
    },
    serverIPAddress: '200.147.3.1',
    _initiator: {
      type: 'script',
      stack: { callFrames: [{ url: `https://x/?state=${code('a stack')}` }] },
    },
    _webSocketMessages: [{ type: 'send', data: at('a message') }],
    settings: { unknown: [at('an unknown member')] },
  }
  const log = {
    creator: { name: 'tool', version: '1', comment: at('who made it') },
    pages: [
      { id: 'p', title: `https://x/?state=${code('the title of a page')}`, comment: at('a page') },
    ],
    _more: at('an unknown member of the log'),
  }
  return { value: { entry, log }, traces }
}

const rounds = 6
const maxChars = 2_000_000

const decoders: readonly ((text: string) => string)[] = [
  (text) =>
    text.replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  (text) =>
    text
      .replaceAll(/\\[rnt]/g, ' ')
      .replaceAll('\\"', '"')
      .replaceAll('\\\\', '\\')
      .replaceAll('\\/', '/'),
  (text) =>
    text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    ),
  (text) =>
    text
      .replaceAll(/&#x([\da-f]{1,6});/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      .replaceAll(/&#(\d{1,7});/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
]

/** Decodes runs that may be base64 or hex, at every possible offset. */
function inside(text: string): string {
  const parts: string[] = []
  for (const [run] of text.matchAll(/[\w+/-]{12,}/g)) {
    parts.push(Buffer.from(run, 'base64').toString('utf8'))
    if (/^[\da-f]+$/i.test(run)) parts.push(Buffer.from(run, 'hex').toString('utf8'))
  }
  return parts.join('\n')
}

/** The text and everything that repeated decoding finds in it. */
export function decodeAll(text: string): string {
  const seen = new Set<string>([text])
  let fresh = [text]
  for (let round = 0; round < rounds && fresh.length > 0; round++) {
    const next = fresh.flatMap((each) => [...decoders.map((decode) => decode(each)), inside(each)])
    fresh = next.filter((each) => each !== '' && each.length < maxChars && !seen.has(each))
    for (const each of fresh) seen.add(each)
  }
  return [...seen].join('\n')
}
