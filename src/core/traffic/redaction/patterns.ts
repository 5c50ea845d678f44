/**
 * Patterns that find personal data and secrets in any text. A quiet pattern (bare digits with valid check digits) is
 * not applied to identifiers, one in a hundred of which would match.
 */
import { textFromBase64 } from './base64.ts'
import type { RedactionClass } from './class.ts'
import { coordinate } from './classes/addresses.ts'
import { document, isEvidentDocument, isValidDocument } from './classes/documents.ts'
import { email } from './classes/emails.ts'
import { pix, card, isCardNumber } from './classes/payments.ts'
import { birth } from './classes/persons.ts'
import { isFullNumber, phone } from './classes/phones.ts'
import { secret, token } from './classes/secrets.ts'
import { digitsOf } from './digits.ts'
import { isDistinctive, isOpaque } from './distinctive.ts'
import { hasClass, keyMeaningOf } from './keys.ts'
import { formDecode } from './percent-encoding.ts'
import { replaceByEvidence, type RedactionWalk } from './walk.ts'

interface Pattern {
  readonly definition: RedactionClass
  /** A text without it has no match: cheaper than the search. */
  readonly needs?: string | RegExp
  readonly pattern: RegExp
  /** An additional check of the match. */
  readonly holds?: (match: string) => boolean
  /** Not applied to identifiers. */
  readonly quiet?: true
}

/**
 * Patterns of sentences: what a value is, the words before it tell. `login with password hunter2`, `born on 12/03/1987`,
 * `call 11987654321`. A number without such words is an identifier more often than not, and stays.
 */

/** Without the `u` flag, with which a run of millions of letters overflows the stack. */
const letter = 'A-Za-zÀ-ÿ'

/** Without an end, a run of millions of characters may overflow the stack of the matcher. */
const maxSecretChars = 2_000_000

const secretWords = String.raw`pass(?:word|wd|phrase|code)|senha|secret|segredo|chave secreta|api[ _-]?key`
const needsSecretWord = /passw|passph|passcode|senha|secret|segredo|token|api[ _-]?key/i

/** What follows such a word and is no secret: `with password grant`. */
const notSecret = String.raw`(?:is|was|and|or|for|in|on|at|of|not|no|that|which|to|from|by|as|the|an?|has|had|must|should|can|grant|flow|auth\w*|login|sign|reset|polic\w+|hash\w*|header|field|parameters?|rotat\w+|protect\w*|encrypt\w*|only|e|ou|de|do|da|para|n[ãa]o|inv[áa]lid\w*|invalid|incorre\w+|wrong|required|expired?|missing|change\w*|length|manager|prompt|type|set|s)(?![${letter}\d_-])`

const date = String.raw`(?:\d{4}-\d\d-\d\d|\d{1,2}([./-])\d{1,2}\1\d{4})(?![\dT])`

/** Before a number of eleven digits: what it counts or identifies is no person. */
const businessWord = String.raw`(?<!\p{L})(?:orders?|pedidos?|ids?|ite[mn]s?|items|sku|ean|gtin|plu|codes?|c[oó]digos?|events?|eventos?|merchants?|stores?|lojas?|nsu|numbers?|n[uú]meros?|invoices?|notas?|totals?|at|times?|timestamps?|ref|references?|protocolo?s?|seq|version|trace|request|product|produtos?|barcode|account|conta)`
const elevenDigits = String.raw`(?<=\p{L}{2}[\s:,]{1,3})(?<!${businessWord}[\s:,#]{1,3})`

const sentencePatterns: readonly Pattern[] = [
  {
    definition: secret,
    needs: needsSecretWord,
    pattern: new RegExp(
      String.raw`(?<=(?:^|[^${letter}])(?:with|using|and|com|usando|by)\s(?:[${letter}]{1,20}\s)?(?:${secretWords})\s["'\x60]?)(?!${notSecret})[^\s"'\x60,;{}[\]<>]{3,${maxSecretChars}}`,
      'gi',
    ),
  },
  {
    // Without these words only what is quoted, or has a digit or a sign in it.
    definition: secret,
    needs: needsSecretWord,
    pattern: new RegExp(
      String.raw`(?<=(?:^|[^${letter}])(?:${secretWords}|token)\s(?:(?:is|was|of|[ée]|era|foi)\s)?["'\x60])[^\s"'\x60]{3,${maxSecretChars}}(?=["'\x60])`,
      'gi',
    ),
  },
  {
    definition: secret,
    needs: needsSecretWord,
    pattern: new RegExp(
      String.raw`(?<=(?:^|[^${letter}])(?:${secretWords}|token)\s(?:(?:is|was|of|[ée]|era|foi)\s)?)(?!sha-?\d|md5|v\d)[^\s"'\x60,;:{}()[\]<>]{6,2000}`,
      'gi',
    ),
    holds: (match) => /\p{L}/u.test(match) && /[\d!@#$%^&*]/.test(match),
  },
  {
    definition: birth,
    needs: /born|birth|\bdob\b|nasc|anivers/i,
    pattern: new RegExp(
      String.raw`(?<=(?:born|birth\s?da(?:y|te)|date of birth|dob|nascid[oa]|nascimento|nasceu|anivers[áa]rio)[^\p{L}\d]{1,3}(?:(?:on|in|is|was|em|no dia|dia|[ée])[^\p{L}\d]{1,2})?)${date}`,
      'giu',
    ),
  },
  {
    // So long ago is hardly anything but a birth; the epoch is a date that was never set.
    definition: birth,
    needs: /19[2-9]\d|200\d/,
    pattern: new RegExp(String.raw`(?<=\p{L}{2}[\s:,(]{1,3})${date}`, 'gu'),
    holds: (match) => /(?:^|\D)(?:19[2-9]\d|200\d)(?!\d)/.test(match) && !/1970/.test(match),
  },
  {
    definition: phone,
    needs: /\d{11}/,
    pattern: new RegExp(
      String.raw`${elevenDigits}(?<!(?:cpf|cnpj)[\s:=#_.-]{0,3})[1-9]{2}9\d{8}(?![\w-]|\.\d)`,
      'giu',
    ),
    // A CPF may have the digits of a telephone number; of other numbers one in a hundred is a valid one.
    holds: (match) => !isValidDocument(match),
  },
  {
    definition: document,
    needs: /\d{11}/,
    pattern: new RegExp(String.raw`${elevenDigits}\d{11}(?![\w-]|\.\d)`, 'giu'),
    // Replaced telephone numbers have a digit that none has.
    holds: (match) => isValidDocument(match) || !/^[1-9]{2}90/.test(match),
  },
  {
    definition: pix,
    needs: /pix/i,
    pattern:
      /(?<=\bpix["']?\W{1,3}(?:(?:key|chave|is|was|to|para|é)\W{1,3}){0,2})[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi,
  },
]

const isPhoneLength = (match: string): boolean => {
  const { length } = digitsOf(match)
  return length >= 8 && length <= 15
}

const patterns: readonly Pattern[] = [
  {
    definition: secret,
    needs: 'PRIVATE KEY-',
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,20}PRIVATE KEY-----|$)/g,
  },
  { definition: token, needs: 'eyJ', pattern: /\beyJ[\w-]{6,}\.[\w-]{2,}\.[\w~-]*/g },
  {
    // Some programs put a space or a line end after the first brace.
    definition: token,
    pattern: /\be(?:yA|wo|w0)[\w-]{6,}\.[\w-]{2,}\.[\w~-]*/g,
    holds: (match) => textFromBase64(match.slice(0, match.indexOf('.')))?.startsWith('{') === true,
  },
  {
    // A header within a text: in a log line, in a part of a form, in an error.
    definition: token,
    pattern:
      /(?<=\b(?:authorization|cookie)["']?\s{0,3}[:=]\s{0,3}["']?)(?![\s"'])(?:Digest [^\r\n<>]{3,}|[^\r\n"',{}[\]<>]{3,})/gi,
  },
  {
    // Keys of well-known services, by their documented prefixes.
    definition: secret,
    pattern:
      /\b(?:A[KS]IA[A-Z\d]{16}|AIza[\w-]{35}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,}|1\/\/0[\w-]{30,}|gh[pousr]_[A-Za-z\d]{30,}|github_pat_\w{22,}|glpat-[\w-]{20,}|npm_[A-Za-z\d]{30,}|[sr]k[-_](?:live|test|proj|ant)[-_](?=[\w-]*[A-Z\d])[\w-]{16,}|sk-[A-Za-z\d]{32,}|whsec_[\w+/=-]{20,}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{20,}|APP_USR-[\w-]{20,}|TEST-\d{10,}-[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|shp(?:at|ss|ca)_[a-f\d]{32}|EAA[A-Za-z\d]{40,}|hf_[A-Za-z\d]{30,}|[ps]k\.eyJ[\w-]{20,}\.[\w-]{16,}|AAAA[\w-]{7}:APA91b[\w-]{60,}|T[A-Z\d]{8,}\/B[A-Z\d]{8,}\/[A-Za-z\d]{20,})/g,
  },
  {
    definition: secret,
    pattern:
      /\b(?:(?:dop_v1_|dapi|SK)[a-f\d]{32,64}|(?:NRAK-|AGE-SECRET-KEY-)[A-Z\d]{20,}|(?:sntry[su]_|sq0[a-z]{3}-|EAAA[A-Z]|PMAK-|ATATT3x|pypi-A|aact_|xkeysib-|dp\.(?:pt|st|ct|sa)\.)[\w:=-]{32,2000})/g,
  },
  {
    // Of others, by the words before it: `lin_api_…`, `ak_live_…`.
    definition: secret,
    needs: /(?:key|token|secret|pat|api|live|prod|[asr]k|rw)[_-]/i,
    pattern:
      /\b(?:[a-z\d]{1,20}[_-]){0,3}(?:key|token|secret|pat|api|live|prod|[asr]k|rw)[_-][\w-]{20,2000}/gi,
    holds: (match) => isDistinctive(match.replace(/^.*[_-](?=[^_-]{16})/, ''), 'placed'),
    quiet: true,
  },
  { definition: secret, needs: ':AA', pattern: /(?<!\d)\d{8,12}:AA[\w-]{30,}/g },
  { definition: token, pattern: /\b(?:Bearer|Basic) +(?!\w+=["'])[\w.~+/=()-]{6,}/gi },
  {
    definition: email,
    needs: '"@',
    pattern:
      /"(?:[^"\\\r\n]|\\.){1,64}"@[\p{L}\p{N}\p{M}-]{1,63}(?:\.[\p{L}\p{N}\p{M}-]{1,63}){1,8}/gu,
  },
  {
    definition: email,
    needs: '@',
    pattern:
      /(?:[\p{L}\p{N}\p{M}_.+%-]|(?<=\p{L})'(?=\p{L})){1,64}@[\p{L}\p{N}\p{M}-]{1,63}(?:\.[\p{L}\p{N}\p{M}-]{1,63}){1,8}/gu,
  },
  { definition: document, pattern: /(?<![\d.])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/g },
  {
    definition: document,
    pattern: /(?<![\dA-Z])[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}(?!\d)/gi,
  },
  {
    definition: document,
    needs: /cpf|cnpj/i,
    pattern: /(?<=(?:cpf|cnpj)["']?[\s:=#_.-]{0,3}["']?)(?:\d{14}|\d{11})(?!\d)/gi,
  },
  {
    // In the name of a file.
    definition: document,
    needs: /\.(?:pdf|jpe?g|png|webp|heic|gif|tiff?|xml|json|csv|txt|docx?|xlsx?|zip)\b/i,
    pattern:
      /(?<!\d)(?:\d{14}|\d{11})(?=(?:\D[\w .()-]{0,60})?\.(?:pdf|jpe?g|png|webp|heic|gif|tiff?|xml|json|csv|txt|docx?|xlsx?|zip)\b)/gi,
    holds: isValidDocument,
  },
  {
    // Document numbers with part of their punctuation: confirmed by the check digits.
    definition: document,
    pattern: /(?<![\w.+~/-])\d{3}([. ]?)\d{3}\1\d{3}[-/ ]\d{2}(?![\w-])/g,
    holds: isValidDocument,
  },
  {
    definition: document,
    needs: '/',
    pattern: /(?<![\w.+~/-])[\dA-Z]{8}\/[\dA-Z]{4}-\d{2}(?![\w-])/gi,
    holds: isValidDocument,
  },
  { definition: phone, needs: '+', pattern: /\+\d{10,15}(?!\d)/g },
  {
    definition: phone,
    needs: '+',
    pattern: /\+\d{1,3}[ .-]?\(?\d{2,3}\)?[ .-]?\d{3,5}[ .-]?\d{4}(?![\d])/g,
  },
  {
    // Digit groups as written in other countries.
    definition: phone,
    needs: '+',
    pattern: /\+\d{1,3}(?:[ .-]\(?\d{1,8}\)?){2,6}(?!\d)/g,
    holds: isPhoneLength,
  },
  {
    definition: phone,
    needs: '(',
    pattern: /\(\+?\d{2,4}\) ?(?:\(?\d{2}\)? ?)?9?\d{4}[ .-]?\d{4}(?!\d)/g,
    holds: isPhoneLength,
  },
  {
    definition: phone,
    pattern: /(?<![\w+.~-])55[1-9]{2}9\d{8}(?![\w-]|\.\d)/g,
    holds: isFullNumber,
    quiet: true,
  },
  {
    // A Brazilian mobile number without its country code: no other number has five digits that begin with 9, and
    // four.
    definition: phone,
    pattern: /(?<![\w.,+~/-])(?:(?:00)?55[ .-]?)?(?:0?[1-9]{2}[ .-]?)?9\d{4}[ .-]\d{4}(?![\w-])/g,
    quiet: true,
  },
  {
    definition: card,
    pattern: /(?<![\d+-])\d{4}([ -])(?:\d{4}\1\d{4}\1\d{1,7}|\d{6}\1\d{5})(?![\d-])/g,
    holds: isCardNumber,
  },
  { definition: pix, needs: '000201', pattern: /000201[\x20-\x7E]{20,600}?6304[\dA-F]{4}/gi },
  { definition: coordinate, pattern: /-?\d{1,2}\.\d{3,}[,;] ?-?\d{1,3}\.\d{3,}/g },
  {
    definition: document,
    pattern: /(?<![\w+.~-])(?:\d{11}|[\dA-Z]{12}\d{2})(?![\w-]|\.\d)/g,
    // Fourteen digits may be a date and time.
    holds: (match) => isEvidentDocument(match) && !/^20\d\d[01]\d[0-3]\d[0-2]\d[0-5]\d/.test(match),
    quiet: true,
  },
  {
    definition: card,
    pattern: /(?<![\w+.~-])\d{13,19}(?![\w-]|\.\d)/g,
    holds: isCardNumber,
    quiet: true,
  },
]

const withSentences = [...sentencePatterns, ...patterns]

const isIn = (text: string, needs: string | RegExp): boolean =>
  typeof needs === 'string' ? text.includes(needs) : needs.test(text)

const pairName = /[A-Za-zÀ-ÿ_][\wÀ-ÿ.%-]{1,40}["']?\s{0,3}[=:]\s{0,3}["']?/g
const pairValue = /(?!(?:Bearer|Basic|Digest|Token)\b)[^\s"'&,;{}[\]<>]{3,}/iy

/** Whether a name and its value, in whatever notation, are those of a secret. */
function isSecretPair(name: string, value: string): boolean {
  const { always, whenOpaque } = keyMeaningOf(name)
  if (always?.id === 'token' || always?.id === 'secret' || always?.id === 'pix') return true
  if (always?.id === 'code' || always?.id === 'card') return /\d/.test(value)
  const isStrong = always?.id === 'signature' || whenOpaque !== undefined
  return isStrong && isOpaque(value, { isParameter: true })
}

/** `password=…`, `"token": "…"`, `senha_atual: …` in a text. */
function redactNamedSecrets(
  walk: RedactionWalk,
  text: string,
  path: string,
  quiet: boolean,
): string {
  if (!/[=:]/.test(text)) return text
  let result = ''
  let done = 0
  pairName.lastIndex = 0
  for (let found = pairName.exec(text); found; found = pairName.exec(text)) {
    const from = pairName.lastIndex
    const name = formDecode(found[0].replace(/["'\s=:]+$/, ''))
    if (!hasClass(keyMeaningOf(name))) continue
    pairValue.lastIndex = from
    const value = pairValue.exec(text)?.[0]
    if (value === undefined || !isSecretPair(name, value)) continue
    // `/token:revoke` is a custom method.
    const isMethod = quiet && found[0].endsWith(':') && !isOpaque(value, { isParameter: true })
    if (isMethod) continue
    const next = replaceByEvidence(walk, secret, value, { path, evidence: 'placed' })
    result += text.slice(done, from) + next
    done = from + value.length
    pairName.lastIndex = done
  }
  return result + text.slice(done)
}

export function redactPatterns(
  walk: RedactionWalk,
  text: string,
  path: string,
  quiet: boolean,
): string {
  let result = redactNamedSecrets(walk, text, path, quiet)
  for (const { definition, needs, pattern, holds, quiet: isQuiet } of /\s/.test(text)
    ? withSentences
    : patterns) {
    if ((quiet && isQuiet) || (needs !== undefined && !isIn(result, needs))) continue
    result = result.replaceAll(pattern, (match: string) =>
      holds && !holds(match)
        ? match
        : replaceByEvidence(walk, definition, match, { path, evidence: 'placed' }),
    )
  }
  return result
}
