/**
 * Patterns of sentences: what a value is, the words before it tell. `login with password hunter2`, `born on 12/03/1987`,
 * `call 11987654321`. A number without such words is an identifier more often than not, and stays.
 */
import { document } from './classes/documents.ts'
import { pix } from './classes/payments.ts'
import { birth } from './classes/persons.ts'
import { phone } from './classes/phones.ts'
import { secret } from './classes/secrets.ts'
import type { Pattern } from './pattern.ts'

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

export const sentencePatterns: readonly Pattern[] = [
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
    pattern: new RegExp(String.raw`${elevenDigits}[1-9]{2}9\d{8}(?![\w-]|\.\d)`, 'giu'),
  },
  {
    definition: document,
    needs: /\d{11}/,
    pattern: new RegExp(String.raw`${elevenDigits}\d{11}(?![\w-]|\.\d)`, 'giu'),
    // Replaced telephone numbers have a digit that none has.
    holds: (match) => !/^[1-9]{2}90/.test(match),
  },
  {
    definition: pix,
    needs: /pix/i,
    pattern:
      /(?<=\bpix["']?\W{1,3}(?:(?:key|chave|is|was|to|para|é)\W{1,3}){0,2})[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi,
  },
]
