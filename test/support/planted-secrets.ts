/**
 * Planted secrets: each stands twice, once where redaction recognises it (a cookie, a token, a path …) and once where
 * nothing tells what it is, in another encoding: in an exchange before, in the same one, or in one behind. And a search
 * of bytes for them: as they are, with URL-encoding and JSON escapes undone, and decoded from base64 at any alignment.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Exchange, HeaderPairs } from '../../src/core/traffic/exchange.ts'
import { sampleExchange, sampleT0 } from './sample-exchange.ts'

/** Puts a text into an exchange. */
type Place = (exchange: Exchange, text: string) => Exchange

const reply = (exchange: Exchange) => exchange.reply ?? { status: 200, headers: [] }

const withSent =
  (make: (text: string) => HeaderPairs[number]): Place =>
  (exchange, text) => ({
    ...exchange,
    request: { ...exchange.request, headers: [...exchange.request.headers, make(text)] },
  })

const withReceived =
  (make: (text: string) => HeaderPairs[number]): Place =>
  (exchange, text) => ({
    ...exchange,
    reply: { ...reply(exchange), headers: [...reply(exchange).headers, make(text)] },
  })

const withUrl =
  (make: (url: string, text: string) => string): Place =>
  (exchange, text) => {
    const { params: _params, orderId: _orderId, operation: _operation, ...rest } = exchange
    return { ...rest, request: { ...exchange.request, url: make(exchange.request.url, text) } }
  }

const withBody =
  (type: string, make: (text: string) => string): Place =>
  (exchange, text) => ({
    ...exchange,
    request: {
      ...exchange.request,
      method: 'POST',
      headers: [...exchange.request.headers, ['Content-Type', type]],
      body: make(text),
    },
  })

const withReplyBody =
  (type: string, make: (text: string) => string): Place =>
  (exchange, text) => ({
    ...exchange,
    reply: {
      status: 200,
      headers: [
        ...reply(exchange).headers.filter(([name]) => !/^content-type$/i.test(name)),
        ['Content-Type', type],
      ],
      body: make(text),
    },
  })

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const code = encodeURIComponent
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const multipart = (name: string, text: string): string =>
  `--b0\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n--b0--\r\n`
/** Only some characters may stand in a header. */
const cookieSafe = (text: string): string => text.replaceAll(/[^\x21-\x7E]|[",;\\%]/gu, code)

/** Where a secret is recognised. */
export const revealingPlaces: Readonly<Record<string, Place>> = {
  'a cookie': withSent((text) => ['Cookie', `theme=dark; sid=${cookieSafe(text)}`]),
  'a new cookie': withReceived((text) => ['Set-Cookie', `session=${cookieSafe(text)}; Path=/`]),
  'a bearer token': withSent((text) => ['Authorization', `Bearer ${cookieSafe(text)}`]),
  'basic credentials': withSent((text) => ['Authorization', `Basic ${base64(`pos:${text}`)}`]),
  'an API key': withSent((text) => ['X-Api-Key', cookieSafe(text)]),
  'a token in a reply': withReplyBody(json, (text) => JSON.stringify({ access_token: text })),
  'a secret in a body': withBody(json, (text) => JSON.stringify({ client_secret: text })),
  'JSON in JSON': withBody(json, (text) =>
    JSON.stringify({ a: JSON.stringify({ password: text }) }),
  ),
  'a form': withBody(form, (text) => `grant_type=password&password=${code(text)}`),
  'a query': withUrl((url, text) => `${url}?a=1&access_token=${code(text)}`),
  'the login of a URL': withUrl((url, text) => url.replace('://', `://pos:${code(text)}@`)),
  'a path': withUrl((url) => url),
  'a fragment': withUrl((url, text) => `${url}#access_token=${code(text)}`),
  'a location': withReceived((text) => ['Location', `/cb?refresh_token=${code(text)}`]),
  'an element': withBody('application/xml', (text) => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return `<login><apiKey>${escaped}</apiKey></login>`
  }),
  'a part of a form': withBody('multipart/form-data; boundary=b0', (text) =>
    multipart('password', text),
  ),
  'a signature': withSent((text) => ['X-App-Signature', `sha256=${text}`]),
}

/** Where nothing tells what it is. */
export const hidingPlaces: Readonly<Record<string, Place>> = {
  'a header': withSent((text) => ['X-Debug', text]),
  'a header of the reply': withReceived((text) => ['X-Trace', `seen ${text} here`]),
  'a parameter': withUrl((url, text) => `${url}${url.includes('?') ? '&' : '?'}state=${text}`),
  'a segment of the path': withUrl((url, text) => url.replace('/orders/', `/orders/${text}/of/`)),
  'a text': withReplyBody('text/plain', (text) => `it was ${text}, and failed`),
  'a member': withReplyBody(json, (text) => JSON.stringify({ info: { list: [{ hint: text }] } })),
  'a key': withReplyBody(json, (text) => JSON.stringify({ seen: { [text]: 1 } })),
  'JSON inside JSON': withReplyBody(json, (text) =>
    JSON.stringify({ log: JSON.stringify({ line: `got ${text}` }) }),
  ),
  'a page': withReplyBody('text/html', (text) => `<p title="x">Hello ${text}</p>`),
  'a field': withBody(form, (text) => `a=1&memo=${text}`),
  'a part': withBody('multipart/form-data; boundary=b0', (text) => multipart('memo', text)),
  'the name of a file': withReceived((text) => ['Content-Disposition', `x; filename="${text}"`]),
}

const everyByte = (text: string, make: (hex: string) => string): string =>
  Array.from(Buffer.from(text), (byte) => make(byte.toString(16).padStart(2, '0'))).join('')
const everyUnit = (text: string, make: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, index) => make(text.charCodeAt(index))).join('')
const lowerEscapes = (text: string): string =>
  text.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase())

/** How it is written there. */
export const secretEncodings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'URL-encoded': code,
  'URL-encoded in small letters': (text) => lowerEscapes(code(text)),
  'URL-encoded twice': (text) => code(code(text)),
  'URL-encoded twice in small letters': (text) => lowerEscapes(code(lowerEscapes(code(text)))),
  'every byte URL-encoded': (text) => everyByte(text, (hex) => `%${hex.toUpperCase()}`),
  'as a form': (text) => code(text).replaceAll('%20', '+'),
  'JSON-escaped': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll('/', String.raw`\/`),
  'every letter JSON-escaped': (text) =>
    everyUnit(text, (unit) => String.raw`\u` + unit.toString(16).padStart(4, '0')),
  'every byte escaped as in a script': (text) => everyByte(text, (hex) => String.raw`\x` + hex),
  'with entities': (text) => text.replaceAll(/[^\w]/gu, (char) => `&#${char.codePointAt(0)};`),
  'every letter an entity': (text) => everyUnit(text, (unit) => `&#x${unit.toString(16)};`),
  'in base64': base64,
  'in base64 behind one byte': (text) => base64(`:${text}`),
  'in base64 behind two bytes': (text) => base64(`a:${text} and more`),
  'in base64 of URLs': (text) => Buffer.from(`{"t":"${text}"}`).toString('base64url'),
  'in base64 that is URL-encoded': (text) => code(base64(`pos:${text}?`)),
  'URL-encoded in base64': (text) => base64(`x=${code(text)}&y`),
  'URL-encoded in small letters in base64': (text) => base64(`x=${lowerEscapes(code(text))}&y`),
  'in JSON in JSON in base64': (text) =>
    base64(JSON.stringify({ a: JSON.stringify({ b: `${text} ` }) })),
  'in the claims of a token': (text) =>
    `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(JSON.stringify({ jti2: text })).toString('base64url')}.c2lnbmF0dXJl`,
  'every byte escaped in octal': (text) =>
    everyByte(text, (hex) => `\\` + Number.parseInt(hex, 16).toString(8).padStart(3, '0')),
  'in base64 twice': (text) => base64(`x ${base64(`pos:${text}`)}`),
  'in UTF-16': (text) => Buffer.from(`a ${text} `, 'utf16le').toString('latin1'),
  'in UTF-16 in base64': (text) => Buffer.from(`a ${text} `, 'utf16le').toString('base64'),
  'in Latin-1 in base64': (text) => Buffer.from(`é ${text} `, 'latin1').toString('base64'),
  'in capitals, when it is hexadecimal': (text) =>
    /^[\da-f-]+$/.test(text) ? text.toUpperCase() : text,
  'in hexadecimal': (text) => Buffer.from(`<${text}>`).toString('hex'),
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Secrets as programs and people make them. */
const makers: readonly ((n: number) => string)[] = [
  (n) => `tok_live_${digest(`a${n}`).replaceAll(/[+/=]/g, '').slice(0, 24)}`,
  (n) => digest(`b${n}`),
  (n) => createHash('sha1').update(`c${n}`).digest('hex'),
  (n) => `p&ss "w${n}" ç/${digest(`d${n}`).slice(0, 6)}`,
  (n) => `Sommer${2000 + n}!x${digest(`e${n}`).replaceAll(/[+/=]/g, '').slice(0, 3)}`,
  (n) =>
    createHash('sha256')
      .update(`f${n}`)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
  // What escapes are undone of: a quote, and a backslash.
  (n) => `pä"\\w/${digest(`k${n}`).slice(0, 12)}`,
  (n) => `s:${digest(`g${n}`).slice(0, 22)}.${digest(`h${n}`).slice(0, 27)}`,
]

/** A recognised signature or path segment has the form of one. */
const formed = (n: number): string => createHash('sha256').update(`i${n}`).digest('hex')

export interface PlantedSecret {
  readonly value: string
  /** Where it is recognised, where it hides, how it is written there, and which comes first. */
  readonly title: string
}

export interface PlantedTraffic {
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly PlantedSecret[]
}

const orders = ['before', 'in the same exchange', 'behind'] as const
/** Places that put a body into the same message cannot share an exchange. */
const isBody = (place: string): boolean =>
  /body|JSON|form|element|part|reply$|text|member|key$|page|field/.test(place)

/** Every recognised place with every encoding; hiding places and orders take turns. */
export function plantSecrets(
  isPlanted: (revealing: string, n: number) => boolean = () => true,
): PlantedTraffic {
  const secrets: PlantedSecret[] = []
  const exchanges: Exchange[] = []
  const add = (make: (exchange: Exchange) => Exchange): void => {
    const seq = exchanges.length + 1
    exchanges.push(make(sampleExchange(seq, { startedAt: sampleT0 + seq * 10 })))
  }
  const hidings = Object.entries(hidingPlaces)
  let n = 0
  for (const [revealing, reveal] of Object.entries(revealingPlaces))
    for (const [encoding, encode] of Object.entries(secretEncodings)) {
      n++
      const [hiding, hide] = hidings[(n * 5) % hidings.length] ?? ['', (each: Exchange) => each]
      if (!isPlanted(revealing, n)) continue
      const value =
        revealing === 'a signature' || revealing === 'a path'
          ? formed(n)
          : (makers[n % makers.length]?.(n) ?? '')
      const planned = orders[n % orders.length] ?? 'behind'
      const order =
        planned === 'in the same exchange' && isBody(revealing) && isBody(hiding)
          ? 'before'
          : planned
      const text = encode(value)
      const written = /header|name|parameter|segment/.test(hiding) ? headerSafe(text, hiding) : text
      const revealed = (exchange: Exchange): Exchange =>
        revealing === 'a path'
          ? withUrl((url) => url.replace('/orders/', `/reset-password/${value}/orders/`))(
              exchange,
              value,
            )
          : reveal(exchange, value)
      const hidden = (exchange: Exchange): Exchange => hide(exchange, written)
      if (order === 'before') add(hidden)
      add(order === 'in the same exchange' ? (exchange) => hidden(revealed(exchange)) : revealed)
      if (order === 'behind') add(hidden)
      secrets.push({ value, title: `${revealing}, and ${order} ${encoding} in ${hiding}` })
    }
  return { exchanges, secrets }
}

/** What cannot stand in a header or a URL as it is, is URL-encoded there. */
const headerSafe = (text: string, hiding: string): string =>
  /header|name/.test(hiding)
    ? text.replaceAll(/[^\x20-\x7E]|"/g, code)
    : text.replaceAll(/[^\w.~%+=:!$'()*,;@-]/g, code)

const undone = (text: string): string =>
  text
    .replaceAll(/(?:\\+x[\da-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll(/\\+x/gi, ''), 'hex').toString('utf8'),
    )
    .replaceAll(/(?:\\+[0-3][0-7]{2})+/g, (run) =>
      Buffer.from(
        Array.from(run.matchAll(/\d{3}/g), ([octal]) => Number.parseInt(octal, 8)),
      ).toString('utf8'),
    )
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replaceAll(/\\+(["/])/g, '$1')
    .replaceAll(/\\{2,}/g, '\\')
    .replaceAll(/(?:%[\da-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replaceAll(/&#(\d{1,7});/g, (_, decimal: string) => String.fromCodePoint(Number(decimal)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** What a run of letters and digits may encode, at any offset. */
function decodedRun(run: string): string {
  const parts = [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64'))
  if (/^[\da-f]+$/i.test(run)) parts.push(Buffer.from(run, 'hex'))
  return parts
    .flatMap((bytes) => [
      bytes.toString('utf8'),
      bytes.toString('latin1'),
      bytes.toString('utf16le'),
    ])
    .join('\n')
}

/** The line, what it is without escapes, and what is encoded in it. Of runs that are in `read` nothing is added. */
function readings(line: string, read: Set<string>): readonly string[] {
  const texts = [line]
  for (let next = undone(line); next !== texts.at(-1) && texts.length < 5; next = undone(next))
    texts.push(next)
  const runs = texts
    .flatMap((text) => Array.from(text.matchAll(/[\w+/-]{10,}/g), ([run]) => run))
    .filter((run) => !read.has(run) && read.add(run))
  const decoded = runs.map(decodedRun)
  const again = decoded.flatMap((text) =>
    Array.from(text.matchAll(/[\w+/-]{12,}/g), ([run]) => decodedRun(run)),
  )
  return [...texts, ...decoded, ...decoded.map(undone), ...again].map((text) =>
    text.replaceAll('\0', ''),
  )
}

/** What is left of the secrets in a text, by their titles. */
export function findSecrets(text: string, secrets: readonly PlantedSecret[]): readonly string[] {
  const read = new Set<string>()
  const all = Array.from(new Set(text.split('\n')), (line) => readings(line, read).join('\n')).join(
    '\n',
  )
  const spaced = all.replaceAll('+', ' ')
  const small = all.toLowerCase()
  return secrets
    .filter(({ value }) =>
      /^[\da-f-]+$/.test(value)
        ? small.includes(value)
        : spaced.includes(value.replaceAll('+', ' ')),
    )
    .map(({ title }) => title)
}
