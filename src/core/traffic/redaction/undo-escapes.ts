/**
 * Undoes the escapes of a text: percent-encoding, escapes of JSON, and HTML entities, in any mixture and any number of
 * times, so that a value looks the same wherever it stands: `p%40ss\u002f1` is `p@ss/1`. Lossy on purpose, for searching
 * only: backslashes and carriage returns are dropped, tabs and line feeds are spaces.
 */
export interface UnescapedBytes {
  /** UTF-8; may be longer than `length`. */
  bytes: Uint8Array
  /** For each byte the offset in the text at which it, or its escape, begins. */
  from: Uint32Array
  length: number
}

/** Escapes besides those of JSON for quotes, backslashes and line ends, which most values do not contain. */
export const hasManyEscapes = (text: string): boolean =>
  text.includes('%') ||
  /\\[u/]/.test(text) ||
  (text.includes('&') && /&(?:#|[a-z]{2,6};)/i.test(text))

export const createUnescapedBytes = (): UnescapedBytes => ({
  bytes: new Uint8Array(0),
  from: new Uint32Array(0),
  length: 0,
})

const percent = 37
const ampersand = 38
const backslash = 92
const space = 32
const tab = 9
const lineFeed = 10
const carriageReturn = 13

/** Bytes that are not copied as they are. */
const isSpecial = new Uint8Array(256)
for (const byte of [percent, ampersand, backslash, tab, lineFeed, carriageReturn])
  isSpecial[byte] = 1

const noDigit = 16
const hexValues = new Uint8Array(256).fill(noDigit)
for (let value = 0; value < 16; value++)
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()])
    hexValues[digit.charCodeAt(0)] = value

const namedEntities: ReadonlyMap<string, number> = new Map([
  ['quot', 34],
  ['amp', 38],
  ['apos', 39],
  ['plus', 43],
  ['sol', 47],
  ['lt', 60],
  ['equals', 61],
  ['gt', 62],
  ['commat', 64],
])
const entity = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/i
const maxEntityLength = 10

/** More rounds than anybody encodes. */
const maxRounds = 6

/** The value of `count` hexadecimal digits; -1 when they are none. */
function hexAt(text: Uint8Array, at: number, count: number, end: number): number {
  if (at + count > end) return -1
  let value = 0
  for (let index = at; index < at + count; index++) {
    const digit = hexValues[text[index] ?? 0] ?? noDigit
    if (digit === noDigit) return -1
    value = value * 16 + digit
  }
  return value
}

/** The escape that was read last: what it stands for (-1: nothing) and where it ends. */
const escape = { code: 0, isByte: false, end: 0 }

function setEscape(code: number, end: number, isByte = false): void {
  escape.code = code
  escape.end = end
  escape.isByte = isByte
}

function readEntity(text: Uint8Array, at: number, end: number): void {
  const beginning = String.fromCharCode(...text.subarray(at, Math.min(end, at + maxEntityLength)))
  const [whole = '', decimal, hex, name] = entity.exec(beginning) ?? []
  const code =
    decimal === undefined
      ? hex === undefined
        ? (namedEntities.get((name ?? '').toLowerCase()) ?? -1)
        : Number.parseInt(hex, 16)
      : Number(decimal)
  if (code < 0 || code > 0x10_ff_ff) setEscape(ampersand, at + 1, true)
  else setEscape(code, at + whole.length)
}

/** Where the backslashes that begin at `at` end. */
function endOfBackslashes(text: Uint8Array, at: number, end: number): number {
  let next = at
  while (next < end && text[next] === backslash) next++
  return next
}

const letterU = 117

/** A run of backslashes of any length, as in JSON within JSON, and what it escapes. */
function readBackslashes(text: Uint8Array, at: number, end: number): void {
  const next = endOfBackslashes(text, at, end)
  const letter = text[next]
  if (letter === 110 || letter === 116) return setEscape(space, next + 1)
  if (letter === 114) return setEscape(-1, next + 1)
  const unit = letter === letterU ? hexAt(text, next + 1, 4, end) : -1
  if (unit < 0) return setEscape(-1, next)
  const after = next + 5
  const second = endOfBackslashes(text, after, end)
  const low =
    unit >= 0xd8_00 && unit < 0xdc_00 && second > after && text[second] === letterU
      ? hexAt(text, second + 1, 4, end)
      : -1
  if (low >= 0xdc_00 && low < 0xe0_00)
    setEscape(0x1_00_00 + ((unit - 0xd8_00) << 10) + (low - 0xdc_00), second + 5)
  else setEscape(unit, after)
}

function readEscape(text: Uint8Array, at: number, end: number): void {
  const byte = text[at]
  if (byte === backslash) readBackslashes(text, at, end)
  else if (byte === ampersand) readEntity(text, at, end)
  else if (byte === percent) {
    const value = hexAt(text, at + 1, 2, end)
    if (value < 0) setEscape(percent, at + 1, true)
    else setEscape(value, at + 3, true)
  } else setEscape(byte === carriageReturn ? -1 : space, at + 1)
}

/** Writes a code point as UTF-8; returns how many bytes that are. */
function putUtf8(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code
    return 1
  }
  const length = code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4
  for (let index = length - 1, rest = code; index >= 0; index--, rest >>= 6)
    bytes[at + index] = index === 0 ? ((0xf00 >> length) & 0xff) | rest : 0x80 | (rest & 63)
  return length
}

interface EscapedPart {
  readonly text: Uint8Array
  readonly start: number
  readonly end: number
  /** Where each byte of it begins in the first text; undefined when it is the first. */
  readonly origins: Uint32Array | undefined
}

/** One round, which may be in place; returns whether what an escape stood for may begin another escape. */
function undoOnce({ text, start, end, origins }: EscapedPart, target: UnescapedBytes): boolean {
  const { bytes, from } = target
  let isNested = false
  let length = 0
  /** Where the dropped bytes before the next one begin. */
  let dropped = -1
  for (let at = start; at < end;) {
    const byte = text[at] ?? 0
    const origin = dropped >= 0 ? dropped : origins ? (origins[at] ?? 0) : at
    if (isSpecial[byte] === 0) {
      bytes[length] = byte
      from[length++] = origin
      at++
      dropped = -1
      continue
    }
    readEscape(text, at, end)
    const { code, isByte } = escape
    const isLiteral = escape.end === at + 1
    at = escape.end
    dropped = code < 0 || code === carriageReturn ? origin : -1
    if (dropped >= 0) continue
    isNested ||= !isLiteral && (code === percent || code === ampersand || code === backslash)
    const plain = code === tab || code === lineFeed ? space : code
    const count = isByte ? 1 : putUtf8(bytes, length, plain)
    if (isByte) bytes[length] = plain
    from.fill(origin, length, length + count)
    length += count
  }
  target.length = length
  return isNested
}

/** Undoes the escapes of `text` from `start` to `end`. */
export function undoEscapes(
  text: Uint8Array,
  start: number,
  end: number,
  target: UnescapedBytes,
): void {
  // No escape is shorter than what it stands for.
  if (target.bytes.length < end - start) {
    target.bytes = new Uint8Array(end - start)
    target.from = new Uint32Array(end - start)
  }
  let isNested = undoOnce({ text, start, end, origins: undefined }, target)
  for (let round = 1; isNested && round < maxRounds; round++)
    isNested = undoOnce(
      { text: target.bytes, start: 0, end: target.length, origins: target.from },
      target,
    )
}
