/**
 * Fast path: most values (names of dishes, statuses, ids, times) match no pattern or encoding, and one look at each of
 * their characters shows that. Whatever `patterns.ts` or `text.ts` can match must be covered here.
 */
/** No pattern matches a shorter value. */
export const minLength = 5
const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/

/** A value with one of these, or with a run of twelve word characters, is suspicious; others are by what they hold. */
const suspicious = /[\0@+({[=%?"/\\\n]/
const longRun = 12
const suspiciousWords =
  /&[#a-z]|eyJ|secret|segredo|token|key|senha|passw|passph|bearer|basic|authoriz|cookie/i
const suspiciousDigits =
  /\.\d{3}|\d{4}[ .-]\d{4}|\d{3} \d{3}|\d{9}-\d|\d{11}|\d{4}-\d\d-\d\d|\d[.-]\d\d?[.-]\d{4}/
/** A name and its value: `chave: …`. */
const suspiciousPair = /[A-Za-zÀ-ÿ_]["']?\s{0,3}:/
/** Full-width letters and digits, and the spaces, dashes and invisible characters of copied numbers. */
const unusualCharacters =
  /[\u00A0\u00AD\u2007\u200B-\u2015\u202A-\u202F\u2060-\u2069\u2212\uFF01-\uFF5E]/
const unusualRuns =
  /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069]+|[\u00A0\u2007\u202F]|[\u2010-\u2015\u2212]|[\uFF01-\uFF5E]/g

const separator = 0
const letter = 1
const digit = 2
const beyondAscii = 4
const mark = 8

/** The kind of each ASCII character. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (suspicious.test(char)) return mark
  return /\d/.test(char) ? digit : /[\w-]/.test(char) ? letter : separator
})

const uuidLength = 36
const isHex = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\da-f]/i.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Whether a UUID stands there: UUIDs match no pattern and hide no encoding. */
function isUuidAt(text: string, from: number, to: number): boolean {
  if (to - from !== uuidLength) return false
  for (let at = 0; at < uuidLength; at++) {
    const code = text.charCodeAt(from + at)
    const isHyphen = at === 8 || at === 13 || at === 18 || at === 23
    if (isHyphen ? code !== 45 : isHex[code] !== 1) return false
  }
  return true
}

export const isUuid = (value: string): boolean => isUuidAt(value, 0, value.length)

/** The same between quotes. */
export const isUuidLiteral = (text: string, from: number, to: number): boolean =>
  isUuidAt(text, from + 1, to - 1) && text.charCodeAt(to - 1) === 34

export function needsNoRedaction(value: string): boolean {
  if (value.length < minLength) return true
  let run = 0
  let found = 0
  for (let at = 0; at < value.length; at++) {
    const kind = kinds[value.charCodeAt(at)] ?? beyondAscii
    if (kind === letter || kind === digit) run++
    else run = 0
    if (kind === mark || run === longRun) return isUuid(value) || time.test(value)
    found |= kind
  }
  return (
    !(((found & letter) !== 0 || value.includes('&')) && suspiciousWords.test(value)) &&
    !(value.includes(':') && suspiciousPair.test(value)) &&
    !((found & digit) !== 0 && suspiciousDigits.test(value)) &&
    !((found & beyondAscii) !== 0 && hasUnusualTypography(value))
  )
}

function normaliseRun(run: string): string {
  const code = run.charCodeAt(0)
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  if (code === 0xa0 || code === 0x2007 || code === 0x202f) return ' '
  return (code >= 0x2010 && code <= 0x2015) || code === 0x2212 ? '-' : ''
}

export const hasUnusualTypography = (text: string): boolean => unusualCharacters.test(text)

/** Look-alike letters, digits, spaces and dashes become ASCII, invisible characters are dropped. */
export const normaliseTypography = (text: string): string =>
  hasUnusualTypography(text) ? text.replaceAll(unusualRuns, normaliseRun) : text
