/** Text as a keyboard writes it: what looks like a letter, a digit, a space or a dash is one, what is not seen is not there. */

/** Letters and digits of full width, and the spaces, dashes and invisible marks that come with a copied number. */
const unusual = /[\u00A0\u00AD\u2007\u200B-\u2015\u202A-\u202F\u2060-\u2069\u2212\uFF01-\uFF5E]/
const unusualRuns =
  /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069]+|[\u00A0\u2007\u202F]|[\u2010-\u2015\u2212]|[\uFF01-\uFF5E]/g

function usual(run: string): string {
  const code = run.charCodeAt(0)
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  if (code === 0xa0 || code === 0x2007 || code === 0x202f) return ' '
  return (code >= 0x2010 && code <= 0x2015) || code === 0x2212 ? '-' : ''
}

export const isUnusual = (text: string): boolean => unusual.test(text)

export const usually = (text: string): string =>
  isUnusual(text) ? text.replaceAll(unusualRuns, usual) : text
